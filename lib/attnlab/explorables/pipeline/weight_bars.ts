// One row of the softmax as bars above its columns: powers of e that shrink to shares of their sum.
import { Bars } from "../ui/bars.ts";
import { h } from "../ui/dom.ts";
import type { Steps } from "./arithmetic.ts";

export class WeightBars {
  /** A row of the table's head; screen readers have the numbers in its body. */
  readonly element: HTMLTableRowElement;
  private readonly bars: Bars;

  constructor(count: number) {
    this.bars = new Bars(count);
    const cells = this.bars.bars.map((bar) => h("td", { class: "bar-cell" }, bar));
    this.element = h("tr", { "aria-hidden": "true" }, h("td"), ...cells);
  }

  /** Shows the weights of a row; `anew` begins at the powers, of which the largest is full. */
  update({ weights, scaled, mask }: Steps, row: number, anew: boolean): void {
    const seen = scaled[row]?.map((score, i) => (mask[row]![i] ? score : -Infinity)) ?? [];
    const highest = Math.max(...seen);
    if (anew) this.bars.jump(seen.map((score) => Math.exp(score - highest)));
    this.bars.update(weights[row] ?? []);
  }
}
