// The product that takes nearly all the time: vectors of tokens times a matrix of int8 rows.
//
// Plain numbers of 64 bits throughout: JavaScript computes with nothing else, and arrays of 32 bits
// cost a conversion at every use. Four rows of the matrix are widened at a time and serve all
// tokens, two tokens at once: eight sums, for which six numbers are read.
import type { Linear } from "./tensors.ts";

const ROWS = 4;
let widened = new Float64Array(0);

/** `x @ weight.T + bias`: from (numTokens, numIn) to (numTokens, numOut), row by row. */
export function linear(x: Float64Array, numTokens: number, layer: Linear): Float64Array {
  const { weight, bias } = layer;
  const numOut = bias.length;
  const numIn = weight.length / numOut;
  const out = new Float64Array(numTokens * numOut);
  if (widened.length < ROWS * numIn) widened = new Float64Array(ROWS * numIn);
  for (let row = 0; row < numOut; row += ROWS) {
    const count = Math.min(ROWS, numOut - row);
    widen(layer, row, count, numIn);
    for (let token = 0; token < numTokens; token += 2) {
      pair(x, token, Math.min(token + 1, numTokens - 1), numIn);
      const at = token * numOut + row;
      for (let i = 0; i < count; i++) out[at + i] = sums[i]! + bias[row + i]!;
      if (token + 1 === numTokens) continue;
      for (let i = 0; i < count; i++) out[at + numOut + i] = sums[ROWS + i]! + bias[row + i]!;
    }
  }
  return out;
}

/** The rows from `row` on as plain numbers, into `widened`; what is missing of four stays as it was. */
function widen({ weight, scale, bias }: Linear, row: number, count: number, numIn: number): void {
  const runs = scale.length / bias.length;
  const size = numIn / runs;
  for (let run = 0; run < count * runs; run++) {
    const by = scale[row * runs + run]!;
    for (let i = run * size; i < (run + 1) * size; i++) widened[i] = weight[row * numIn + i]! * by;
  }
}

const sums = new Float64Array(2 * ROWS);

/** The products of two tokens with the four widened rows, into `sums`. */
function pair(x: Float64Array, first: number, second: number, size: number): void {
  const w = widened;
  const [atP, atQ] = [first * size, second * size];
  const [at1, at2, at3] = [size, 2 * size, 3 * size];
  let [p0, p1, p2, p3, q0, q1, q2, q3] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < size; i++) {
    const p = x[atP + i]!;
    const q = x[atQ + i]!;
    const w0 = w[i]!;
    const w1 = w[at1 + i]!;
    const w2 = w[at2 + i]!;
    const w3 = w[at3 + i]!;
    p0 += p * w0;
    p1 += p * w1;
    p2 += p * w2;
    p3 += p * w3;
    q0 += q * w0;
    q1 += q * w1;
    q2 += q * w2;
    q3 += q * w3;
  }
  sums[0] = p0;
  sums[1] = p1;
  sums[2] = p2;
  sums[3] = p3;
  sums[4] = q0;
  sums[5] = q1;
  sums[6] = q2;
  sums[7] = q3;
}
