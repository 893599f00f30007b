// A heat map as an HTML table: rows are queries, columns are keys, masked cells are hatched.
import type { Mask, Matrix } from "../math.ts";
import * as text from "../text.ts";
import { h, set } from "./dom.ts";
import { cellStyle } from "./cell_style.ts";
import { tableOf } from "./value_table.ts";

/** The table of a heat map with its two axes of tokens; the caller fills `cells[i][j]`. */
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
  const table = tableOf(caption, ["", ...heads], h("tbody", {}, ...rows));
  set(table, { class: "heat" });
  return { table, cells };
}

/**
 * A heat map of weights that cannot be edited. With `choose`, a click anywhere in a row chooses its
 * query; the caller offers the same to a keyboard.
 */
export class HeatMap {
  readonly element = h("div", { class: "scroll" });
  private readonly cells: HTMLTableCellElement[][];
  private readonly rows: HTMLTableRowElement[];

  constructor(caption: string, queries: readonly string[], keys: readonly string[], choose?: (query: number) => void) {
    const { table, cells } = heatTable(caption, queries, keys);
    this.cells = cells;
    this.rows = cells.map(([first]) => first!.parentElement as HTMLTableRowElement);
    this.element.append(table);
    if (!choose) return;
    table.classList.add("choosable");
    this.rows.forEach((row, i) => row.addEventListener("click", () => choose(i)));
  }

  /** Marks the row of the chosen query, for the eye and for a screen reader. */
  mark(chosen: number): void {
    this.rows.forEach((row, i) => set(row, { "aria-current": i === chosen && "true" }));
  }

  update(weights: Matrix, mask: Mask): void {
    this.cells.forEach((row, i) => {
      // A fully masked row shows its zeros.
      const isMasked = !mask[i]!.some(Boolean);
      row.forEach((cell, j) => {
        const [weight, hidden] = [weights[i]![j]!, !mask[i]![j]!];
        set(cell, { class: hidden && "masked", style: !hidden && cellStyle(weight, "weights") });
        const content = isMasked ? h("span", { class: "number" }, text.number(0)) : masked();
        cell.replaceChildren(hidden ? content : text.number(weight));
      });
    });
  }
}

const masked = (): HTMLElement => h("span", { class: "hidden" }, "masked");
