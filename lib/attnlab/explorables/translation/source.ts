// Where the weights come from: a page fetches their file once, a notebook asks its kernel.
import { inSite } from "../site.ts";
import { fromBase64 } from "../text.ts";
import { unpack, type Arrays } from "./npz.ts";

const address = inSite("pyodide/files/attnlab/models/trained/attention-0.npz");

const FAILED = "The model could not be fetched. Is there a network? Change anything to try again.";
const FROM_FILE =
  "Browsers fetch no model for a page opened from a file: open the course on the web or as a notebook.";

/** Under way or here: the figures of a page share it. */
let shared: Promise<Arrays> | undefined;

async function download(came: (share: number) => void): Promise<Arrays> {
  const answer = await fetch(address!);
  if (!answer.ok || !answer.body) throw new Error(String(answer.status));
  const total = Number(answer.headers.get("content-length"));
  let size = 0;
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      size += chunk.length;
      if (total > 0) came(size / total);
      controller.enqueue(chunk);
    },
  });
  return unpack(await new Response(answer.body.pipeThrough(counted)).arrayBuffer());
}

export class Source {
  model: Arrays | undefined;
  /** What went wrong, in words; "" when nothing did. */
  problem = "";
  private isWanted = false;
  private readonly ask: () => void;
  private readonly came: (share: number) => void;
  private readonly changed: () => void;

  /**
   * @param ask - called in a notebook when the model is wanted
   * @param came - called with the share of the file that has come
   * @param changed - called when the model is here, or a problem
   */
  constructor(ask: () => void, came: (share: number) => void, changed: () => void) {
    [this.ask, this.came, this.changed] = [ask, came, changed];
  }

  /** Sees to it that the model comes, if it is not here or under way. */
  want(): void {
    if (this.isWanted) return;
    this.isWanted = true;
    if (!address) queueMicrotask(this.ask);
    else if (location.protocol === "file:") this.problem = FROM_FILE;
    else void this.take((shared ??= download(this.came)));
  }

  /** Takes what a kernel has sent: the file in base64. */
  give(content: string): void {
    if (this.model || !content) return;
    this.isWanted = true;
    void this.take(unpack(fromBase64(content)));
  }

  private async take(coming: Promise<Arrays>): Promise<void> {
    this.model = await coming.catch(() => undefined);
    if (!this.model) shared = undefined;
    this.problem = this.model ? "" : FAILED;
    this.changed();
    // Afterwards, so that the reader's next change tries again, and not this one.
    this.isWanted = this.model !== undefined;
  }
}
