// A matrix as a table whose neighbours line up with it: an operand, or the result of a step.
import { cellStyle } from "../ui/cell_style.ts";
import { ARROWS, h, set } from "../ui/dom.ts";
import type { Role } from "../ui/marks.ts";
import { td } from "../ui/value_table.ts";
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
  hides?: "bare-rows" | "bare-columns" | "bare-rows bare-columns";
  heat?: "scores" | "weights";
  role?: Role;
  mask?: Mask;
}

export interface Grid {
  element: HTMLTableElement;
  cells: HTMLTableCellElement[][];
}

/** Makes the headings of one side; hidden ones are there for screen readers. */
const headings = (scope: "col" | "row", words: readonly string[], role: Role | undefined, isHidden: boolean): Node[] =>
  words.map((word) =>
    h("th", { scope, class: `name ${role ?? ""}` }, isHidden ? h("span", { class: "hidden" }, word) : word),
  );

export function grid(shown: Shown): Grid {
  const { name, values, rows, columns, hides = "", role } = shown;
  const limit = Math.max(...values.flat().map(Math.abs), 0) || 1;
  const cells = values.map((row, i) => row.map((value, j) => cell(shown, value, i, j, limit)));
  const heads = headings("col", columns, shown.columnRole, hides.includes("columns"));
  const names = headings("row", rows, shown.rowRole, hides.includes("rows"));
  const body = cells.map((row, i) => h("tr", {}, names[i]!, ...row));
  const looks = `heat grid ${hides} ${role === "output" ? "double" : ""}`;
  const element = h("table", { class: looks }, h("caption", { class: role && `name ${role}` }, name));
  element.append(h("thead", {}, h("tr", {}, h("td"), ...heads)), h("tbody", {}, ...body));
  return { element, cells };
}

function cell(shown: Shown, value: number, i: number, j: number, limit: number): HTMLTableCellElement {
  if (shown.mask && !shown.mask[i]![j]) return td({ text: "masked", masked: true });
  const decimals = Number.isInteger(value) && shown.heat !== "weights" ? 0 : 2;
  const style = shown.heat && cellStyle(value, shown.heat, limit);
  return h("td", { class: shown.role && `name ${shown.role}`, style }, text.number(value, decimals));
}

/** Marks the cells that `isLit` picks out. */
export function light({ cells }: Grid, isLit: (i: number, j: number) => boolean): void {
  cells.forEach((row, i) => row.forEach((cell, j) => cell.classList.toggle("lit", isLit(i, j))));
}

/** Lets the cells of a grid be pointed at, or meant: tapped, and walked through with the arrow keys. */
export function choosable({ cells }: Grid, choose: (i: number, j: number, isMeant: boolean) => void): void {
  cells.forEach((row, i) =>
    row.forEach((cell, j) => {
      cell.addEventListener("pointerenter", (event) => {
        if (event.pointerType === "mouse") choose(i, j, false);
      });
      // A tap moves the focus in some browsers and not in others.
      for (const chosen of ["focus", "click"]) cell.addEventListener(chosen, () => choose(i, j, true));
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
