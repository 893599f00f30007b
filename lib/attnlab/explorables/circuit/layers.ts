// Steps of the model and their gradients. A matrix is one array, row by row; rows are tokens.
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

/** Adds the gradient of the weights to `dWeight` and that of x to `dx`. */
export function linearBack(
  dy: Float64Array,
  x: Float64Array,
  weight: Float64Array,
  dWeight: Float64Array,
  dx: Float64Array,
  width: number,
): void {
  const [tokens, outputs] = [x.length / width, weight.length / width];
  for (let t = 0; t < tokens; t++) {
    for (let o = 0; o < outputs; o++) {
      const d = dy[t * outputs + o]!;
      for (let i = 0; i < width; i++) {
        dWeight[o * width + i]! += d * x[t * width + i]!;
        dx[t * width + i]! += d * weight[o * width + i]!;
      }
    }
  }
}

export interface Normed {
  y: Float64Array;
  /** Mean 0 and variance 1, before gain and bias. */
  unit: Float64Array;
  /** The standard deviation of each token's vector. */
  spread: Float64Array;
}

export function layerNorm(x: Float64Array, gain: Float64Array, bias: Float64Array): Normed {
  const width = gain.length;
  const [y, unit] = [new Float64Array(x.length), new Float64Array(x.length)];
  const spread = new Float64Array(x.length / width);
  for (let t = 0; t < spread.length; t++) {
    const row = x.subarray(t * width, (t + 1) * width);
    const mean = row.reduce((sum, v) => sum + v, 0) / width;
    const variance = row.reduce((sum, v) => sum + (v - mean) ** 2, 0) / width;
    spread[t] = Math.sqrt(variance + EPSILON);
    for (let i = 0; i < width; i++) {
      const at = t * width + i;
      unit[at] = (row[i]! - mean) / spread[t]!;
      y[at] = unit[at]! * gain[i]! + bias[i]!;
    }
  }
  return { y, unit, spread };
}

/** Adds the gradients of gain and bias to theirs; returns that of x. */
export function layerNormBack(
  dy: Float64Array,
  { unit, spread }: Normed,
  gain: Float64Array,
  dGain: Float64Array,
  dBias: Float64Array,
): Float64Array {
  const width = gain.length;
  const dx = new Float64Array(dy.length);
  for (let t = 0; t < spread.length; t++) {
    let [mean, along] = [0, 0];
    for (let i = 0; i < width; i++) {
      const at = t * width + i;
      const d = dy[at]! * gain[i]!;
      mean += d / width;
      along += (d * unit[at]!) / width;
      dGain[i]! += dy[at]! * unit[at]!;
      dBias[i]! += dy[at]!;
    }
    for (let i = 0; i < width; i++) {
      const at = t * width + i;
      dx[at] = (dy[at]! * gain[i]! - mean - unit[at]! * along) / spread[t]!;
    }
  }
  return dx;
}

/** Turns each pair of features of each head by its position, in place; `way` −1 turns back. */
export function rotate(x: Float64Array, width: number, way: 1 | -1 = 1): Float64Array {
  for (let at = 0; at < x.length; at += 2) {
    const feature = (at % width) % HEAD_DIM;
    const angle = Math.floor(at / width) * BASE ** (-feature / HEAD_DIM);
    const [cos, sin] = [Math.cos(angle), way * Math.sin(angle)];
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
