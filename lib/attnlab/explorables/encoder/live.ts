// The model as a page uses it: a worker that starts with the first sentence.
import type { Answer, Ask, Cuts } from "./messages.ts";
import type { Index } from "./store.ts";
import file from "./worker.ts?worker";

export class LiveModel {
  private worker: Worker | undefined;
  private last = 0;
  private readonly base: string;
  private readonly hear: (answer: Answer) => void;

  /** @param base - the address of the folder of the model's files */
  constructor(base: string, hear: (answer: Answer) => void) {
    [this.base, this.hear] = [new URL(base, document.baseURI).href, hear];
  }

  /** Asks for a sentence; answers to those before it are dropped. Returns its number. */
  read(text: string, cuts: Cuts): number {
    this.worker ??= this.start();
    const ask: Ask = { id: ++this.last, text, ...cuts };
    this.worker.postMessage(ask);
    return ask.id;
  }

  /** Why this site has no model, in a sentence; "" where it has one, and where that cannot be fetched. */
  async missing(): Promise<string> {
    try {
      const told = (await (await fetch(`${this.base}model.json`)).json()) as Index;
      return "missing" in told ? told.missing : "";
    } catch {
      return "";
    }
  }

  stop(): void {
    this.worker?.terminate();
    this.worker = undefined;
  }

  private start(): Worker {
    const worker = new Worker(new URL(`../explorables/${file}`, this.base));
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (!("id" in data) || data.id === this.last) this.hear(data);
    };
    worker.onerror = () => this.hear({ type: "failed", message: "The model could not be started in this browser." });
    worker.postMessage({ base: this.base });
    return worker;
  }
}
