// Steps of the model. A matrix is one array, row by row; rows are tokens.
import { HEAD_DIM } from "./weights.ts";

const EPSILON = 1e-5; // torch's, in layer normalisation
const BASE = 10000;

/** x Wᵀ: the weights have one row for each output. */
export function linear(x: Float64Array, weight: Float64Array, width: number): Float64Array {
  const [tokens, outputs] = [x.length / width, weight.length / width];
  const y = new Float64Array(tokens * outputs);
  for (let t = 0; t < tokens; t++) {
    for (let o = 0; o < outputs; o++) {
      let sum = 0;
      for (let i = 0; i < width; i++) sum += x[t * width + i]! * weight[o * width + i]!;
      y[t * outputs + o] = sum;
    }
  }
  return y;
}

export function layerNorm(x: Float64Array, gain: Float64Array, bias: Float64Array): Float64Array {
  const width = gain.length;
  const y = new Float64Array(x.length);
  for (let t = 0; t < x.length / width; t++) {
    const row = x.subarray(t * width, (t + 1) * width);
    const mean = row.reduce((sum, v) => sum + v, 0) / width;
    const variance = row.reduce((sum, v) => sum + (v - mean) ** 2, 0) / width;
    const spread = Math.sqrt(variance + EPSILON);
    for (let i = 0; i < width; i++) {
      y[t * width + i] = ((row[i]! - mean) / spread) * gain[i]! + bias[i]!;
    }
  }
  return y;
}

/** Turns each pair of features of each head by its position, in place. */
export function rotate(x: Float64Array, width: number): Float64Array {
  for (let at = 0; at < x.length; at += 2) {
    const feature = (at % width) % HEAD_DIM;
    const angle = Math.floor(at / width) * BASE ** (-feature / HEAD_DIM);
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const [first, second] = [x[at]!, x[at + 1]!];
    x[at] = first * cos - second * sin;
    x[at + 1] = first * sin + second * cos;
  }
  return x;
}

/** A softmax over `x[from … to - 1]`, in place. */
export function softmaxRow(x: Float64Array, from: number, to: number): void {
  let top = -Infinity;
  for (let i = from; i < to; i++) top = Math.max(top, x[i]!);
  let total = 0;
  for (let i = from; i < to; i++) total += x[i] = Math.exp(x[i]! - top);
  for (let i = from; i < to; i++) x[i]! /= total;
}

export function addTo(sum: Float64Array, other: Float64Array): void {
  for (let i = 0; i < sum.length; i++) sum[i]! += other[i]!;
}
