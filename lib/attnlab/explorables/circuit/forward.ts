// The model of two attention layers, as attnlab.models.numpy_continuer has it.
import { linear } from "../encoder/kernel.ts";
import { added, attend, mix, normalise, share } from "../encoder/layer.ts";
import { HEAD_DIM, NUM_HEADS, NUM_LAYERS, NUM_WORDS, WIDTH, type Weights } from "./weights.ts";

const EPSILON = 1e-5; // torch's, in layer normalisation
const BASE = 10000;

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
  text.forEach((word, t) => x.set(weights.embedding(word), t * WIDTH));
  return { text, x, layers: [], shares: new Float64Array() };
}

/** Turns each pair of features of each head by its position, in place. */
function rotate(x: Float64Array): Float64Array {
  for (let at = 0; at < x.length; at += 2) {
    const feature = (at % WIDTH) % HEAD_DIM;
    const angle = Math.floor(at / WIDTH) * BASE ** (-feature / HEAD_DIM);
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const [first, second] = [x[at]!, x[at + 1]!];
    x[at] = first * cos - second * sin;
    x[at + 1] = first * sin + second * cos;
  }
  return x;
}

function look(weights: Weights, pass: Pass, number: number): void {
  const [layer, tokens] = [weights.layers[number]!, pass.text.length];
  const normed = normalise(pass.x.slice(), layer.norm, EPSILON);
  const [query, key, value] = [layer.query, layer.key, layer.value].map((part) => linear(normed, tokens, part));
  const all = attend(rotate(query!), rotate(key!), tokens, NUM_HEADS, (i, j) => j > i).weights;
  const size = tokens ** 2;
  const ofHeads = Array.from({ length: NUM_HEADS }, (_, head) => all.subarray(head * size, (head + 1) * size));
  pass.layers.push({ contexts: mix(all, value!, tokens, NUM_HEADS), weights: ofHeads });
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
  pass.x = added(pass.x, linear(contexts, pass.text.length, weights.layers[layer]!.output));
}

function finish(weights: Weights, pass: Pass): void {
  const last = normalise(pass.x.slice(), weights.norm, EPSILON);
  pass.shares = linear(last, pass.text.length, weights.logits);
  for (let t = 0; t < pass.text.length; t++) {
    const row = pass.shares.subarray(t * NUM_WORDS, (t + 1) * NUM_WORDS);
    share(row, row, () => false);
  }
}
