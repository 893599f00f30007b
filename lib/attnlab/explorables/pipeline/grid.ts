// A matrix as a table whose neighbours line up with it: an operand, or the result of a step.
import { cellStyle } from "../ui/cell_style.ts";
import { ARROWS, h, set } from "../ui/dom.ts";
import type { Role } from "../ui/marks.ts";
import type { Mask, Matrix } from "../math.ts";
import * as text from "../text.ts";

export interface Shown {
  name: string;
  values: Matrix;
  rows: readonly string[];
  columns: readonly string[];
  rowRole?: Role;
  columnRole?: Role;
  /** Labels that a neighbour shows already; screen readers still hear them. */
  hides?: "rows" | "columns" | "both";
  heat?: "scores" | "weights";
  role?: Role;
  mask?: Mask;
}

export interface Grid {
  element: HTMLTableElement;
  cells: HTMLTableCellElement[][];
}

const label = (word: string, isHidden: boolean): Node | string =>
  isHidden ? h("span", { class: "hidden" }, word) : word;

export function grid(shown: Shown): Grid {
  const { name, values, rows, columns, hides, role } = shown;
  const bareRows = hides === "rows" || hides === "both";
  const bareColumns = hides === "columns" || hides === "both";
  const limit = Math.max(...values.flat().map(Math.abs), 0) || 1;
  const cells = values.map((row, i) => row.map((value, j) => cell(shown, value, i, j, limit)));
  const heads = columns.map((column) =>
    h("th", { scope: "col", class: `name ${shown.columnRole ?? ""}` }, label(column, bareColumns)),
  );
  const names = rows.map((row) =>
    h("th", { scope: "row", class: `name ${shown.rowRole ?? ""}` }, label(row, bareRows)),
  );
  const body = cells.map((row, i) => h("tr", {}, names[i]!, ...row));
  const element = h("table", { class: "heat grid" }, h("caption", { class: role && `name ${role}` }, name));
  const looks = { "bare-rows": bareRows, "bare-columns": bareColumns, double: role === "output" };
  for (const [look, has] of Object.entries(looks)) element.classList.toggle(look, has);
  element.append(h("thead", {}, h("tr", {}, h("td"), ...heads)), h("tbody", {}, ...body));
  return { element, cells };
}

function cell(shown: Shown, value: number, i: number, j: number, limit: number): HTMLTableCellElement {
  if (shown.mask && !shown.mask[i]![j]) {
    return h("td", { class: "masked" }, h("span", { class: "hidden" }, "masked"));
  }
  const decimals = Number.isInteger(value) && shown.heat !== "weights" ? 0 : 2;
  const look = shown.heat && cellStyle(value, shown.heat, limit);
  const style = shown.heat === "weights" ? cellStyle(value, "weights") : look;
  return h("td", { class: shown.role && `name ${shown.role}`, style }, text.number(value, decimals));
}

/** Marks the cells that `isLit` picks out. */
export function light({ cells }: Grid, isLit: (i: number, j: number) => boolean): void {
  cells.forEach((row, i) => row.forEach((cell, j) => cell.classList.toggle("lit", isLit(i, j))));
}

/** Lets the cells of a grid be pointed at, tapped, and walked through with the arrow keys. */
export function choosable({ cells }: Grid, choose: (i: number, j: number) => void): void {
  cells.forEach((row, i) =>
    row.forEach((cell, j) => {
      cell.addEventListener("pointerenter", (event) => {
        if (event.pointerType === "mouse") choose(i, j);
      });
      cell.addEventListener("focus", () => choose(i, j));
      cell.addEventListener("keydown", (event) => {
        const [down, right] = ARROWS[event.key] ?? [0, 0];
        const next = cells[i + down]?.[j + right];
        if (!next || next === cell) return;
        event.preventDefault();
        next.focus();
      });
    }),
  );
}

/** Makes the chosen cell the one that the Tab key reaches. */
export function reachable({ cells }: Grid, row: number, column: number): void {
  cells.forEach((line, i) =>
    line.forEach((cell, j) => set(cell, { tabindex: i === row && j === column ? 0 : -1 })),
  );
}
