// One layer of the encoder: attention of several heads, then a feed-forward network.
import { linear } from "./kernel.ts";
import { type Linear, linearOf, rowsOf, type Tensors, tensorsOf, vector } from "./tensors.ts";

export interface Norm {
  readonly weight: Float32Array;
  readonly bias: Float32Array;
}

export interface Layer {
  readonly query: Linear;
  readonly key: Linear;
  readonly value: Linear;
  readonly output: Linear;
  readonly attentionNorm: Norm;
  readonly hidden: Linear;
  readonly back: Linear;
  readonly norm: Norm;
}

/** What a reader changes: heads of this layer that add nothing, and tokens that no query sees. */
export interface Change {
  readonly off: ReadonlySet<number>;
  readonly cut: ReadonlySet<number>;
}

const NOTHING: Change = { off: new Set(), cut: new Set() };

/** What one layer shows: arrays of (heads, tokens, tokens), and of (tokens, width). */
export interface Seen {
  readonly weights: Float32Array;
  readonly scores: Float32Array;
  readonly query: Float32Array;
  readonly key: Float32Array;
}

export const normOf = (tensors: Tensors, name: string): Norm => ({
  weight: vector(tensors, `${name}.weight`),
  bias: vector(tensors, `${name}.bias`),
});

/** A layer, from the file of its parameters. */
export function layerOf(file: ArrayBuffer): Layer {
  const tensors = tensorsOf(file);
  return {
    query: linearOf(tensors, "attention.self.query"),
    key: linearOf(tensors, "attention.self.key"),
    value: linearOf(tensors, "attention.self.value"),
    output: linearOf(tensors, "attention.output.dense"),
    attentionNorm: normOf(tensors, "attention.output.LayerNorm"),
    hidden: linearOf(tensors, "intermediate.dense"),
    back: linearOf(tensors, "output.dense"),
    norm: normOf(tensors, "output.LayerNorm"),
  };
}

/** The embeddings of a text: word and position, normalised. `row` gives the vector of a word. */
export function embedder(file: ArrayBuffer): (rows: readonly Float64Array[]) => Float64Array {
  const tensors = tensorsOf(file);
  const place = rowsOf(tensors, "positions");
  const final = normOf(tensors, "norm");
  return (rows) => {
    const width = rows[0]!.length;
    const x = new Float64Array(rows.length * width);
    rows.forEach((row, token) => {
      const position = place(token);
      for (let i = 0; i < width; i++) x[token * width + i] = row[i]! + position[i]!;
    });
    return normalise(x, final);
  };
}

/** One layer: the vectors after it, and what its heads did. */
export function apply(
  x: Float64Array,
  numTokens: number,
  layer: Layer,
  numHeads: number,
  change: Change = NOTHING,
): { x: Float64Array; seen: Seen } {
  const [query, key, value] = [layer.query, layer.key, layer.value].map((part) => linear(x, numTokens, part));
  const { scores, weights } = attend(query!, key!, numTokens, numHeads, (_, j) => change.cut.has(j));
  const contexts = mix(weights, value!, numTokens, numHeads, change);
  const attended = normalise(added(x, linear(contexts, numTokens, layer.output)), layer.attentionNorm);
  const hidden = linear(attended, numTokens, layer.hidden);
  for (let i = 0; i < hidden.length; i++) hidden[i] = gelu(hidden[i]!);
  const changed = normalise(added(attended, linear(hidden, numTokens, layer.back)), layer.norm);
  const small = (array: Float64Array): Float32Array => Float32Array.from(array);
  return { x: changed, seen: { weights: small(weights), scores: small(scores), query: small(query!), key: small(key!) } };
}

/** Scores and weights of all heads, (heads, tokens, tokens). What a query must not see gets no weight. */
export function attend(
  query: Float64Array,
  key: Float64Array,
  numTokens: number,
  numHeads: number,
  isHidden: (query: number, key: number) => boolean,
): { scores: Float64Array; weights: Float64Array } {
  const width = query.length / numTokens;
  const headDim = width / numHeads;
  const scores = new Float64Array(numHeads * numTokens * numTokens);
  const weights = new Float64Array(scores.length);
  for (let head = 0; head < numHeads; head++) {
    for (let i = 0; i < numTokens; i++) {
      const at = (head * numTokens + i) * numTokens;
      for (let j = 0; j < numTokens; j++) {
        let sum = 0;
        const [q, k] = [i * width + head * headDim, j * width + head * headDim];
        for (let d = 0; d < headDim; d++) sum += query[q + d]! * key[k + d]!;
        scores[at + j] = sum / Math.sqrt(headDim);
      }
      share(scores.subarray(at, at + numTokens), weights.subarray(at, at + numTokens), (j) => isHidden(i, j));
    }
  }
  return { scores, weights };
}

/** The softmax of one row, without the keys that are hidden; a row without any key is all 0. */
export function share(scores: Float64Array, weights: Float64Array, isHidden: (key: number) => boolean): void {
  let top = -Infinity;
  scores.forEach((score, j) => {
    if (!isHidden(j)) top = Math.max(top, score);
  });
  let total = 0;
  scores.forEach((score, j) => (total += weights[j] = isHidden(j) ? 0 : Math.exp(score - top)));
  if (total > 0) for (let j = 0; j < weights.length; j++) weights[j]! /= total;
}

/** The mixtures of values, heads side by side. A head that is off gives zeros. */
export function mix(
  weights: Float64Array,
  value: Float64Array,
  numTokens: number,
  numHeads: number,
  { off } = NOTHING,
): Float64Array {
  const width = value.length / numTokens;
  const headDim = width / numHeads;
  const out = new Float64Array(value.length);
  for (let head = 0; head < numHeads; head++) {
    if (off.has(head)) continue;
    for (let i = 0; i < numTokens; i++) {
      const at = i * width + head * headDim;
      for (let j = 0; j < numTokens; j++) {
        const weight = weights[(head * numTokens + i) * numTokens + j]!;
        const from = j * width + head * headDim;
        for (let d = 0; d < headDim; d++) out[at + d]! += weight * value[from + d]!;
      }
    }
  }
  return out;
}

/** The sum, which takes the place of `y`. */
export function added(x: Float64Array, y: Float64Array): Float64Array {
  for (let i = 0; i < y.length; i++) y[i]! += x[i]!;
  return y;
}

/** Layer normalisation of each token's vector, in place. */
export function normalise(x: Float64Array, { weight, bias }: Norm, epsilon = 1e-12): Float64Array {
  const width = weight.length;
  for (let at = 0; at < x.length; at += width) {
    let [mean, square] = [0, 0];
    for (let i = 0; i < width; i++) mean += x[at + i]! / width;
    for (let i = 0; i < width; i++) square += (x[at + i]! - mean) ** 2 / width;
    const divisor = Math.sqrt(square + epsilon);
    for (let i = 0; i < width; i++) x[at + i] = ((x[at + i]! - mean) / divisor) * weight[i]! + bias[i]!;
  }
  return x;
}

/** x times the distribution function of the standard normal. */
const gelu = (x: number): number => (x * (1 + erf(x / Math.SQRT2))) / 2;

/** The error function; Abramowitz and Stegun (1964), 7.1.26: wrong by 1.5e-7 at most. */
export function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const series =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(x) * (1 - series * Math.exp(-x * x));
}
