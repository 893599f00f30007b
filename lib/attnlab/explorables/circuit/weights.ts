// The weights of a checkpoint: rows of 8 bits, each with its scale, as attnlab.models.formation writes.

export const NUM_WORDS = 48;
export const WIDTH = 32;
export const NUM_LAYERS = 2;
export const NUM_HEADS = 2;
export const HEAD_DIM = WIDTH / NUM_HEADS;

/** Weights by the names that torch gives them, each matrix row by row. */
export type Weights = Readonly<Record<string, Float64Array>>;

const LAYERS = Array.from({ length: NUM_LAYERS }, (_, layer) => layer);
const PARTS = ["query", "key", "value", "output"] as const;
type Part = (typeof PARTS)[number];

export const projection = (layer: number, part: Part): string => `layers.${layer}.to_${part}.weight`;

/** The names of the matrices and their numbers of rows; each row has WIDTH numbers. */
const MATRICES: readonly (readonly [string, number])[] = [
  ["embedding.weight", NUM_WORDS],
  ...LAYERS.flatMap((layer) => PARTS.map((part) => [projection(layer, part), WIDTH] as const)),
  ["to_logits.weight", NUM_WORDS],
];
const VECTORS: readonly (readonly [string, number])[] = [
  ...[...LAYERS, NUM_LAYERS].flatMap((i) =>
    ["weight", "bias"].map((part) => [`norms.${i}.${part}`, WIDTH] as const),
  ),
  ["to_logits.bias", NUM_WORDS],
];
const NUM_ROWS = MATRICES.reduce((sum, [, rows]) => sum + rows, 0);
const NUM_FLOATS = VECTORS.reduce((sum, [, size]) => sum + size, NUM_ROWS);

/** The weights of a file; a file of another length is an error. */
export function unpack(content: ArrayBuffer): Weights {
  const expected = 4 * NUM_FLOATS + NUM_ROWS * WIDTH;
  if (content.byteLength !== expected) {
    throw new RangeError(`a checkpoint of ${content.byteLength} bytes; expected ${expected}`);
  }
  const view = new DataView(content);
  const float = (i: number): number => view.getFloat32(4 * i, true);
  const integers = new Int8Array(content, 4 * NUM_FLOATS);
  const weights: Record<string, Float64Array> = {};
  let row = 0;
  for (const [name, rows] of MATRICES) {
    const first = row;
    weights[name] = Float64Array.from(
      { length: rows * WIDTH },
      (_, i) => integers[first * WIDTH + i]! * float(first + Math.floor(i / WIDTH)),
    );
    row += rows;
  }
  for (const [name, size] of VECTORS) {
    const first = row;
    weights[name] = Float64Array.from({ length: size }, (_, i) => float(first + i));
    row += size;
  }
  return weights;
}
