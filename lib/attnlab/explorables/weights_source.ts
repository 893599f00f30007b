// Where stored weights come from: a page fetches their files once, a notebook asks its kernel.
import { streamed } from "./encoder/store.ts";
import { inSite } from "./site.ts";
import { fromBase64 } from "./text.ts";

const FAILED = "could not be fetched. Is there a network? Change anything to try again.";
const FROM_FILE =
  "Browsers fetch no model for a page opened from a file: open the course on the web or as a notebook.";
const folder = inSite("pyodide/files/attnlab/models/trained/");

/** Files under way or here: the figures of a page share them. */
const files = new Map<string, Promise<ArrayBuffer>>();

/** @param came - called with the share of the file that has come */
function fileOf(name: string, came: (share: number) => void): Promise<ArrayBuffer> {
  const file = files.get(name) ?? download(new URL(name, folder), came);
  files.set(name, file);
  file.catch(() => files.delete(name)); // the next look tries again
  return file;
}

async function download(address: URL, came: (share: number) => void): Promise<ArrayBuffer> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(String(answer.status));
  const total = Number(answer.headers.get("content-length"));
  let size = 0;
  return streamed(answer, (bytes) => {
    size += bytes;
    if (total > 0) came(size / total);
  });
}

interface Calls<W> {
  /** What a file holds. */
  unpack: (file: ArrayBuffer) => W | Promise<W>;
  /** Called in a notebook with the name of a file that is wanted. */
  ask: (name: string) => void;
  /** Called when there are new weights, or a problem. */
  changed: () => void;
  came?: (share: number) => void;
}

export class WeightsSource<W> {
  /** What went wrong, in words; "" when nothing did. */
  problem = "";
  private readonly known = new Map<string, W>();
  private readonly underWay = new Set<string>();
  private readonly what: string;
  private readonly calls: Calls<W>;
  private given = "";

  /** @param what - what one file is, in a word */
  constructor(what: string, calls: Calls<W>) {
    [this.what, this.calls] = [what, calls];
  }

  /** The weights of a file if they are here. */
  here(name: string): W | undefined {
    return this.known.get(name);
  }

  /** The weights of a file; where they are not here, sees to it that they come. */
  get(name: string): W | undefined {
    if (!this.known.has(name) && !this.underWay.has(name)) {
      this.underWay.add(name);
      if (!folder) queueMicrotask(() => this.calls.ask(name));
      else if (location.protocol === "file:") this.problem = FROM_FILE;
      else void this.take(name, fileOf(name, this.calls.came ?? (() => {})));
    }
    return this.known.get(name);
  }

  /** Takes the content of a file that a kernel has sent, in base64. */
  give(name: string, content: string): void {
    if (!content || content === this.given) return;
    this.given = content;
    this.underWay.add(name);
    void this.take(name, Promise.resolve(fromBase64(content)));
  }

  private async take(name: string, coming: Promise<ArrayBuffer>): Promise<void> {
    const weights = await coming.then(this.calls.unpack).catch(() => undefined);
    if (weights) this.known.set(name, weights);
    this.problem = weights ? "" : `The ${this.what} ${FAILED}`;
    this.calls.changed();
    // Afterwards, so that the reader's next change tries again, and not this one.
    if (!weights) this.underWay.delete(name);
  }
}
