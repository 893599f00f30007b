// A heat map as a real table: rows are queries, columns are keys, masked cells are hatched.
import type { Mask, Matrix } from "../math.ts";
import * as text from "../text.ts";
import { h, set } from "./dom.ts";
import { cellStyle } from "./colour.ts";

/** The table of a heat map with its two axes of tokens; `cells[i][j]` are to be filled. */
export function heatTable(
  caption: string,
  queries: readonly string[],
  keys: readonly string[],
): { table: HTMLTableElement; cells: HTMLTableCellElement[][] } {
  const heads = keys.map((key) => h("th", { scope: "col", class: "name key" }, key));
  const cells = queries.map(() => keys.map(() => h("td")));
  const rows = queries.map((query, i) =>
    h("tr", {}, h("th", { scope: "row", class: "name query" }, query), ...cells[i]!),
  );
  const table = h("table", { class: "heat" }, h("caption", { class: "hidden" }, caption));
  table.append(h("thead", {}, h("tr", {}, h("td"), ...heads)), h("tbody", {}, ...rows));
  return { table, cells };
}

/** Weights that only show. */
export class Heat {
  readonly element = h("div", { class: "scroll" });
  private readonly cells: HTMLTableCellElement[][];

  constructor(caption: string, queries: readonly string[], keys: readonly string[]) {
    const { table, cells } = heatTable(caption, queries, keys);
    this.cells = cells;
    this.element.append(table);
  }

  update(weights: Matrix, mask: Mask): void {
    this.cells.forEach((row, i) => {
      // A query that sees nothing keeps its zeros in view: that is the point of it.
      const blind = !mask[i]!.some(Boolean);
      row.forEach((cell, j) => {
        const [weight, hidden] = [weights[i]![j]!, !mask[i]![j]!];
        set(cell, { class: hidden && "masked", style: !hidden && cellStyle(weight, "weights") });
        const shown = blind ? h("span", { class: "number" }, text.number(0)) : masked();
        cell.replaceChildren(hidden ? shown : text.number(weight));
      });
    });
  }
}

const masked = (): HTMLElement => h("span", { class: "hidden" }, "masked");
