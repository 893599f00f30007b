// Scores of one query by five functions.
import { dot, mixture, scoresOf, type Matrix, type Vector } from "../math.ts";

export interface Inputs {
  query: Vector;
  key: Matrix;
  w_general: Matrix;
  w_query: Matrix;
  w_key: Matrix;
  w_score: Vector;
}

const cosine = (a: Vector, b: Vector): number => {
  const lengths = Math.sqrt(dot(a, a)) * Math.sqrt(dot(b, b));
  return lengths > 0 ? dot(a, b) / lengths : 0;
};

/** The scores of every function, one for each key. */
export function scoresBy(inputs: Inputs): Record<string, number[]> {
  const { query, key, w_general, w_query, w_key, w_score } = inputs;
  const asking = mixture(query, w_query);
  const additive = key.map((k) => {
    const hidden = mixture(k, w_key).map((x, i) => Math.tanh(asking[i]! + x));
    return dot(hidden, w_score);
  });
  return {
    dot: scoresOf(query, key),
    "scaled dot": scoresOf(query, key, Math.sqrt(query.length)),
    cosine: key.map((k) => cosine(query, k)),
    general: scoresOf(mixture(query, w_general), key),
    additive,
  };
}

/** The key with the largest score, or none if two share it. */
export function favourite(scores: Vector): number | undefined {
  const top = Math.max(...scores);
  const best = scores.flatMap((score, i) => (top - score < 1e-9 ? [i] : []));
  return best.length === 1 ? best[0] : undefined;
}
