// The numbers below a figure, as an HTML table.
import { cellStyle } from "./cell_style.ts";
import { h } from "./dom.ts";

export interface Cell {
  text: string;
  /** Colours the cell as one of a heat map. */
  heat?: { value: number; kind: "weights" | "scores"; limit?: number };
  masked?: boolean;
  /** Left out where there is little room, since it stands elsewhere as well. */
  spare?: boolean;
}

export type Row = { head: Node | string; cells: readonly (Cell | string)[] };

/** A table with a name for screen readers, and a head for each column unless it is empty. */
export function tableOf(
  caption: string,
  columns: readonly (Cell | Node | string)[],
  ...parts: Node[]
): HTMLTableElement {
  const heads = columns.map((column) => (column instanceof Node ? column : th(column)));
  return h("table", {}, h("caption", { class: "hidden" }, caption), h("thead", {}, h("tr", {}, ...heads)), ...parts);
}

/** A row of a table. */
export const line = (head: Node | string, ...cells: Node[]): HTMLTableRowElement =>
  h("tr", {}, h("th", { scope: "row" }, head), ...cells);

export class Table {
  readonly element: HTMLElement;
  private readonly body = h("tbody");
  private readonly foot = h("tfoot");

  constructor(caption: string, columns: readonly (Cell | string)[]) {
    this.element = h("div", { class: "scroll" }, tableOf(caption, columns, this.body, this.foot));
  }

  update(rows: readonly Row[], total?: Row): void {
    const lines = (all: readonly Row[]): Node[] => all.map(({ head, cells }) => line(head, ...cells.map(td)));
    this.body.replaceChildren(...lines(rows));
    this.foot.replaceChildren(...lines(total ? [total] : []));
  }
}

function th(content: Cell | string): HTMLTableCellElement {
  const { text, spare } = typeof content === "string" ? { text: content } : content;
  if (text === "") return h("td");
  return h("th", { scope: "col", class: spare && "spare" }, text);
}

/** One cell of a table, with its colour. */
export function td(content: Cell | string): HTMLTableCellElement {
  if (typeof content === "string") return h("td", {}, content);
  const { text, heat, masked, spare } = content;
  if (masked) return h("td", { class: "masked" }, h("span", { class: "hidden" }, text));
  return h("td", { class: spare && "spare", style: heat && cellStyle(heat.value, heat.kind, heat.limit) }, text);
}
