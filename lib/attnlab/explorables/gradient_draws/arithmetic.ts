// The score-function estimator for one query: its error by enumeration, and in the draws of a seed.
import { softmax, type Vector } from "../math.ts";
import { randomNumbers } from "../random.ts";

export interface Case {
  /** The loss of each key if it is drawn. */
  losses: Vector;
  /** The score of the key with the smallest loss; all others are 0. */
  score: number;
}

/** How often each key was drawn, and which one was drawn last. */
export interface Drawn {
  counts: number[];
  last: number;
}

/** The key with the smallest loss. */
export const rightKey = (losses: Vector): number => losses.indexOf(Math.min(...losses));

export function weightsOf({ losses, score }: Case): number[] {
  const right = rightKey(losses);
  return softmax(losses.map((_, key) => (key === right ? score : 0)));
}

const mean = (weights: Vector, of: Vector): number => weights.reduce((sum, w, i) => sum + w * of[i]!, 0);
export const length = (v: Vector): number => Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));

/** The gradient of the expected loss with respect to the scores. */
export function exactGradient(of: Case): number[] {
  const weights = weightsOf(of);
  const expected = mean(weights, of.losses);
  return weights.map((weight, key) => weight * (of.losses[key]! - expected));
}

/** The standard deviation of one draw's estimate, for each score. */
export function deviations(of: Case, baseline: number): number[] {
  const weights = weightsOf(of);
  const exact = exactGradient(of);
  return weights.map((weight, score) => {
    const squares = weights.map((p, key) => p * ((of.losses[key]! - baseline) * (+(key === score) - weight)) ** 2);
    return Math.sqrt(Math.max(squares.reduce((sum, x) => sum + x, 0) - exact[score]! ** 2, 0));
  });
}

/** The root mean square error of one draw, as a share of the gradient's length. */
export const errorOfOne = (of: Case, baseline: number): number =>
  length(deviations(of, baseline)) / length(exactGradient(of));

/** The mean of the estimates of all draws. */
export function meanEstimate({ counts }: Drawn, of: Case, baseline: number): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const paid = counts.map((count, key) => (count * (of.losses[key]! - baseline)) / total);
  const sum = paid.reduce((all, x) => all + x, 0);
  return weightsOf(of).map((weight, key) => paid[key]! - weight * sum);
}

/** How far the mean of the draws is from the gradient, as a share of the gradient's length. */
export function errorOf(drawn: Drawn, of: Case, baseline: number): number {
  const exact = exactGradient(of);
  return length(meanEstimate(drawn, of, baseline).map((x, key) => x - exact[key]!)) / length(exact);
}

/** Draws keys with their weights; what was drawn after each of the numbers of draws in `stops`. */
export function drawKeys(of: Case, seed: number, stops: Vector): Drawn[] {
  const cumulative: number[] = [];
  for (const weight of weightsOf(of)) cumulative.push((cumulative.at(-1) ?? 0) + weight);
  const whole = cumulative.at(-1)!;
  const next = randomNumbers(seed);
  const counts = cumulative.map(() => 0);
  let [done, last] = [0, 0];
  return stops.map((stop) => {
    for (; done < stop; done++) {
      const at = next() * whole;
      last = 0;
      while (cumulative[last]! <= at) last++;
      counts[last]!++;
    }
    return { counts: [...counts], last };
  });
}

const PER_DECADE = 12;

/** Numbers of draws at about equal distances on a logarithmic axis, from 1 to `most`. */
export function stopsUpTo(most: number): number[] {
  const all = new Set<number>();
  for (let i = 0; 10 ** (i / PER_DECADE) < most; i++) all.add(Math.round(10 ** (i / PER_DECADE)));
  return [...all.add(most)];
}
