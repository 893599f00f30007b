// Causal attention of one head, whose features stand at `first` in rows of WIDTH.
import { softmaxRow } from "./layers.ts";
import { HEAD_DIM, WIDTH } from "./weights.ts";

export interface Projected {
  query: Float64Array;
  key: Float64Array;
  value: Float64Array;
}

const SCALE = 1 / Math.sqrt(HEAD_DIM);

function dotAt(a: Float64Array, i: number, b: Float64Array, j: number): number {
  let sum = 0;
  for (let f = 0; f < HEAD_DIM; f++) sum += a[i + f]! * b[j + f]!;
  return sum;
}

function addAt(sum: Float64Array, i: number, factor: number, b: Float64Array, j: number): void {
  for (let f = 0; f < HEAD_DIM; f++) sum[i + f]! += factor * b[j + f]!;
}

/** The weights, (tokens, tokens) row by row; the contexts go to `contexts`. */
export function attend(
  { query, key, value }: Projected,
  first: number,
  contexts: Float64Array,
): Float64Array {
  const tokens = query.length / WIDTH;
  const weights = new Float64Array(tokens * tokens);
  for (let i = 0; i < tokens; i++) {
    const own = i * WIDTH + first;
    for (let j = 0; j <= i; j++) {
      weights[i * tokens + j] = SCALE * dotAt(query, own, key, j * WIDTH + first);
    }
    softmaxRow(weights, i * tokens, i * tokens + i + 1);
    for (let j = 0; j <= i; j++) {
      addAt(contexts, own, weights[i * tokens + j]!, value, j * WIDTH + first);
    }
  }
  return weights;
}
