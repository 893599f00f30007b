// The weights that a mask leaves of a grid of scores.
import { softmax, type Mask, type Matrix } from "../math.ts";

/** Weights row by row; a fully masked row is all 0. */
export const maskedWeights = (score: Matrix, mask: Mask): number[][] =>
  score.map((row, i) => softmax(row, mask[i]));
