// What a Transformer has inside while it has read so many target tokens.
import { causal, everything } from "../masks.ts";
import { softmax, type Mask, type Matrix } from "../math.ts";

/** By name: weights by layer and head, streams by place from the embedding up, one row a token. */
export interface Tensors {
  readonly "encoder.self": readonly (readonly Matrix[])[];
  readonly "decoder.self": readonly (readonly Matrix[])[];
  readonly "decoder.cross": readonly (readonly Matrix[])[];
  readonly "encoder.streams": readonly Matrix[];
  readonly "decoder.streams": readonly Matrix[];
  readonly "encoder.output": Matrix;
  readonly "decoder.scores": Matrix;
}

export interface Inside {
  source_tokens: readonly string[];
  target_tokens: readonly string[];
  tensors: Tensors;
  /** A block, `decoder.cross`, or a part of a stream, `decoder.stream.1`. */
  selected: string;
  layer: number;
  /** How many target tokens have been read. */
  step: number;
}

export type Stack = "encoder" | "decoder";
export type Attention = "encoder.self" | "decoder.self" | "decoder.cross";

/** The sublayers of a layer, in order. */
export const SUBLAYERS: Readonly<Record<Stack, readonly string[]>> = {
  encoder: ["self", "network"],
  decoder: ["self", "cross", "network"],
};

export const isAttention = (id: string): id is Attention => /\.(self|cross)$/.test(id);
export const stackOf = (id: string): Stack => (id.startsWith("encoder") ? "encoder" : "decoder");

/** The tokens that a stack has read. */
export const tokensOf = (inside: Inside, stack: Stack): readonly string[] =>
  stack === "encoder" ? inside.source_tokens : inside.target_tokens.slice(0, inside.step);

/** The tokens on both sides of an attention. */
export const axesOf = (inside: Inside, id: Attention): [readonly string[], readonly string[]] => [
  tokensOf(inside, stackOf(id)),
  tokensOf(inside, id === "decoder.self" ? "decoder" : "encoder"),
];

export function maskOf(inside: Inside, id: Attention): Mask {
  const [queries, keys] = axesOf(inside, id);
  return (id === "decoder.self" ? causal : everything)(queries.length, keys.length);
}

/** The weights of all heads of an attention: rows are queries, columns keys. */
export function weightsOf(inside: Inside, id: Attention): Matrix[] {
  const [queries, keys] = axesOf(inside, id);
  return inside.tensors[id][inside.layer - 1]!.map((head) =>
    head.slice(0, queries.length).map((row) => row.slice(0, keys.length)),
  );
}

/** How many sublayers have added to a part of a stream. */
export const added = ({ selected, layer }: Inside): number =>
  SUBLAYERS[stackOf(selected)].length * (layer - 1) + Number(selected.split(".")[2]);

/** What is selected unless it is an attention: one row for each token. */
export function vectorsOf(inside: Inside): Matrix {
  const { tensors, selected, layer } = inside;
  const stack = stackOf(selected);
  const streams = tensors[`${stack}.streams`];
  const all = (): Matrix => {
    if (selected === "encoder.output" || selected === "decoder.scores") return tensors[selected];
    if (selected.endsWith("embedding")) return streams[0]!;
    if (selected.includes("stream")) return streams[added(inside)]!;
    const end = SUBLAYERS[stack].length * layer;
    return streams[end]!.map((row, i) => row.map((x, j) => x - streams[end - 1]![i]![j]!));
  };
  return all().slice(0, tokensOf(inside, stack).length);
}

/** The shape of what is selected. */
export function shapeOf(inside: Inside): number[] {
  const { selected } = inside;
  const heads = isAttention(selected) ? weightsOf(inside, selected) : [];
  const rows = heads[0] ?? vectorsOf(inside);
  return [...(heads.length ? [heads.length] : []), rows.length, rows[0]!.length];
}

/** The probabilities of the token that comes next, over the vocabulary. */
export const shares = ({ tensors, step }: Inside): number[] => softmax(tensors["decoder.scores"][step - 1]!);
