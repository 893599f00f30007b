// Scaled dot-product weights of all queries over the keys of one sentence.
import { scoresOf, softmax, type Matrix } from "../math.ts";

/** Weights, one row for each query; the scores are divided by the root of the width. */
export const weightsOf = (query: Matrix, key: Matrix): number[][] =>
  query.map((row) => softmax(scoresOf(row, key, Math.sqrt(row.length))));
