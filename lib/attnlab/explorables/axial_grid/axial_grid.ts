// Axial positions: a row of one table beside a row of another, for each place of a grid.
import { clamp } from "../math.ts";
import * as text from "../text.ts";
import { h } from "../ui/dom.ts";
import { choice, range } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { panel, panels } from "../ui/layout.ts";
import { Table } from "../ui/value_table.ts";
import { inOneTable, inTwoTables, tableRows, type Grid } from "./arithmetic.ts";
import style from "./axial_grid.css";
import { GridPicture } from "./grid_picture.ts";

export interface State extends Common {
  rows: number;
  columns: number;
  position: number;
  column_major: boolean;
  d_model: number;
}

const MOST = 16;
const gridOf = ({ rows, columns, column_major }: State): Grid => ({
  rows: clamp(rows, 1, MOST),
  columns: clamp(columns, 1, MOST),
  columnMajor: column_major,
});

function build(context: Context<State>): Built<State> {
  const picture = new GridPicture((position) => context.change({ position }));
  const controls = controlsOf(context);
  const table = new Table("Numbers that are learned", ["", "positions", "numbers learned"]);
  const words = h("p", { class: "verdict" });
  return {
    parts: [
      panels(
        panel(picture.element, words),
        panel(h("div", { class: "outcome" }, table.element), ...controls.elements),
      ),
    ],
    update(state) {
      const grid = gridOf(state);
      controls.show(state);
      picture.update(grid, state.position);
      picture.element.setAttribute("aria-label", summary(state));
      words.textContent = composed(state);
      const positions = String(state.rows * state.columns);
      const row = (head: string, count: number) => ({ head, cells: [positions, String(count)] });
      table.update([
        row("two tables", inTwoTables(grid, state.d_model)),
        row("one table", inOneTable(grid, state.d_model)),
      ]);
    },
  };
}

function composed(state: State): string {
  const [first, second] = tableRows(state.position, gridOf(state));
  return `Position ${state.position}: row ${first} of the first table beside row ${second} of the second, ${state.d_model / 2} numbers each.`;
}

function controlsOf(context: Context<State>): { elements: Node[]; show(state: State): void } {
  const resized = (part: Partial<State>): void => {
    const { rows, columns, position } = { ...context.state(), ...part };
    context.change({ position: Math.min(position, rows * columns - 1), ...part });
  };
  const rows = range("rows of the first table", [1, MOST], (rows) => resized({ rows }));
  const columns = range("rows of the second table", [1, MOST], (columns) => resized({ columns }));
  const step = (to: number): void =>
    context.change({ position: Math.min(to, context.state().rows * context.state().columns - 1) });
  const position = range("position", [0, MOST * MOST - 1], step, { ends: ["0", "last"] });
  const order = choice("Numbered", ["line by line", "column by column"], (chosen) =>
    context.change({ column_major: chosen === 1 }),
  );
  return {
    elements: [rows.element, columns.element, position.element, order.element],
    show(state) {
      rows.show(state.rows);
      columns.show(state.columns);
      const input = position.element.querySelector("input")!;
      input.max = String(state.rows * state.columns - 1);
      position.show(state.position);
      order.show(state.column_major ? 1 : 0);
    },
  };
}

function summary(state: State): string {
  const numbers = `${inTwoTables(gridOf(state), state.d_model)} numbers in place of ${inOneTable(gridOf(state), state.d_model)}`;
  return `${text.words([`${state.rows}`, `${state.columns} rows`])} make ${state.rows * state.columns} positions: ${numbers}. ${composed(state)}`;
}

export default explorable<State>({
  name: "Axial positions",
  shows: ["rows", "columns", "position", "column_major", "d_model"],
  answers: ["rows", "columns"],
  whole: ["rows", "columns", "position", "d_model"],
  style,
  build,
  summary,
});
