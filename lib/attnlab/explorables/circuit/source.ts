// Where checkpoints come from: a page fetches their files, a notebook asks its kernel.
import { inSite } from "../site.ts";
import { fromBase64 } from "../text.ts";
import { unpack, type Weights } from "./weights.ts";

const base = inSite("pyodide/files/attnlab/models/trained/formation/");

const FAILED = "This checkpoint could not be fetched. Is there a network?";
const FROM_FILE =
  "Browsers fetch no checkpoints for a page opened from a file: open the course on the web or as a " +
  "notebook. The curves and their numbers are here.";

export const fileName = (condition: string, step: number): string =>
  `${condition.replaceAll(" ", "-")}-${step}.bin`;

/** Files under way or here: the figures of a page share them. */
const files = new Map<string, Promise<ArrayBuffer>>();

function fileOf(name: string): Promise<ArrayBuffer> {
  const file = files.get(name) ?? download(name);
  files.set(name, file);
  file.catch(() => files.delete(name)); // the next look tries again
  return file;
}

async function download(name: string): Promise<ArrayBuffer> {
  const answer = await fetch(new URL(name, base));
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.arrayBuffer();
}

export class Source {
  /** What went wrong, in words; "" when nothing did. */
  problem = "";
  private readonly known = new Map<string, Weights>();
  private readonly underWay = new Set<string>();
  private readonly ask: (name: string) => void;
  private readonly changed: () => void;

  /**
   * @param ask - called in a notebook with the name of a file that is wanted
   * @param changed - called when there is a new checkpoint, or a problem
   */
  constructor(ask: (name: string) => void, changed: () => void) {
    [this.ask, this.changed] = [ask, changed];
  }

  /** The weights of a checkpoint, or undefined until they have come. */
  get(name: string): Weights | undefined {
    if (!this.known.has(name) && !this.underWay.has(name)) {
      this.underWay.add(name);
      if (base && location.protocol === "file:") this.problem = FROM_FILE;
      else if (base) void this.fetch(name);
      else queueMicrotask(() => this.ask(name));
    }
    return this.known.get(name);
  }

  /** Takes what a kernel has sent: a name, a space, and the content in base64. */
  give(sent: string): void {
    const [name, content] = sent.split(" ");
    if (name && content && !this.known.has(name)) this.known.set(name, unpack(fromBase64(content)));
  }

  private async fetch(name: string): Promise<void> {
    const weights = await fileOf(name).then(unpack).catch(() => undefined);
    if (weights) this.known.set(name, weights);
    this.problem = weights ? "" : FAILED;
    this.changed();
    // Afterwards, so that the reader's next change tries again, and not this one.
    if (!weights) this.underWay.delete(name);
  }
}
