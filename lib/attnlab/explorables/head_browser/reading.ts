// What the model did with one sentence: scores and weights of all heads, stored or live; and what a change does.
import { softmax } from "../math.ts";
import { fromBase64 } from "../text.ts";

export type Head = readonly [layer: number, head: number];

export interface LayerReading {
  /** (heads, tokens, tokens), row by row. */
  readonly weights: Float32Array;
  readonly scores: Float32Array;
  /** (tokens, width); only of a live model. */
  readonly query?: Float32Array;
  readonly key?: Float32Array;
}

export interface Reading {
  readonly text: string;
  readonly tokens: readonly string[];
  readonly numHeads: number;
  /** From the first layer on; those still to come are missing. */
  readonly layers: (LayerReading | undefined)[];
  /** The last vectors, (tokens, width); only of a live model, once it is done. */
  x?: Float32Array;
  /** 1 - cosine of the sentence's vector, by layer and head that is off; only of a stored one. */
  readonly effects?: readonly (readonly number[])[];
  readonly tokenEffects?: readonly (readonly (readonly number[])[])[];
}

/** A stored sentence, as `attnlab.minilm.page_files.as_data` writes it. */
export interface StoredData {
  tokens: string[];
  scores: string;
  unit: number;
  effects: number[][];
  token_effects: number[][][];
}

/** A stored sentence with its weights, which are made of the scores. */
export function readingOf(text: string, data: StoredData): Reading {
  const scores = Float32Array.from(new Int16Array(fromBase64(data.scores)), (score) => score / data.unit);
  const [numLayers, numHeads, count] = [data.effects.length, data.effects[0]!.length, data.tokens.length];
  const size = numHeads * count * count;
  const layers = Array.from({ length: numLayers }, (_, layer) => {
    const own = scores.subarray(layer * size, (layer + 1) * size);
    const weights = new Float32Array(size);
    for (let at = 0; at < size; at += count) weights.set(softmax([...own.subarray(at, at + count)]), at);
    return { weights, scores: own };
  });
  const { tokens, effects, token_effects: tokenEffects } = data;
  return { text, tokens, numHeads, layers, effects, tokenEffects };
}

/** One head's row: the weights, or the scores, of the query at `token`. */
export function rowOf(array: Float32Array, head: number, count: number, token: number): Float32Array {
  const at = (head * count + token) * count;
  return array.subarray(at, at + count);
}

/** One head's map, (tokens, tokens). */
export function mapOf(weights: Float32Array, head: number, count: number): Float32Array {
  return weights.subarray(head * count * count, (head + 1) * count * count);
}

/** Where a head's weight goes, as means over the queries; what is left is on other tokens. */
export interface Shares {
  before: number;
  itself: number;
  after: number;
  first: number;
  last: number;
}

/** The mean weight on the token before, itself, the next one, and on the marks at both ends. */
export function sharesOf(map: Float32Array, count: number): Shares {
  const at = (i: number, j: number): number => map[i * count + j]!;
  const mean = (key: (i: number) => number): number => {
    const rows = Array.from({ length: count }, (_, i) => i).filter((i) => key(i) >= 0 && key(i) < count);
    return rows.reduce((sum, i) => sum + at(i, key(i)), 0) / Math.max(rows.length, 1);
  };
  return {
    before: mean((i) => i - 1),
    itself: mean((i) => i),
    after: mean((i) => i + 1),
    first: mean(() => 0),
    last: mean(() => count - 1),
  };
}

/** 1 - the cosine between two vectors: 0 where they point the same way. */
function apart(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let [product, a, b] = [0, 0, 0];
  for (let i = 0; i < one.length; i++) {
    product += one[i]! * other[i]!;
    a += one[i]! ** 2;
    b += other[i]! ** 2;
  }
  return 1 - product / Math.sqrt(a * b);
}

/** The mean of all tokens' vectors: the sentence's vector. */
function sentenceVector(x: Float32Array, count: number): Float64Array {
  const width = x.length / count;
  const mean = new Float64Array(width);
  for (let i = 0; i < x.length; i++) mean[i % width]! += x[i]! / count;
  return mean;
}

/** What a change did: to the sentence's vector, and to each token's last one. */
export interface Effect {
  whole: number;
  tokens: readonly number[];
}

/** What is off, and what is cut. */
export interface Cut {
  readonly off: readonly Head[];
  readonly cut: readonly number[];
}

/** What a change did, live or stored; undefined where neither knows. */
export function effect(before: Reading | undefined, after: Reading | undefined, { off, cut }: Cut): Effect | undefined {
  if (before?.x && after?.x) return effectOf(before.x, after.x, before.tokens.length);
  const [layer, head] = off[0] ?? [0, 0];
  if (off.length !== 1 || cut.length > 0 || !before?.effects) return undefined;
  return { whole: before.effects[layer]![head]!, tokens: before.tokenEffects![layer]![head]! };
}

/** The effect of a change, from the vectors before and after it. */
function effectOf(before: Float32Array, after: Float32Array, count: number): Effect {
  const width = before.length / count;
  const token = (x: Float32Array, i: number): Float32Array => x.subarray(i * width, (i + 1) * width);
  return {
    whole: apart(sentenceVector(before, count), sentenceVector(after, count)),
    tokens: Array.from({ length: count }, (_, i) => apart(token(before, i), token(after, i))),
  };
}

/**
 * For each token, how much weight what was taken away had in its rows: the mean weight, over all
 * heads, on the tokens that are cut, or the largest weight in the heads that are off.
 */
export function weightsLost(reading: Reading, { off, cut }: Cut): number[] {
  const count = reading.tokens.length;
  const layers = reading.layers.filter((layer) => layer !== undefined);
  return reading.tokens.map((_, token) => {
    if (cut.length > 0) {
      const all = layers.flatMap(({ weights }) =>
        Array.from({ length: reading.numHeads }, (_, head) => {
          const row = rowOf(weights, head, count, token);
          return cut.reduce((sum, key) => sum + row[key]!, 0);
        }),
      );
      return all.reduce((sum, weight) => sum + weight, 0) / all.length;
    }
    const rows = off.map(([layer, head]) => {
      const weights = reading.layers[layer]?.weights;
      return weights ? Math.max(...mapOf(weights, head, count).subarray(token * count, (token + 1) * count)) : 0;
    });
    return Math.max(0, ...rows);
  });
}
