// The keys in a row: their scores, and what each exponential is at the largest score so far.
import { h } from "../ui/dom.ts";
import { td } from "../ui/value_table.ts";
import * as text from "../text.ts";

export interface Seen {
  scores: readonly number[];
  values: readonly number[];
  /** How many keys have arrived. */
  count: number;
  block: number;
  /** The largest score so far. */
  m: number;
}

export class Keys {
  readonly element = h("div", { class: "keys" });

  update({ scores, values, count, block, m }: Seen): void {
    const limit = Math.max(...scores.map(Math.abs), 1);
    const starts = (i: number): string => (i % block === 0 && i > 0 ? "starts" : "");
    const heads = scores.map((_, i) =>
      h("th", { scope: "col", class: `name key ${starts(i)}` }, String(i + 1)),
    );
    const row = (
      head: string,
      cell: (x: number) => HTMLTableCellElement,
      numbers = scores,
    ): HTMLElement => {
      const cells = numbers.map((x, i) =>
        i < count ? cell(x) : td({ text: "not yet", masked: true }),
      );
      cells.forEach((each, i) => starts(i) && each.classList.add("starts"));
      return h("tr", {}, h("th", { scope: "row" }, head), ...cells);
    };
    const score = (x: number): HTMLTableCellElement =>
      td({ text: text.number(x, 1), heat: { value: x, kind: "scores", limit } });
    const share = (x: number): HTMLTableCellElement =>
      td({ text: text.number(Math.exp(x - m)), heat: { value: Math.exp(x - m), kind: "weights" } });
    const caption = h("caption", { class: "hidden" }, "The keys that have arrived");
    const head = h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "key"), ...heads));
    const value = (x: number): HTMLTableCellElement => td(text.number(x, 0));
    const rows = [row("score s", score), row("exp(s − m)", share), row("value v", value, values)];
    const body = h("tbody", {}, ...rows);
    this.element.replaceChildren(h("table", { class: "heat" }, caption, head, body));
  }
}
