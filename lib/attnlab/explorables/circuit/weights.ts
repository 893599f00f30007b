// The weights of a checkpoint, as attnlab.models.formation writes them.
import { type Norm, normOf } from "../encoder/layer.ts";
import { type Linear, linearOf, rowsOf, type Tensors } from "../encoder/tensors.ts";

export const NUM_WORDS = 48;
export const WIDTH = 32;
export const NUM_LAYERS = 2;
export const NUM_HEADS = 2;
export const HEAD_DIM = WIDTH / NUM_HEADS;

interface Layer {
  norm: Norm;
  query: Linear;
  key: Linear;
  value: Linear;
  output: Linear;
}

export interface Weights {
  /** The vector of a word. */
  embedding: (word: number) => Float64Array;
  layers: readonly Layer[];
  norm: Norm;
  logits: Linear;
}

function layerOf(tensors: Tensors, layer: number): Layer {
  const part = (name: string): Linear => linearOf(tensors, `layers.${layer}.to_${name}`);
  const projections = { query: part("query"), key: part("key"), value: part("value"), output: part("output") };
  return { norm: normOf(tensors, `norms.${layer}`), ...projections };
}

/** The weights in the tensors of a file. */
export const weightsOf = (tensors: Tensors): Weights => ({
  embedding: rowsOf(tensors, "embedding.weight"),
  layers: Array.from({ length: NUM_LAYERS }, (_, layer) => layerOf(tensors, layer)),
  norm: normOf(tensors, `norms.${NUM_LAYERS}`),
  logits: linearOf(tensors, "to_logits"),
});
