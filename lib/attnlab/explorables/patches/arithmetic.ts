// A detector: each patch becomes a vector, and one query for each kind of shape attends to them.
import { dot, scoresOf, softmax, type Matrix, type Vector } from "../math.ts";

/** What `folded` of the Python module returns. */
export interface Model {
  w_hidden: Matrix;
  b_hidden: Vector;
  w_features: Matrix;
  b_features: Vector;
  look: Matrix;
  say: Matrix;
  bias: Vector;
}

export interface Answer {
  /** The weights of the query, one for each patch. */
  weights: Vector;
  /** What the value of each patch says: above 0, that the shape is there. */
  says: Vector;
  /** The sum of what they say, each times its weight, and of the bias. */
  output: number;
  /** The probability that the shape is in the picture. */
  share: number;
}

export const [GRID, PIXELS] = [4, 5];
export const SIDE = GRID * PIXELS;

/** The pixels of each patch, row by row: ink is 1 and paper 0, and noise is added. */
export function cut(ink: readonly string[], noise: Matrix): Matrix {
  return Array.from({ length: GRID * GRID }, (_, patch) =>
    Array.from({ length: PIXELS * PIXELS }, (_, pixel) => {
      const y = PIXELS * Math.floor(patch / GRID) + Math.floor(pixel / PIXELS);
      const x = PIXELS * (patch % GRID) + (pixel % PIXELS);
      return Number(ink[y]?.[x] === "#") + noise[y]![x]!;
    }),
  );
}

/** What the query of each kind finds in the patches. */
export function answersOf(model: Model, patches: Matrix): Answer[] {
  const through = (weights: Matrix, bias: Vector, x: Vector): number[] =>
    weights.map((row, i) => dot(row, x) + bias[i]!);
  const features = patches.map((patch) => {
    const hidden = through(model.w_hidden, model.b_hidden, patch).map((x) => Math.max(0, x));
    return through(model.w_features, model.b_features, hidden);
  });
  return model.look.map((look, kind) => {
    const weights = softmax(scoresOf(look, features));
    const says = scoresOf(model.say[kind]!, features);
    const output = dot(weights, says) + model.bias[kind]!;
    return { weights, says, output, share: 1 / (1 + Math.exp(-output)) };
  });
}
