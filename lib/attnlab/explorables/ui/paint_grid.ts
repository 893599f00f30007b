// A heat map of scores whose cells are masked and unmasked by mouse, finger or keyboard.
import { clamp, type Mask, type Matrix } from "../math.ts";
import * as text from "../text.ts";
import { cellStyle } from "./cell_style.ts";
import { ARROWS, follow, h, set } from "./dom.ts";
import { heatTable } from "./heat_map.ts";

const MOVES: typeof ARROWS = { ...ARROWS, Home: [0, -Infinity], End: [0, Infinity] };

export class PaintGrid {
  readonly element = h("div", { class: "scroll paint" });
  private readonly cells: HTMLButtonElement[][];
  private readonly queries: readonly string[];
  private readonly keys: readonly string[];
  private readonly change: (mask: boolean[][]) => void;
  private mask: Mask = [];
  /** What the current stroke sets cells to. */
  private brush = true;

  constructor(queries: readonly string[], keys: readonly string[], change: (mask: boolean[][]) => void) {
    [this.queries, this.keys, this.change] = [queries, keys, change];
    const { table, cells } = heatTable("Scores and mask", queries, keys);
    set(table, { role: "grid", "aria-label": "Mask. Arrow keys move, space hides or shows." });
    this.cells = cells.map((row, i) => row.map((cell, j) => this.button(cell, i, j)));
    this.element.append(table);
    follow(this.element, (event) => this.press(event), (event) => this.stroke(event));
  }

  update(score: Matrix, mask: Mask): void {
    this.mask = mask;
    const limit = Math.max(...score.flat().map(Math.abs));
    this.cells.forEach((row, i) =>
      row.forEach((cell, j) => {
        const [value, visible] = [score[i]![j]!, mask[i]![j]!];
        const style = visible ? cellStyle(value, "scores", limit) : undefined;
        set(cell.parentElement!, { class: !visible && "masked", style });
        const state = visible ? `score ${text.number(value, 1)}, may attend` : "hidden";
        set(cell, { "aria-label": `${this.queries[i]} to ${this.keys[j]}: ${state}`, "aria-pressed": String(visible) });
        cell.textContent = visible ? text.number(value, 1) : "";
      }),
    );
  }

  private button(cell: HTMLTableCellElement, i: number, j: number): HTMLButtonElement {
    const first = i === 0 && j === 0;
    const element = h("button", { type: "button", class: "cell", tabindex: first ? 0 : -1 });
    set(cell, { role: "gridcell" });
    cell.append(element);
    element.addEventListener("keydown", (event) => this.key(event, i, j));
    // A pointer has painted before its click event; a keyboard or a screen reader has not.
    element.addEventListener("click", (event) => {
      if (event.detail === 0) this.paint(i, j, !this.mask[i]![j]!);
    });
    element.addEventListener("focus", () => {
      for (const other of this.cells.flat()) other.tabIndex = other === element ? 0 : -1;
    });
    return element;
  }

  private key(event: KeyboardEvent, i: number, j: number): void {
    const step = MOVES[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const row = clamp(i + step[0], 0, this.cells.length - 1);
    const column = clamp(j + step[1], 0, this.keys.length - 1);
    this.cells[row]![column]!.focus();
    // With shift, the cell's state is copied along: a stroke by keyboard.
    if (event.shiftKey) this.paint(row, column, this.mask[i]![j]!);
  }

  private press(event: PointerEvent): false | void {
    const at = this.find(event);
    if (!at) return false;
    this.brush = !this.mask[at[0]]![at[1]]!;
    this.paint(...at, this.brush);
    this.cells[at[0]]![at[1]]!.focus({ preventScroll: true });
  }

  private stroke(event: PointerEvent): void {
    const at = this.find(event);
    if (at) this.paint(...at, this.brush);
  }

  /** The cell under the pointer; a captured pointer's own target is always the first cell. */
  private find({ clientX, clientY }: PointerEvent): [number, number] | undefined {
    const root = this.element.getRootNode() as ShadowRoot;
    const hit = root.elementFromPoint(clientX, clientY);
    const inside = hit?.closest("td")?.querySelector("button");
    const at = this.cells.flat().findIndex((cell) => cell === inside);
    return at < 0 ? undefined : [Math.floor(at / this.keys.length), at % this.keys.length];
  }

  private paint(i: number, j: number, visible: boolean): void {
    if (this.mask[i]![j] === visible) return;
    this.change(this.mask.map((row, r) => row.map((old, c) => (r === i && c === j ? visible : old))));
  }
}
