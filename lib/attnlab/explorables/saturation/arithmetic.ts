// Weights at a width, and how large their derivatives are.
import { softmax, type Vector } from "../math.ts";

/** The weights without the scale and with it. */
export function weightsAt(draws: Vector, exponent: number): [number[], number[]] {
  const root = Math.sqrt(2 ** exponent);
  return [softmax(draws.map((draw) => draw * root)), softmax(draws)];
}

/** The Frobenius norm of the softmax's Jacobian, w_i (δ_ij − w_j). */
export function jacobianNorm(weights: Vector): number {
  const power = (n: number): number => weights.reduce((sum, w) => sum + w ** n, 0);
  const squares = power(2);
  return Math.sqrt(Math.max(squares - 2 * power(3) + squares ** 2, 0));
}

export interface Gradients {
  scores: number;
  query: number;
}

/**
 * Both rows' derivatives, by the scores and by the query. A score's derivative by the query is the
 * key, which is √d_k long, times the scale.
 */
export function gradients(draws: Vector, exponent: number): [Gradients, Gradients] {
  const [plain, scaled] = weightsAt(draws, exponent).map(jacobianNorm) as [number, number];
  return [
    { scores: plain, query: plain * Math.sqrt(2 ** exponent) },
    { scores: scaled, query: scaled },
  ];
}
