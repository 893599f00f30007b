// One query over all keys of its sentence, and what its weights mix.
import { mixture, scoresOf, softmax, type Matrix, type Vector } from "../math.ts";

export interface Row {
  scores: number[];
  weights: number[];
  output: number[];
}

/** Scaled scores, weights and output; `sharpness` multiplies the scores before the softmax. */
export function rowOf(query: Vector, key: Matrix, value: Matrix, sharpness: number): Row {
  const scores = scoresOf(query, key, Math.sqrt(query.length));
  const weights = softmax(scores.map((score) => sharpness * score));
  return { scores, weights, output: mixture(weights, value) };
}
