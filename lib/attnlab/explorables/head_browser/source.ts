// Where readings come from: stored ones at once, those of the live model when it is there.
import { LiveModel } from "../encoder/live.ts";
import type { Answer, Cuts } from "../encoder/messages.ts";
import { inSite } from "../site.ts";
import { readingOf, type Reading, type StoredData } from "./reading.ts";

/** Set by the scripts of stored sentences. */
declare global {
  var attnStored: Record<string, StoredData> | undefined;
}

const base = inSite("data/");

const CANNOT = "The model runs in the course's pages on the web; here are its stored sentences.";

export interface Stored {
  readonly names: readonly string[];
  readonly texts: readonly string[];
}

export class Source {
  /** The sentence as the model reads it, and the same with heads off or tokens cut. */
  before: Reading | undefined;
  after: Reading | undefined;
  /** What is going on, in words; "" when nothing is. */
  status = "";
  /** Bytes that are there and that are expected, while they come. */
  progress: readonly [number, number] | undefined;
  isLive = false;
  /** Why there are stored sentences only; "" where the model reads any, undefined until it is known. */
  lacks: string | undefined;
  private readonly stored: Stored;
  private readonly changed: () => void;
  private readonly askKernel: () => void;
  /** All stored sentences as JSON, from a notebook's kernel; a page fetches each when it is shown. */
  private given = "";
  private readonly model: LiveModel | undefined;
  private text = "";
  private cuts: Cuts = { off: [], cut: [] };
  private reading: "before" | "after" = "before";
  private isReading = false;

  /**
   * @param changed - called whenever there is something new to show
   * @param askKernel - called in a notebook when stored sentences are wanted
   */
  constructor(stored: Stored, changed: () => void, askKernel: () => void) {
    [this.stored, this.changed, this.askKernel] = [stored, changed, askKernel];
    const canRun = base !== undefined && location.protocol !== "file:";
    this.model = canRun ? new LiveModel(base, (answer) => this.hear(answer)) : undefined;
    if (!this.model) this.lacks = CANNOT;
  }

  /** Finds out whether the site has the model. */
  async find(): Promise<void> {
    if (!this.model) return;
    this.lacks = await this.model.missing();
    if (this.lacks) this.status = "";
    this.show(this.text, this.cuts);
    this.changed();
  }

  /** What is shown for a sentence: itself, or a stored one where no other can be read. */
  readable(text: string): string {
    return this.lacks && !this.stored.texts.includes(text) ? this.stored.texts[0]! : text;
  }

  /** Shows a sentence, and with it what a change does. */
  show(sentence: string, cuts: Cuts): void {
    const text = this.readable(sentence);
    if (JSON.stringify([text, cuts]) === JSON.stringify([this.text, this.cuts])) return;
    const isNew = text !== this.text;
    [this.text, this.cuts] = [text, cuts];
    this.after = undefined;
    if (isNew) this.before = undefined;
    const at = this.stored.texts.indexOf(text);
    if (isNew && at >= 0) void this.fetch(this.stored.names[at]!, text);
    if (this.isLive) this.ask(this.before?.x ? "after" : "before");
    else if (isNew && at < 0) this.load();
  }

  /** Takes the stored sentences of a notebook's kernel. */
  give(data: string): void {
    if (data === this.given || data.length < 2) return;
    this.given = data;
    const at = this.stored.texts.indexOf(this.text);
    if (at >= 0 && !this.before) void this.fetch(this.stored.names[at]!, this.text);
  }

  /** Has the live model read the sentence. */
  load(): void {
    const first = !this.isLive;
    this.isLive = true;
    if (first) this.ask("before");
  }

  stop(): void {
    this.model?.stop();
  }

  private ask(which: "before" | "after"): void {
    const none = { off: [], cut: [] };
    const isChanged = this.cuts.off.length + this.cuts.cut.length > 0;
    if (which === "after" && !isChanged) return this.tell("");
    [this.reading, this.isReading] = [which, true];
    this.status = "The model is reading …";
    this.model?.read(this.text, which === "before" ? none : this.cuts);
    this.changed();
  }

  private async fetch(name: string, text: string): Promise<void> {
    if (!base && !this.given) return this.askKernel();
    try {
      const data = await storedData(name, this.given);
      // The live model may have been faster, or the reader gone on.
      if (this.text === text && !this.before) this.before = readingOf(text, data);
      this.changed();
    } catch {
      this.tell("The stored sentence could not be fetched. Is there a network?");
    }
  }

  private tell(status: string): void {
    [this.status, this.progress, this.isReading] = [status, undefined, false];
    this.changed();
  }

  private hear(answer: Answer): void {
    if (answer.type === "progress") {
      if (!this.isReading) return; // bytes that an earlier sentence asked for
      this.progress = [answer.loaded, answer.total];
      this.status = `Fetching ${answer.what} …`;
      return this.changed();
    }
    if (answer.type === "refused" || answer.type === "failed") {
      this.tell(answer.message);
      if (answer.type === "failed") {
        this.isLive = false;
        void this.find(); // at first there may have been no network
      }
      return;
    }
    if (answer.type === "tokens") this.begin(answer.tokens, answer.numLayers, answer.numHeads);
    else if (answer.type === "layer") this.took(answer);
    else this.finish(answer.x);
  }

  private pending: Reading | undefined;

  private begin(tokens: readonly string[], numLayers: number, numHeads: number): void {
    const layers = Array.from({ length: numLayers }, () => undefined);
    this.pending = { text: this.text, tokens, numHeads, layers };
    // A stored reading stays until the live one is complete.
    if (this.reading === "before" && !this.before) this.before = this.pending;
    this.changed();
  }

  private took({ layer, weights, scores, query, key }: Answer & { type: "layer" }): void {
    this.pending!.layers[layer] = { weights, scores, query, key };
    if (this.before === this.pending) this.changed();
  }

  private finish(x: Float32Array): void {
    const done = this.pending!;
    done.x = x;
    this[this.reading] = done;
    if (this.reading === "before") this.ask("after");
    else this.tell("");
    this.progress = undefined;
    this.changed();
  }
}

/** A stored sentence: given, loaded before, or loaded by its script, which also works from a file. */
async function storedData(name: string, given: string): Promise<StoredData> {
  if (given) return (JSON.parse(given) as Record<string, StoredData>)[name]!;
  if (!globalThis.attnStored?.[name]) {
    await new Promise((resolve, reject) => {
      const element = document.createElement("script");
      [element.onload, element.onerror] = [resolve, reject];
      element.src = `${base}stored-${name}.js`;
      document.head.append(element);
    });
  }
  return globalThis.attnStored![name]!;
}
