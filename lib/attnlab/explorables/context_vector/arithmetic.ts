// One query over a few keys: scores, weights, context vector.
import { mixture, scoresOf, softmax, type Matrix, type Vector } from "../math.ts";

export interface Attended {
  scores: number[];
  weights: number[];
  /** The values mixed with the weights. */
  context: number[];
}

/** Attention of one query; `scaled` divides the scores by the root of the query's width. */
export function attend(query: Vector, key: Matrix, value: Matrix, scaled: boolean): Attended {
  const scores = scoresOf(query, key, scaled ? Math.sqrt(query.length) : 1);
  const weights = softmax(scores);
  return { scores, weights, context: mixture(weights, value) };
}
