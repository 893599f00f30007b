// What a page and the worker that runs the model say to each other.
import type { Seen } from "./layer.ts";

/** Heads as (layer, head) and tokens by position, all from 0. */
export interface Cuts {
  readonly off: readonly (readonly [number, number])[];
  readonly cut: readonly number[];
}

export interface Ask extends Cuts {
  id: number;
  text: string;
}

export type Answer =
  | { type: "progress"; loaded: number; total: number; what: string }
  | { type: "tokens"; id: number; tokens: readonly string[]; numLayers: number; numHeads: number }
  | ({ type: "layer"; id: number; layer: number } & Seen)
  | { type: "done"; id: number; x: Float32Array }
  | { type: "refused"; id: number; message: string }
  | { type: "failed"; message: string };
