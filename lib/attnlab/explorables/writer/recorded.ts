// A run of the model that the build recorded: shown until the model is here, or where it cannot come.
import type { Reading, Source } from "./source.ts";

/** `Writer.recorded` of Python: the tokens of a run, and what was seen at some of them. */
export interface Recorded {
  readonly tokens: readonly number[];
  readonly temperature: number;
  /** At each token but the last: the likeliest next ones, and one head's weights. */
  readonly steps: readonly {
    /** Tokens and their probabilities in thousandths. */
    readonly next: readonly (readonly [number, number])[];
    readonly head: readonly [number, number];
    /** Places and weights in hundredths; small ones are left out. */
    readonly weights: readonly (readonly [number, number])[];
  }[];
}

/** Stands for a probability that was rounded to 0. */
const LEAST = 1e-4;

export function recordedRun(words: readonly string[], heads: readonly [number, number], run: Recorded): Source {
  const reading = (at: number): Reading => {
    const step = run.steps[at]!;
    const weights: (Float64Array | undefined)[][] = Array.from({ length: heads[0] }, () => []);
    const shares = new Map(step.next.map(([token, share]) => [token, Math.max(share / 1000, LEAST)]));
    const rest = Math.max(1 - [...shares.values()].reduce((sum, share) => sum + share, 0), LEAST);
    const other = rest / (words.length - shares.size);
    // Such logits as give these probabilities at the temperature of the run.
    const logits = words.map((_, token) => Math.log(shares.get(token) ?? other) * run.temperature);
    const row = new Float64Array(at + 1);
    for (const [place, weight] of step.weights) row[place] = weight / 100;
    weights[step.head[0]]![step.head[1]] = row;
    return { logits, weights };
  };
  return {
    words,
    heads,
    most: Infinity,
    isRecorded: true,
    read: async (tokens, from) => tokens.slice(from).map((_, i) => reading(from + i)),
    choose: async (_reading, _temperature, _draw, tokens) => run.tokens[tokens.length],
  };
}
