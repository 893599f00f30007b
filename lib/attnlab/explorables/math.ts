// The arithmetic that explorables share: pure functions, held equal to `attn` by fixtures.

export type Vector = readonly number[];
export type Matrix = readonly Vector[];
/** True = may attend, as everywhere in the course. */
export type Mask = readonly (readonly boolean[])[];

/** Sum of products; unequal lengths are an error. */
export function dot(a: Vector, b: Vector): number {
  if (a.length !== b.length) throw new RangeError(`lengths ${a.length} and ${b.length} differ`);
  return a.reduce((sum, x, i) => sum + x * b[i]!, 0);
}

/** Scores of one query, one per key, divided by `divisor`. */
export function scoresOf(query: Vector, keys: Matrix, divisor = 1): number[] {
  return keys.map((key) => dot(query, key) / divisor);
}

/** Weights of one row of scores. A masked key gets 0; a fully masked row is all 0. */
export function softmax(scores: Vector, mask?: readonly boolean[]): number[] {
  const visible = scores.map((score, i) => (mask && !mask[i] ? -Infinity : score));
  const top = Math.max(...visible);
  if (top === -Infinity) return scores.map(() => 0);
  const shares = visible.map((score) => Math.exp(score - top));
  const total = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / total);
}

/** The sum of the values, each times its weight: the context vector. */
export function mixture(weights: Vector, values: Matrix): number[] {
  const width = values[0]?.length ?? 0;
  return Array.from({ length: width }, (_, column) =>
    weights.reduce((sum, weight, i) => sum + weight * values[i]![column]!, 0),
  );
}

/** Shannon entropy in nats: 0 when one key has all the weight, log(num_keys) when all have the same. */
export function entropy(weights: Vector): number {
  return -weights.reduce((sum, w) => sum + (w > 0 ? w * Math.log(w) : 0), 0) + 0;
}

export const clamp = (x: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, x));

/** The nearest multiple of `step`, without rounding errors of binary fractions. */
export const snap = (x: number, step: number): number => tidy(Math.round(x / step) * step);

/** At most four decimals, so that the reader sees the number that is computed with. */
export const tidy = (x: number): number => Math.round(x * 1e4) / 1e4 + 0;

/** The same function, which does not compute its last result again. */
export function remembered<P extends unknown[], R>(compute: (...given: P) => R): (...given: P) => R {
  let [last, result] = ["", undefined as R];
  return (...given) => {
    const now = JSON.stringify(given);
    if (now !== last) [last, result] = [now, compute(...given)];
    return result;
  };
}
