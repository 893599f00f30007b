// Hashing by direction on the unit circle: the bucket is the nearest of the turned axes.
import type { Vector } from "../math.ts";

export interface Hashing {
  /** Directions of the keys in degrees. */
  angles: Vector;
  /** By how many degrees the axes are turned, one number for each round. */
  turns: Vector;
  buckets: number;
  rounds: number;
}

/** How many of the nearest keys a query should find. */
export const NEAREST = 4;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** The index of the largest number in [xR, −xR], where R has half of the axes as its columns. */
export function bucket(angle: number, turn: number, buckets: number): number {
  const half = buckets / 2;
  let [found, largest] = [0, -Infinity];
  for (const sign of [1, -1]) {
    for (let axis = 0; axis < half; axis++) {
      const along = sign * Math.cos(radians(angle) - radians(turn + (axis * 360) / buckets));
      if (along > largest) [found, largest] = [axis + (sign < 0 ? half : 0), along];
    }
  }
  return found;
}

/** The buckets of the keys, a row for each round that counts. */
const keyBuckets = ({ angles, turns, buckets, rounds }: Hashing): number[][] =>
  turns.slice(0, rounds).map((turn) => angles.map((angle) => bucket(angle, turn, buckets)));

/** In how many of the rounds a query shares its bucket with each key. */
export function meetings(query: number, hashing: Hashing, keys = keyBuckets(hashing)): number[] {
  const own = keys.map((_, round) => bucket(query, hashing.turns[round]!, hashing.buckets));
  return hashing.angles.map((_, i) => own.filter((of, round) => keys[round]![i] === of).length);
}

/** The angle between two directions, 0 to 180 degrees. */
export const apart = (a: number, b: number): number => Math.abs(((((a - b + 180) % 360) + 360) % 360) - 180);

/** The keys at the smallest angles to the query; of equal ones, the first. */
export const nearest = (query: number, angles: Vector): number[] =>
  angles
    .map((angle, i): [number, number] => [apart(query, angle), i])
    .sort(([a, i], [b, j]) => a - b || i - j)
    .slice(0, NEAREST)
    .map(([, i]) => i);

export interface Found {
  /** The share of the nearest keys that were met. */
  recall: number;
  /** How many keys the query was compared with, each as often as they met. */
  compared: number;
}

export function found(query: number, hashing: Hashing, keys = keyBuckets(hashing)): Found {
  const met = meetings(query, hashing, keys);
  const close = nearest(query, hashing.angles);
  return {
    recall: close.filter((i) => met[i]! > 0).length / close.length,
    compared: met.reduce((sum, times) => sum + times, 0),
  };
}

/** The means over queries in all directions, one at the middle of each degree. */
export function everywhere(hashing: Hashing): Found {
  const keys = keyBuckets(hashing);
  const all = Array.from({ length: 360 }, (_, degree) => found(degree + 0.5, hashing, keys));
  const mean = (of: (each: Found) => number): number =>
    all.reduce((sum, each) => sum + of(each), 0) / all.length;
  return { recall: mean((each) => each.recall), compared: mean((each) => each.compared) };
}
