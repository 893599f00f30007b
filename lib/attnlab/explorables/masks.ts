// The masks that explorables share, held equal to those of `attn` by fixtures. True = may attend.
import type { Mask } from "./math.ts";

const fill = (
  rows: number,
  columns: number,
  allows: (i: number, j: number) => boolean,
): boolean[][] =>
  Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) => allows(i, j)));

/** Every query attends to every key. */
export const everything = (rows: number, columns: number): boolean[][] =>
  fill(rows, columns, () => true);

/** Only the first `length` keys are real. */
export const padding = (rows: number, columns: number, length: number): boolean[][] =>
  fill(rows, columns, (_, j) => j < length);

/** No query attends to later keys; the last query attends to the last key. */
export const causal = (rows: number, columns: number): boolean[][] =>
  fill(rows, columns, (i, j) => j - i <= columns - rows);

/** Each token attends to the tokens at most `window` away on either side. */
export const slidingWindow = (tokens: number, window: number): boolean[][] =>
  fill(tokens, tokens, (i, j) => Math.abs(i - j) <= window);

/** Global tokens attend to all tokens, and all tokens attend to them. */
export function globalTokens(tokens: number, positions: readonly number[]): boolean[][] {
  const global = new Set(positions);
  return fill(tokens, tokens, (i, j) => global.has(i) || global.has(j));
}

/** What both masks allow. */
export const both = (a: Mask, b: Mask): boolean[][] =>
  a.map((row, i) => row.map((allowed, j) => allowed && b[i]![j]!));

/** What either mask allows. */
export const either = (a: Mask, b: Mask): boolean[][] =>
  a.map((row, i) => row.map((allowed, j) => allowed || b[i]![j]!));
