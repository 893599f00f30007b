// Which tokens inform the last one: tokens below, layers above, and lines that lead up to it.
import type { Mask } from "../math.ts";
import { s } from "./dom.ts";
import { hatch, HATCHED } from "./mask_map.ts";

const COLUMN = 18;
const ROW = 24;
const SIDE = 12;
const MARGIN = 50;
const LABEL = 22;
/** A shorter sentence leaves room at its left; a longer one makes everything smaller. */
const FEWEST = 13;

export class Cone {
  readonly element = s("svg", { class: "cone", role: "img", style: HATCHED });
  private readonly hatch = hatch();

  update(cone: Mask, step: number, ends: readonly [string, string]): void {
    const top = cone.length - 1;
    const count = cone[0]!.length;
    const columns = Math.max(count, FEWEST);
    const indent = MARGIN + (columns - count) * COLUMN;
    const grid: Grid = {
      x: (column) => indent + (column + 0.5) * COLUMN,
      y: (row) => SIDE + (top - row) * ROW,
    };
    const levels = cone
      .map((_, row) => s("text", { class: "level", x: indent - 4, y: grid.y(row) + 3 }, `layer ${row}`))
      .slice(1);
    const below = grid.y(0) + LABEL;
    this.element.setAttribute("viewBox", `0 0 ${MARGIN + columns * COLUMN + 2} ${below + 6}`);
    this.element.replaceChildren(
      this.hatch,
      s("path", { class: "line", d: lines(cone, step, grid) }),
      ...cells(cone, grid),
      ...levels,
      s("text", { class: "end first", x: grid.x(0) - SIDE / 2, y: below }, ends[0]),
      s("text", { class: "end last", x: grid.x(count - 1) + SIDE / 2, y: below }, ends[1]),
    );
  }
}

/** The centre of a cell. */
interface Grid {
  x(column: number): number;
  y(row: number): number;
}

/** Lines from each cell that matters to the cells below that it depends on. */
function lines(cone: Mask, step: number, { x, y }: Grid): string {
  const parts = cone.slice(1).flatMap((row, below) =>
    row.flatMap((lit, column) =>
      Array.from({ length: lit ? Math.min(step, column) + 1 : 0 }, (_, back) =>
        `M${x(column)} ${y(below + 1)}L${x(column - back)} ${y(below)}`,
      ),
    ),
  );
  return parts.join("");
}

const cells = (cone: Mask, { x, y }: Grid): SVGRectElement[] =>
  cone.flatMap((row, at) =>
    row.map((lit, column) =>
      s("rect", {
        class: lit ? "seen" : at === 0 ? "unseen" : "idle",
        x: x(column) - SIDE / 2,
        y: y(at) - SIDE / 2,
        width: SIDE,
        height: SIDE,
      }),
    ),
  );
