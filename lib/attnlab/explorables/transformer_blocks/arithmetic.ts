// What is inside a block, as attnlab.explorables.transformer_blocks computes it.
import { causal, padding } from "../masks.ts";
import { softmax, type Mask, type Matrix } from "../math.ts";

export interface Inside {
  length: number;
  /** What each part computes; attentions have a matrix for each head. */
  tensors: Readonly<Record<string, Matrix | readonly Matrix[]>>;
  source_tokens: readonly string[];
  target_tokens: readonly string[];
  selected: string;
  layer: number;
  step: number;
  padded: boolean;
}

const SUBLAYERS: Readonly<Record<string, readonly string[]>> = {
  encoder: ["self", "network"],
  decoder: ["self", "cross", "network"],
};
const ATTENTIONS: readonly string[] = ["encoder.self", "decoder.self", "decoder.cross"];

export const isAttention = (id: string): boolean => ATTENTIONS.includes(id);

/** The tokens that each stack has read so far. */
export const tokensOf = (inside: Inside): Record<string, readonly string[]> => ({
  encoder: inside.source_tokens.slice(0, inside.padded ? undefined : inside.length),
  decoder: inside.target_tokens.slice(0, inside.step),
});

/** What an attention may attend to now. */
export function maskOf(inside: Inside, id: string): boolean[][] {
  const { encoder, decoder } = tokensOf(inside);
  if (id === "decoder.self") return causal(inside.step, inside.step);
  const queries = id === "encoder.self" ? encoder! : decoder!;
  return padding(queries.length, encoder!.length, inside.length);
}

/** Weights of all heads of the selected attention: rows are queries, columns keys. */
export function weightsOf(inside: Inside): Matrix[] {
  const mask: Mask = maskOf(inside, inside.selected);
  const [stack, part] = inside.selected.split(".");
  const heads = inside.tensors[`${stack}.${inside.layer}.${part}.weights`] as readonly Matrix[];
  return heads.map((head) => mask.map((row, i) => row.map((_, j) => head[i]![j]!)));
}

/** The vectors of any other block or of a part of a stream, one row for each token. */
export function vectorsOf(inside: Inside): Matrix {
  const [stack, part, number] = inside.selected.split(".") as [string, string, string?];
  const count = tokensOf(inside)[stack]!.length;
  const name = part === "network" ? `${stack}.${inside.layer}.network` : inside.selected;
  const rows = part === "stream" ? streamOf(inside, stack, Number(number)) : inside.tensors[name];
  return (rows as Matrix).slice(0, count);
}

/** The embedding, and all that the sublayers below have added to it. */
function streamOf({ tensors, layer }: Inside, stack: string, number: number): Matrix {
  return added(stack, layer, number)
    .map((name) => tensors[name] as Matrix)
    .reduce(
      (sum, rows) => sum.map((row, i) => row.map((x, j) => x + rows[i]![j]!)),
      tensors[`${stack}.embedding`] as Matrix,
    );
}

/** The sublayers below a part of a stream, from the first layer up. */
export function added(stack: string, layer: number, number: number): string[] {
  const parts = SUBLAYERS[stack]!;
  const below = Array.from({ length: parts.length * (layer - 1) + number }, (_, at) => at);
  return below.map((at) => `${stack}.${Math.floor(at / parts.length) + 1}.${parts[at % parts.length]}`);
}

/** Probabilities of the token that comes next, over the vocabulary. */
export const shares = ({ tensors, step }: Inside): number[] =>
  softmax((tensors["decoder.scores"] as Matrix)[step - 1]!);

export function shapeOf(inside: Inside): number[] {
  if (!isAttention(inside.selected)) return sizes(vectorsOf(inside));
  const heads = weightsOf(inside);
  return [heads.length, ...sizes(heads[0]!)];
}

const sizes = (rows: Matrix): number[] => [rows.length, rows[0]!.length];
