// The keys in a row: their scores, and what each exponential is at the largest score so far.
import { h } from "../ui/dom.ts";
import { type Cell, line, tableOf, td } from "../ui/value_table.ts";
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

export function tableOfKeys({ scores, values, count, block, m }: Seen): HTMLElement {
  const limit = Math.max(...scores.map(Math.abs), 1);
  const starts = (i: number): string => (i % block === 0 && i > 0 ? "starts" : "");
  const heads = scores.map((_, i) => h("th", { scope: "col", class: `name key ${starts(i)}` }, String(i + 1)));
  const row = (head: string, numbers: readonly number[], cell: (x: number) => Cell | string): HTMLElement => {
    const cells = numbers.map((x, i) => td(i < count ? cell(x) : { text: "not yet", masked: true }));
    cells.forEach((each, i) => starts(i) && each.classList.add("starts"));
    return line(head, ...cells);
  };
  const share = (x: number): Cell => {
    const value = Math.exp(x - m);
    return { text: text.number(value), heat: { value, kind: "weights" } };
  };
  const body = h(
    "tbody",
    {},
    row("score s", scores, (value) => ({ text: text.number(value, 1), heat: { value, kind: "scores", limit } })),
    row("exp(s − m)", scores, share),
    row("value v", values, (x) => text.number(x, 0)),
  );
  const table = tableOf("The keys that have arrived", ["key", ...heads], body);
  table.className = "heat";
  return table;
}
