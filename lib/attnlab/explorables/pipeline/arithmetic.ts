// Attention of a sentence to itself, with the result of every step.
import { causal, everything } from "../masks.ts";
import { mixture, scoresOf, softmax, type Mask, type Matrix, type Vector } from "../math.ts";

export const MOST_WORDS = 6;

export interface Sentence {
  sentence: string;
  /** Words with vectors set by hand; any other has zeros: nothing is known of it. */
  known: readonly string[];
  vectors: Matrix;
  w_query: Matrix;
  w_key: Matrix;
  w_value: Matrix;
  causal: boolean;
}

export interface Steps {
  tokens: readonly string[];
  query: Matrix;
  key: Matrix;
  value: Matrix;
  scores: Matrix;
  scaled: Matrix;
  mask: Mask;
  weights: Matrix;
  output: Matrix;
}

/** The words of a sentence, in lower case, at most six. */
export const tokensOf = (sentence: string): string[] =>
  (sentence.toLowerCase().match(/\p{L}+(?:['’]\p{L}+)*/gu) ?? []).slice(0, MOST_WORDS);

function embedding(word: string, { known, vectors }: Sentence): Vector {
  return vectors[known.indexOf(word)] ?? vectors[0]!.map(() => 0);
}

export function stepsOf(state: Sentence): Steps {
  const tokens = tokensOf(state.sentence);
  const x = tokens.map((word) => embedding(word, state));
  const project = (w: Matrix): number[][] => x.map((row) => mixture(row, w));
  const [query, key, value] = [project(state.w_query), project(state.w_key), project(state.w_value)];
  const scores = query.map((row) => scoresOf(row, key));
  const root = Math.sqrt(state.w_key[0]!.length);
  const scaled = scores.map((row) => row.map((score) => score / root));
  const mask = (state.causal ? causal : everything)(tokens.length, tokens.length);
  const weights = scaled.map((row, i) => softmax(row, mask[i]));
  const output = weights.map((row) => mixture(row, value));
  return { tokens, query, key, value, scores, scaled, mask, weights, output };
}
