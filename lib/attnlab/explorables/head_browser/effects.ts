// What follows when a head is off or a token is cut: weights beside effects.
import * as text from "../text.ts";
import { h } from "../ui/dom.ts";
import { Table, type Row } from "../ui/value_table.ts";
import { type Cut, type Effect, type Reading, weightsLost } from "./reading.ts";
import type { Source } from "./source.ts";

/** The table of weights and effects, or what to do to get one. */
export class Effects {
  readonly element = h("div", { class: "effects", "aria-live": "polite" });

  update(reading: Reading | undefined, found: Effect | undefined, cut: Cut, source: Source): void {
    if (!reading || cut.off.length + cut.cut.length === 0) {
      const what = source.lacks ? "Switch a head off" : "Switch a head off or cut a token";
      this.element.replaceChildren(h("p", {}, `Nothing is off. ${what}, and see what changes.`));
    } else if (!found) this.element.replaceChildren(h("p", {}, wanted(source)));
    else this.element.replaceChildren(...this.table(reading, found, cut));
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

/** What it takes to know what a change does. */
function wanted({ isLive, lacks }: Source): string {
  if (lacks) return "What is stored is the effect of one head. Press “Undo all”, and switch one off.";
  return isLive ? "The model is reading the sentence again …" : "Load the model to see what this changes.";
}
