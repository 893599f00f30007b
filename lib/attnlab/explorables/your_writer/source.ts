// The reader's own functions as a source of words: each question goes to Python, in the page through
// the block around the figure, in a notebook to its kernel.
import type { Model } from "../host.ts";
import type { Reading, Source } from "../writer/source.ts";

/** What Python answers: attnlab.gpt.yours. */
interface Answered {
  readings?: { logits: number[]; weights: number[][][] | null }[];
  token?: number;
  tokens?: number[];
  unknown?: string;
  nearest?: string[];
  /** How often each function ran, and how long all of them took. */
  calls?: Record<string, number>;
  seconds?: number;
}

export type Ask = (asked: object) => Promise<Answered>;

/** What has run for one word. */
export interface Ran {
  readonly calls: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** Said where the reason is told beside the figure. */
export const STOPPED = "The model has stopped.";

/** Asks the block that the figure stands in, by an event. */
export const pageAsk =
  (el: HTMLElement): Ask =>
  (asked) =>
    new Promise((answer, reject) => {
      const fail = (): void => reject(new Error(STOPPED));
      el.dispatchEvent(new CustomEvent("ask", { bubbles: true, detail: { asked, answer, fail } }));
    });

export interface Asking {
  asked: { number?: number; asked?: object };
  answered: { number?: number; answered?: Answered; error?: string };
}

/** Asks the kernel of a notebook, through the model. */
export function kernelAsk(model: Model<Asking>): Ask {
  const waiting = new Map<number, (reply: Asking["answered"]) => void>();
  let number = 0;
  model.on("change:answered", () => {
    const reply = model.get("answered");
    waiting.get(reply.number!)?.(reply);
    waiting.delete(reply.number!);
  });
  return (asked) =>
    new Promise((answer, reject) => {
      waiting.set(++number, ({ answered, error }) => (answered ? answer(answered) : reject(new Error(error))));
      model.set("asked", { number, asked });
      model.save_changes();
    });
}

interface Sizes {
  vocabulary: readonly string[];
  heads: readonly [number, number];
  most: number;
}

export class Yours implements Source {
  readonly words: readonly string[];
  readonly heads: readonly [number, number];
  readonly most: number;
  /** Whether the reader's cache is used. */
  cached = false;
  private readonly ask: Ask;
  private readonly ran: (what: Ran, cached: boolean, words: number) => void;

  /** @param ran - hears what has run for a reading or a choice, and how many words it gave */
  constructor({ vocabulary, heads, most }: Sizes, ask: Ask, ran: Yours["ran"]) {
    [this.words, this.heads, this.most, this.ask, this.ran] = [vocabulary, heads, most, ask, ran];
  }

  async read(tokens: readonly number[], from: number): Promise<readonly Reading[]> {
    const { cached } = this;
    const answered = await this.ask({ tokens, first: from, cached });
    this.ran({ calls: answered.calls!, seconds: answered.seconds! }, cached, 0);
    return answered.readings!.map(({ logits, weights }) => ({ logits, weights: weights ?? [] }));
  }

  async choose(_: Reading, temperature: number, draw: number, tokens: readonly number[]): Promise<number> {
    const { cached } = this;
    const answered = await this.ask({ tokens, temperature, draw, cached });
    this.ran({ calls: answered.calls!, seconds: answered.seconds! }, cached, 1);
    return answered.token!;
  }

  /** The tokens of a text that a reader types, or a word that the model lacks, and the nearest. */
  begin(text: string): Promise<Answered> {
    return this.ask({ beginning: text });
  }
}
