// Rows of coloured cells, one column for each position; a press or a drag chooses a column.
import { clamp } from "../math.ts";
import { follow, pointIn, s } from "./dom.ts";
import { step } from "./scales.ts";

const COLUMN = 10;
const ROW = 22;
const GAP = 6;

export interface Strip {
  values: readonly number[];
  /** The value whose colour is the end of the scale. */
  limit: number;
}

export class Strips {
  readonly element: SVGSVGElement;
  private readonly cells: SVGRectElement[][];
  private readonly chosen = s("rect", { class: "chosen", y: 1, width: COLUMN });
  private readonly height: number;

  /** The last of the rows stands apart: it is the sum of the others. */
  constructor(rows: number, columns: number, choose: (column: number) => void) {
    this.height = rows * ROW + GAP;
    const top = (row: number): number => row * ROW + (row === rows - 1 ? GAP : 0);
    this.cells = Array.from({ length: rows }, (_, row) =>
      Array.from({ length: columns }, (_, at) =>
        s("rect", { x: at * COLUMN, y: top(row), width: COLUMN, height: ROW - 2 }),
      ),
    );
    const viewBox = `0 0 ${columns * COLUMN} ${this.height}`;
    this.element = s("svg", { class: "strips", viewBox, preserveAspectRatio: "none", role: "img" });
    this.element.append(...this.cells.flat(), this.chosen);
    const at = (event: PointerEvent): void =>
      choose(clamp(Math.floor(pointIn(this.element, event)[0] / COLUMN), 0, columns - 1));
    follow(this.element, at, at);
  }

  update(strips: readonly Strip[], chosen: number): void {
    strips.forEach(({ values, limit }, row) =>
      values.forEach((value, column) => {
        const [hue, percent] = step(value, "scores", limit);
        this.cells[row]![column]!.style.fill =
          `color-mix(in srgb, var(--attn-${hue}) ${percent}%, var(--attn-paper))`;
      }),
    );
    this.chosen.setAttribute("x", String(chosen * COLUMN));
    this.chosen.setAttribute("height", String(this.height - 2));
  }
}
