// The detector of glyphs: where a kind's query looks in a picture, and whether there is one.
import { dot, mixture, softmax, type Matrix, type Vector } from "../math.ts";

export type Detector = Readonly<Record<string, Matrix>>;

/** A linear layer; rows of its matrix are outputs. */
const linear = (matrix: Matrix, bias: Matrix, x: Vector): number[] =>
  matrix.map((row, i) => dot(row, x) + bias[0]![i]!);

const encoded = (model: Detector, cells: Matrix): number[][] =>
  cells.map((cell) => {
    const inner = linear(model["w_inner"]!, model["b_inner"]!, cell).map((x) => Math.max(x, 0));
    return linear(model["w_outer"]!, model["b_outer"]!, inner);
  });

/** What the model reads: the drawn pixels, and noise if there is any. */
export const pixels = (cells: Matrix, noise: Matrix, noisy: boolean): number[][] =>
  cells.map((cell, i) => cell.map((pixel, j) => pixel + (noisy ? noise[i]![j]! : 0)));

/** The weights of the cells for one kind, and the probability that it is in the picture. */
export function look(model: Detector, cells: Matrix, kind: number): { weights: number[]; share: number } {
  const vectors = encoded(model, cells);
  const weights = softmax(vectors.map((vector) => dot(model["queries"]![kind]!, vector)));
  const context = mixture(weights, vectors);
  const logit = dot(model["answers"]![kind]!, context) + model["bias"]![0]![kind]!;
  return { weights, share: 1 / (1 + Math.exp(-logit)) };
}
