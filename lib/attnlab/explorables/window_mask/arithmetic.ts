// Sliding windows with global tokens: the mask of one layer, and what several layers reach.
import { both, causal, either, globalTokens, slidingWindow } from "../masks.ts";
import type { Mask } from "../math.ts";

export interface Pattern {
  tokens: number;
  window: number;
  globals: readonly number[];
  causal: boolean;
}

/** The mask of one layer. */
export function patternMask({ tokens, window, globals, causal: isCausal }: Pattern): boolean[][] {
  const mask = either(slidingWindow(tokens, window), globalTokens(tokens, globals));
  return isCausal ? both(mask, causal(tokens, tokens)) : mask;
}

/** Which tokens inform which after so many layers. */
export function reach(mask: Mask, layers: number): boolean[][] {
  let reached = mask.map((row) => [...row]);
  for (let layer = 1; layer < layers; layer++) {
    reached = reached.map((row) =>
      mask.map((_, j) => row.some((informed, k) => informed && mask[k]![j]!)),
    );
  }
  return reached;
}

/** How many pairs of query and key the mask allows. */
export const pairs = (mask: Mask): number => mask.flat().filter(Boolean).length;
