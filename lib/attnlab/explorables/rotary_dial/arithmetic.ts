// Rotary positions of one arrow for each hand: angles, and what two positions have in common.

const BASE = 10000;
export const FULL_TURN = 2 * Math.PI;

/** By which angle each hand turns from one token to the next, in radians: one for every pair. */
export const frequencies = (d_k: number): number[] =>
  Array.from({ length: d_k / 2 }, (_, pair) => BASE ** ((-2 * pair) / d_k));

/** The dot product of each pair of hands, when both start at (1, 0). */
export const products = (query: number, key: number, d_k: number): number[] =>
  frequencies(d_k).map((frequency) => Math.cos((key - query) * frequency));

/** The dot product of the whole query and key: the score, before it is divided. */
export const total = (parts: readonly number[]): number => parts.reduce((sum, x) => sum + x, 0);

/** Moves both positions by the same number of tokens, as far as both stay in the text. */
export function movedTogether(
  [moved, other]: readonly [number, number],
  to: number,
  last: number,
): [number, number] {
  const least = Math.max(-moved, -other);
  const most = Math.min(last - moved, last - other);
  const by = Math.min(most, Math.max(least, to - moved));
  return [moved + by, other + by];
}
