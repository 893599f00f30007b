// Weights beside a sink, of scores under a soft cap.
import { softmax, type Vector } from "../math.ts";

/** A score under a soft cap: it keeps its sign, and its size stays below the cap. */
export const capped = (score: number, cap: number): number => cap * Math.tanh(score / cap);

/** The weights of the words, and as the last number what the sink takes; together they are 1. */
export const shares = (scores: Vector, sink: number, cap: number): number[] =>
  softmax([...scores.map((score) => capped(score, cap)), sink]);
