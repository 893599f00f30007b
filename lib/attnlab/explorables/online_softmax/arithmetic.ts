// The softmax in one pass: after each block of keys, the largest score and two sums.
import type { Vector } from "../math.ts";

export interface Step {
  /** The largest score of this block alone. */
  own: number;
  /** The largest score so far. */
  m: number;
  /** What the sums so far are multiplied by, because the largest score has grown. */
  factor: number;
  /** The sum of the exponentials so far. */
  l: number;
  /** The sum of exponentials times values so far. */
  o: number;
}

/** One step for each block of keys, the last block perhaps shorter. */
export function steps(scores: Vector, values: Vector, block: number): Step[] {
  const done: Step[] = [];
  const size = Math.max(1, Math.floor(block)); // an address may hold any number
  let [m, l, o] = [-Infinity, 0, 0];
  for (let start = 0; start < scores.length; start += size) {
    const arrived = scores.slice(start, start + size);
    const own = Math.max(...arrived);
    const largest = Math.max(m, own);
    const factor = Math.exp(m - largest);
    const shares = arrived.map((score) => Math.exp(score - largest));
    l = l * factor + shares.reduce((sum, share) => sum + share, 0);
    o = o * factor + shares.reduce((sum, share, i) => sum + share * values[start + i]!, 0);
    m = largest;
    done.push({ own, m, factor, l, o });
  }
  return done;
}
