// The forward pass of the GPT, a token at a time: attnlab.gpt with a cache of keys and values.
import { softmax } from "../math.ts";
import type { Tensors } from "../encoder/tensors.ts";
import type { Reading } from "./source.ts";

type Numbers = Float32Array | Float64Array;

/** Parameters of the model: vectors, and matrices with a row for each output. */
export type Weights = ReadonlyMap<string, Float32Array>;

const EPS = 1e-5;

/** The parameters in a file: as they are, or in 12 bits as `attnlab.gpt.page_file` writes them. */
export function weightsOf(tensors: Tensors): Weights {
  const made = new Map<string, Float32Array>();
  for (const [name, { data, shape }] of tensors) {
    if (/\.(low|scale)$/.test(name)) continue;
    const [low, scale] = [tensors.get(`${name}.low`)?.data, tensors.get(`${name}.scale`)?.data];
    const lowOf = (i: number): number => (i % 2 ? low![i >> 1]! >> 4 : (low![i >> 1]! << 28) >> 28);
    const values = new Float32Array(data);
    if (low && scale) values.forEach((x, i) => (values[i] = (16 * x + lowOf(i)) * scale[Math.floor(i / shape[1]!)]!));
    made.set(name, values);
  }
  return made;
}

function dotAt(x: Numbers, matrix: Numbers, at: number): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i]! * matrix[at + i]!;
  return sum;
}

const linear = (x: Numbers, weight: Numbers, bias: Numbers): Float64Array =>
  Float64Array.from(bias, (b, row) => b + dotAt(x, weight, row * x.length));

const plus = (x: Numbers, y: Numbers): Float64Array => Float64Array.from(x, (a, i) => a + y[i]!);

/** `layer_norm` of one token. */
function norm(x: Float64Array, gain: Numbers, bias: Numbers): Float64Array {
  const mean = x.reduce((sum, a) => sum + a, 0) / x.length;
  const centred = Float64Array.from(x, (a) => a - mean);
  const deviation = Math.sqrt(centred.reduce((sum, a) => sum + a * a, 0) / x.length + EPS);
  return centred.map((a, i) => (a / deviation) * gain[i]! + bias[i]!);
}

export class Gpt {
  readonly numLayers: number;
  readonly numHeads: number;
  private readonly weights: Weights;
  /** Keys and values of the tokens so far, by layer. */
  private cache: { key: Float64Array; value: Float64Array }[][];
  private tokens: number[] = [];

  constructor(weights: Weights, numHeads: number) {
    [this.weights, this.numHeads] = [weights, numHeads];
    this.numLayers = [...weights.keys()].filter((name) => name.endsWith(".w_query")).length;
    this.cache = Array.from({ length: this.numLayers }, () => []);
  }

  /** How many tokens a text may have. */
  get context(): number {
    return this.named("positions").length / this.named("norm_gain").length;
  }

  /** The readings from a place on; what the text shares with the one before is not computed again. */
  read(tokens: readonly number[], from: number): Reading[] {
    const same = tokens.findIndex((token, i) => token !== this.tokens[i]);
    const kept = Math.min(from, same < 0 ? tokens.length : same);
    this.tokens.length = Math.min(this.tokens.length, kept);
    for (const layer of this.cache) layer.length = this.tokens.length;
    const readings = tokens.slice(this.tokens.length).map((token) => this.next(token));
    return readings.slice(from - tokens.length);
  }

  private next(token: number): Reading {
    const [embeddings, positions] = [this.named("tokens"), this.named("positions")];
    const width = this.named("norm_gain").length;
    const at = this.tokens.push(token) - 1;
    const row = (matrix: Float32Array, i: number) => matrix.subarray(i * width, (i + 1) * width);
    let x = plus(row(embeddings, token), row(positions, at));
    const weights: Float64Array[][] = [];
    for (let layer = 0; layer < this.numLayers; layer++) {
      const of = (name: string) => this.named(`${layer}.${name}`);
      const { mixed, shares } = this.attend(norm(x, of("norm1_gain"), of("norm1_bias")), layer);
      weights.push(shares);
      x = plus(x, linear(mixed, of("w_output"), of("b_output")));
      const read = norm(x, of("norm2_gain"), of("norm2_bias"));
      const hidden = linear(read, of("w_in"), of("b_in")).map((a) => Math.max(a, 0));
      x = plus(x, linear(hidden, of("w_out"), of("b_out")));
    }
    x = norm(x, this.named("norm_gain"), this.named("norm_bias"));
    const logits = Float64Array.from({ length: embeddings.length / width }, (_, i) => dotAt(x, embeddings, i * width));
    return { logits, weights };
  }

  /** What the heads of a layer mix for the newest token, and with which weights. */
  private attend(read: Float64Array, layer: number): { mixed: Float64Array; shares: Float64Array[] } {
    const [query, key, value] = ["query", "key", "value"].map((name) =>
      linear(read, this.named(`${layer}.w_${name}`), this.named(`${layer}.b_${name}`)),
    ) as [Float64Array, Float64Array, Float64Array];
    const past = this.cache[layer]!;
    past.push({ key, value });
    const mixed = new Float64Array(query.length);
    const width = query.length / this.numHeads;
    const shares = Array.from({ length: this.numHeads }, (_, head) => {
      const at = head * width;
      const asked = query.subarray(at, at + width);
      const row = softmax(past.map(({ key }) => dotAt(asked, key, at) / Math.sqrt(width)));
      past.forEach(({ value }, j) => {
        for (let i = at; i < at + width; i++) mixed[i]! += row[j]! * value[i]!;
      });
      return Float64Array.from(row);
    });
    return { mixed, shares };
  }

  private named(name: string): Float32Array {
    const found = this.weights.get(name);
    if (!found) throw new Error(`the model's file has no ${name}`);
    return found;
  }
}
