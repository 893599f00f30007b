// The model of two attention layers, as attnlab.models.numpy_continuer has it.
import { attend } from "./attention.ts";
import { addTo, layerNorm, linear, rotate, softmaxRow } from "./layers.ts";
import { HEAD_DIM, NUM_HEADS, NUM_LAYERS, NUM_WORDS, projection, WIDTH, type Weights } from "./weights.ts";

/** A layer and a head, both counted from 1, as in the book. */
export type Head = readonly [layer: number, head: number];

/** What one layer has computed for one text. */
export interface LayerPass {
  contexts: Float64Array;
  /** The weights of each head, (tokens, tokens) row by row. */
  weights: Float64Array[];
}

/** What the model has computed for one text. */
export interface Pass {
  text: readonly number[];
  /** The sum of embedding and layers, (tokens, WIDTH). */
  x: Float64Array;
  layers: LayerPass[];
  /** The share of each next word, (tokens, NUM_WORDS). */
  shares: Float64Array;
}

/** The mean output of a head at each position, (tokens, HEAD_DIM), for the heads that are off. */
export type Means = ReadonlyMap<string, Float64Array>;

const nameOf = (layer: number, head: number): string => `${layer} ${head}`;

/** Reads texts of one length; each head in `off` gives the mean of its outputs over the texts. */
export function readAll(
  weights: Weights,
  texts: readonly (readonly number[])[],
  off: readonly Head[] = [],
): { passes: Pass[]; means: Means } {
  const passes = texts.map((text) => begin(weights, text));
  const means = new Map<string, Float64Array>();
  for (let layer = 0; layer < NUM_LAYERS; layer++) {
    for (const pass of passes) look(weights, pass, layer);
    for (const [of, head] of off) {
      if (of === layer + 1) means.set(nameOf(of, head), meanOf(passes, layer, head - 1));
    }
    for (const pass of passes) take(weights, pass, layer, means);
  }
  for (const pass of passes) finish(weights, pass);
  return { passes, means };
}

/** Reads one text; heads that are off give their means over other texts. */
export function read(weights: Weights, text: readonly number[], means: Means = new Map()): Pass {
  const pass = begin(weights, text);
  for (let layer = 0; layer < NUM_LAYERS; layer++) {
    look(weights, pass, layer);
    take(weights, pass, layer, means);
  }
  finish(weights, pass);
  return pass;
}

function begin(weights: Weights, text: readonly number[]): Pass {
  const x = new Float64Array(text.length * WIDTH);
  const embedding = weights["embedding.weight"]!;
  text.forEach((word, t) => x.set(embedding.subarray(word * WIDTH, (word + 1) * WIDTH), t * WIDTH));
  return { text, x, layers: [], shares: new Float64Array() };
}

function look(weights: Weights, pass: Pass, layer: number): void {
  const normed = layerNorm(pass.x, weights[`norms.${layer}.weight`]!, weights[`norms.${layer}.bias`]!);
  const [query, key, value] = (["query", "key", "value"] as const).map((part) =>
    linear(normed, weights[projection(layer, part)]!, WIDTH),
  ) as [Float64Array, Float64Array, Float64Array];
  const projected = { query: rotate(query, WIDTH), key: rotate(key, WIDTH), value };
  const contexts = new Float64Array(pass.x.length);
  const ofHeads = Array.from({ length: NUM_HEADS }, (_, head) =>
    attend(projected, head * HEAD_DIM, contexts),
  );
  pass.layers.push({ contexts, weights: ofHeads });
}

function meanOf(passes: readonly Pass[], layer: number, head: number): Float64Array {
  const tokens = passes[0]!.text.length;
  return Float64Array.from({ length: tokens * HEAD_DIM }, (_, i) => {
    const at = Math.floor(i / HEAD_DIM) * WIDTH + head * HEAD_DIM + (i % HEAD_DIM);
    return passes.reduce((sum, pass) => sum + pass.layers[layer]!.contexts[at]!, 0) / passes.length;
  });
}

function take(weights: Weights, pass: Pass, layer: number, means: Means): void {
  const { contexts } = pass.layers[layer]!;
  for (let head = 0; head < NUM_HEADS; head++) {
    const mean = means.get(nameOf(layer + 1, head + 1));
    if (!mean) continue;
    for (let t = 0; t < pass.text.length; t++) {
      contexts.set(mean.subarray(t * HEAD_DIM, (t + 1) * HEAD_DIM), t * WIDTH + head * HEAD_DIM);
    }
  }
  addTo(pass.x, linear(contexts, weights[projection(layer, "output")]!, WIDTH));
}

function finish(weights: Weights, pass: Pass): void {
  const number = `norms.${NUM_LAYERS}`;
  const last = layerNorm(pass.x, weights[`${number}.weight`]!, weights[`${number}.bias`]!);
  pass.shares = linear(last, weights["to_logits.weight"]!, WIDTH);
  const bias = weights["to_logits.bias"]!;
  for (let t = 0; t < pass.text.length; t++) {
    for (let word = 0; word < NUM_WORDS; word++) pass.shares[t * NUM_WORDS + word]! += bias[word]!;
    softmaxRow(pass.shares, t * NUM_WORDS, (t + 1) * NUM_WORDS);
  }
}
