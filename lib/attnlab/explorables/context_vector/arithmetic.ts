// One query over a few keys: scores, weights, context vector.
import { mixture, scoresOf, softmax, type Matrix, type Vector } from "../math.ts";

export interface Attended {
  scores: number[];
  weights: number[];
  /** The values mixed with the weights. */
  context: number[];
}

/** Attention of one query; `scaled` divides the scores by the root of the query's width. */
export function attend(query: Vector, key: Matrix, value: Matrix, scaled: boolean): Attended {
  const scores = scoresOf(query, key, scaled ? Math.sqrt(query.length) : 1);
  const weights = softmax(scores);
  return { scores, weights, context: mixture(weights, value) };
}

/** What a task may ask for. */
export interface Goal {
  /** Weights; none where it asks for something else. */
  goal: Vector;
  /** Whether they count only with the scores divided. */
  goal_scaled: boolean;
  scaled: boolean;
}

const NEAR = 0.005; // as far as two decimals tell

/** Whether the weights are those that the task asks for; never where it asks for none. */
export const isReached = ({ goal, goal_scaled, scaled }: Goal, weights: Vector): boolean =>
  goal.length > 0 &&
  (scaled || !goal_scaled) &&
  weights.every((weight, i) => Math.abs(weight - goal[i]!) < NEAR);
