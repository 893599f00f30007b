// Sliding windows with global tokens: who sees whom, and how far that reaches through layers.
import type { Mask } from "../math.ts";

export interface Pattern {
  tokens: number;
  window: number;
  globals: readonly number[];
  causal: boolean;
}

/** Who sees whom in one layer: neighbours within the window, and rows and columns of globals. */
export function patternMask({ tokens, window, globals, causal }: Pattern): boolean[][] {
  const global = new Set(globals);
  return Array.from({ length: tokens }, (_, i) =>
    Array.from({ length: tokens }, (_, j) => {
      const near = Math.abs(i - j) <= window || global.has(i) || global.has(j);
      return near && (!causal || j <= i);
    }),
  );
}

/** Who can be informed by whom after so many layers. */
export function reach(mask: Mask, layers: number): boolean[][] {
  let reached = mask.map((row) => [...row]);
  for (let layer = 1; layer < layers; layer++) {
    reached = reached.map((row) =>
      mask.map((_, j) => row.some((informed, k) => informed && mask[k]![j]!)),
    );
  }
  return reached;
}

/** How many pairs of query and key are seen. */
export const pairs = (mask: Mask): number => mask.flat().filter(Boolean).length;
