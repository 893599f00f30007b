// What follows when a head is off or a token is cut: weights beside effects.
import * as text from "../text.ts";
import { h } from "../ui/dom.ts";
import { Table, type Row } from "../ui/value_table.ts";
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

/** The table of weights and effects, or what to do to get one. */
export class Effects {
  readonly element = h("div", { class: "effects", "aria-live": "polite" });

  update(reading: Reading | undefined, found: Effect | undefined, cut: Cut, isLive: boolean): void {
    if (!reading || cut.off.length + cut.cut.length === 0) {
      this.element.replaceChildren(h("p", {}, "Nothing is off. Switch a head off or cut a token, and see what changes."));
    } else if (!found) {
      const wait = isLive ? "The model is reading the sentence again …" : "Load the model to see what this changes.";
      this.element.replaceChildren(h("p", {}, wait));
    } else this.element.replaceChildren(...this.table(reading, found, cut));
  }

  private table(reading: Reading, found: Effect, cut: Cut): Node[] {
    const lost = weightsLost(reading, cut);
    const weight = cut.cut.length > 0 ? "mean weight on what is cut" : "largest weight of its row";
    const table = new Table("Weights and effects by token", ["token", weight, "effect"]);
    const limit = Math.max(found.whole, ...found.tokens);
    const rows = reading.tokens.map((token, i): Row => {
      const bar = { text: text.number(found.tokens[i]!, 3), heat: { value: found.tokens[i]!, kind: "scores", limit } as const };
      return { head: token, cells: [{ text: text.number(lost[i]!), heat: { value: lost[i]!, kind: "weights" } }, bar] };
    });
    table.update(rows, { head: "the sentence", cells: ["", text.number(found.whole, 3)] });
    const note = "Effect: 1 − cosine between the vector before and after; 0 means that it kept its direction.";
    return [table.element, h("p", { class: "shape" }, note)];
  }
}
