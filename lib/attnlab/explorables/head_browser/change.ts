// Arithmetic of what a change does: heads off, tokens cut.
import type { Head } from "./overview.ts";
import { effectOf, mapOf, rowOf, type Effect, type Reading } from "./reading.ts";

/** What is off, and what is cut. */
export interface Cut {
  readonly off: readonly Head[];
  readonly cut: readonly number[];
}

/** What a change did, live or stored; undefined where neither knows. */
export function effect(before: Reading | undefined, after: Reading | undefined, { off, cut }: Cut): Effect | undefined {
  if (before?.x && after?.x) return effectOf(before.x, after.x, before.tokens.length);
  const [layer, head] = off[0] ?? [0, 0];
  if (off.length !== 1 || cut.length > 0 || !before?.effects) return undefined;
  return { whole: before.effects[layer]![head]!, tokens: before.tokenEffects![layer]![head]! };
}

/**
 * For each token, how much weight what was taken away had in its rows: the mean weight, over all
 * heads, on the tokens that are cut, or the largest weight in the heads that are off.
 */
export function weightsLost(reading: Reading, { off, cut }: Cut): number[] {
  const count = reading.tokens.length;
  const layers = reading.layers.filter((layer) => layer !== undefined);
  return reading.tokens.map((_, token) => {
    if (cut.length > 0) {
      const all = layers.flatMap(({ weights }) =>
        Array.from({ length: reading.numHeads }, (_, head) => {
          const row = rowOf(weights, head, count, token);
          return cut.reduce((sum, key) => sum + row[key]!, 0);
        }),
      );
      return all.reduce((sum, weight) => sum + weight, 0) / all.length;
    }
    const rows = off.map(([layer, head]) => {
      const weights = reading.layers[layer]?.weights;
      return weights ? Math.max(...mapOf(weights, head, count).subarray(token * count, (token + 1) * count)) : 0;
    });
    return Math.max(0, ...rows);
  });
}
