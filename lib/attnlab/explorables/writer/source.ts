// Where the words come from: a recorded run, the model in the page, or a reader's own functions.
// The writer asks a source for readings and choices, and draws what it answers.
import { softmax } from "../math.ts";

/** What a model says at one token of a text. */
export interface Reading {
  /** A logit for each word of the vocabulary: which comes next. */
  readonly logits: ArrayLike<number>;
  /** Of each layer and head, the token's weights on itself and all before it, if they are known. */
  readonly weights: readonly (readonly (ArrayLike<number> | undefined)[])[];
}

export interface Source {
  /** The vocabulary in the order of its numbers; `PAD`, `BEGIN` and `END` are marks. */
  readonly words: readonly string[];
  /** Layers, and heads in each. */
  readonly heads: readonly [number, number];
  /** How many tokens a text may have. */
  readonly most: number;
  /** Whether it knows one text only: then no word can be forced and no other beginning chosen. */
  readonly isRecorded?: boolean;
  /**
   * The readings of `tokens[from]` and of all after it. A source may keep what it computed of a
   * text that begins alike; the writer asks for one token at a time while it writes.
   */
  read(tokens: readonly number[], from: number): Promise<readonly Reading[]>;
  /**
   * The next token after `tokens`, of which `reading` is the last one's. `draw` is a random number
   * from 0 to 1. Undefined: it does not know, and the writer waits.
   */
  choose(reading: Reading, temperature: number, draw: number, tokens: readonly number[]): Promise<number | undefined>;
}

export const [PAD, BEGIN, END] = [0, 1, 2];

/** Below it, the most likely word is as good as certain. */
const COLD = 0.01;

/** The probabilities of all words; at temperature 0, of the most likely one alone. */
export function probabilities({ logits }: Reading, temperature: number): number[] {
  const all = Array.from(logits);
  if (temperature >= COLD) return softmax(all.map((logit) => logit / temperature));
  const best = all.indexOf(Math.max(...all));
  return all.map((_, token) => Number(token === best));
}

/** The token whose part of the interval from 0 to 1 has `draw`: `attnlab.gpt.next_token`. */
export function nextToken(reading: Reading, temperature: number, draw: number): number {
  const shares = probabilities(reading, temperature);
  let end = 0;
  const found = shares.findIndex((share) => (end += share) > draw);
  return found < 0 ? shares.length - 1 : found; // rounding may leave the last end below 1
}
