// Masks of a grid of scores, and the weights that they leave. True = may attend.
import { softmax, type Mask, type Matrix } from "../math.ts";

/** Weights row by row; a row that sees nothing is all 0. */
export const maskedWeights = (score: Matrix, mask: Mask): number[][] =>
  score.map((row, i) => softmax(row, mask[i]));

const fill = (rows: number, columns: number, allow: (i: number, j: number) => boolean) =>
  Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) => allow(i, j)));

/** Every query sees every key. */
export const everything = (rows: number, columns: number): boolean[][] =>
  fill(rows, columns, () => true);

/** Only the first `length` keys are real. */
export const padding = (rows: number, columns: number, length: number): boolean[][] =>
  fill(rows, columns, (_, j) => j < length);

/** No query sees the future; the last query sees the last key. */
export const causal = (rows: number, columns: number): boolean[][] =>
  fill(rows, columns, (i, j) => j - i <= columns - rows);

/** What both allow. */
export const both = (a: Mask, b: Mask): boolean[][] =>
  a.map((row, i) => row.map((allowed, j) => allowed && b[i]![j]!));
