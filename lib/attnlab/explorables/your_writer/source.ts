// The reader's own functions as a source of words: each question goes to Python, in the page through
// the block around the figure, in a notebook to its kernel.
import type { Model } from "../host.ts";
import { END, type Reading, type Source } from "../writer/source.ts";

/** What is asked of attnlab.gpt.yours.answer. */
type Asked = { tokens: readonly number[] } & ({ first: number } | { temperature: number; draw: number });

/** What it answers; arrays by place. */
interface Values {
  logits?: number[][];
  weights?: number[][][][];
  token?: number;
  calls: number[];
}

export type Ask = (asked: Asked) => Promise<Values>;

/** Said where the reason is told beside the figure. */
const STOPPED = "The model has stopped.";

/** Asks what the figure stands in, by an event: code that runs after the reader's, and what it is to define. */
export const pageAsk =
  (el: HTMLElement): Ask =>
  (asked) =>
    new Promise((answer, reject) => {
      const code = `from attnlab.gpt import yours\nglobals().update(yours.answer(globals(), ${JSON.stringify(asked)}))`;
      const fail = (): void => reject(new Error(STOPPED));
      const detail = { code, binds: ["logits", "weights", "token", "calls"], answer, fail };
      el.dispatchEvent(new CustomEvent("ask", { bubbles: true, detail }));
    });

export interface Asking {
  asked: { number?: number; asked?: object };
  answered: { number?: number; values?: Values; error?: string };
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
      waiting.set(++number, ({ values, error }) => (values ? answer(values) : reject(new Error(error))));
      model.set("asked", { number, asked });
      model.save_changes();
    });
}

interface Sizes {
  vocabulary: readonly string[];
  heads: readonly [number, number];
  most: number;
}

/** The source; `ran` hears how often each function ran. */
export function yours({ vocabulary, heads, most }: Sizes, ask: Ask, ran: (calls: readonly number[]) => void): Source {
  /** The reading that came with a word, and the length of the text that ends with it. */
  let next: { length: number; token: number; reading: Reading } | undefined;
  const valuesOf = async (asked: Asked): Promise<Values> => {
    const values = await ask(asked);
    ran(values.calls);
    return values;
  };
  return {
    words: vocabulary,
    heads,
    most,
    async read(tokens, from) {
      if (from === tokens.length - 1 && next?.length === tokens.length && next.token === tokens[from]) return [next.reading];
      const values = await valuesOf({ tokens, first: from });
      return tokens.slice(from).map((_, place) => readingOf(values, place, from + place));
    },
    async choose(_, temperature, draw, tokens) {
      const values = await valuesOf({ tokens, temperature, draw });
      const token = values.token!;
      next = token === END ? undefined : { length: tokens.length + 1, token, reading: readingOf(values, 0, tokens.length) };
      return token;
    },
  };
}

/** What was read at a place of the text, which has a row among those that came. */
const readingOf = ({ logits, weights }: Values, row: number, place: number): Reading => ({
  logits: logits![row]!,
  weights: weights?.[row]?.map((heads) => heads.map((weights) => weights.slice(0, place + 1))) ?? [],
});
