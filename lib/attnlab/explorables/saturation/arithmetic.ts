// Weights at a width, and how large the softmax's gradient is.
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
