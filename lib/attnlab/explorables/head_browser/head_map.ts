// One head's map as a table with both axes of tokens, in which a reader goes from cell to cell.
import { cellStyle } from "../ui/cell_style.ts";
import { ARROWS, h, set } from "../ui/dom.ts";
import { heatTable } from "../ui/heat_map.ts";

export type Cell = readonly [token: number, key: number];

export class HeadMap {
  readonly element = h("div", { class: "scroll" });
  private cells: HTMLTableCellElement[][] = [];
  private names: Element[] = [];
  private tokens: readonly string[] | undefined;
  private readonly choose: (cell: Cell) => void;
  private readonly styles = new Map<number, string>();

  constructor(choose: (cell: Cell) => void) {
    this.choose = choose;
    this.element.addEventListener("keydown", (event) => this.move(event));
  }

  /** Shows weights, (tokens, tokens), with one cell chosen and some keys cut. */
  update(name: string, tokens: readonly string[], map: Float32Array | undefined, chosen: Cell, cut: readonly number[]): void {
    if (tokens.join(" ") !== this.tokens?.join(" ")) this.build(tokens);
    set(this.element.querySelector("table")!, { "aria-label": `Weights of ${name}: rows are queries, columns are keys` });
    this.cells.forEach((row, i) => {
      this.names[i]!.classList.toggle("chosen", i === chosen[0]);
      row.forEach((cell, j) => {
        const weight = map?.[i * tokens.length + j];
        const isChosen = i === chosen[0] && j === chosen[1];
        const masked = cut.includes(j);
        set(cell, {
          class: `${masked ? "masked " : ""}${isChosen ? "chosen" : ""}`,
          style: masked || weight === undefined ? undefined : this.style(weight),
          tabindex: isChosen ? 0 : -1,
          "aria-selected": `${isChosen}`,
        });
        cell.textContent = masked ? "" : weight === undefined ? "…" : short(weight);
        if (masked) cell.append(h("span", { class: "hidden" }, "masked"));
      });
    });
  }

  private build(tokens: readonly string[]): void {
    this.tokens = tokens;
    const { table, cells } = heatTable("Weights", tokens, tokens);
    set(table, { class: "heat map", role: "grid" });
    cells.forEach((row, i) =>
      row.forEach((cell, j) => {
        set(cell, { role: "gridcell" });
        cell.addEventListener("click", () => this.choose([i, j]));
      }),
    );
    this.cells = cells;
    this.names = cells.map(([first]) => first!.parentElement!.firstElementChild!);
    this.element.replaceChildren(table);
  }

  private style(weight: number): string {
    const percent = Math.round(100 * weight);
    const known = this.styles.get(percent) ?? cellStyle(percent / 100, "weights");
    this.styles.set(percent, known);
    return known;
  }

  private move(event: KeyboardEvent): void {
    const step = ARROWS[event.key];
    if (!step) return;
    event.preventDefault();
    const at = event.target as HTMLTableCellElement;
    const row = at.parentElement as HTMLTableRowElement;
    const [i, j] = [row.sectionRowIndex + step[0], at.cellIndex - 1 + step[1]];
    const cell = this.cells[i]?.[j];
    if (!cell) return;
    this.choose([i, j]);
    cell.focus();
  }
}

/** Two decimals without the zero before them: there is little room. */
const short = (weight: number): string => {
  if (weight < 0.005) return "0";
  return weight >= 0.995 ? "1" : weight.toFixed(2).slice(1);
};
