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

export class Table {
  readonly element = h("div", { class: "scroll" });
  private readonly body = h("tbody");
  private readonly foot = h("tfoot");

  constructor(caption: string, columns: readonly (Cell | string)[]) {
    const heads = columns.map((column) => th(column));
    const table = h("table", {}, h("caption", { class: "hidden" }, caption));
    table.append(h("thead", {}, h("tr", {}, ...heads)), this.body, this.foot);
    this.element.append(table);
  }

  update(rows: readonly Row[], total?: Row): void {
    this.body.replaceChildren(...rows.map(tr));
    this.foot.replaceChildren(...(total ? [tr(total)] : []));
  }
}

function tr({ head, cells }: Row): HTMLTableRowElement {
  return h("tr", {}, h("th", { scope: "row" }, head), ...cells.map(td));
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
