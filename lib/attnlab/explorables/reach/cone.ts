// The picture of a reach: words below, layers above, and the lines that lead up to the last word.
import { s } from "../ui/dom.ts";
import { hatch } from "../ui/pattern_map.ts";

const COLUMN = 18;
const ROW = 24;
const SIDE = 12;
const MARGIN = 42;
const LABEL = 22;
/** A sentence of fewer words leaves room at its left; a longer one makes all smaller. */
const FEWEST = 11;

export class Cone {
  readonly element: SVGSVGElement;
  private readonly hatch: SVGDefsElement;

  constructor() {
    const id = `unseen-${Math.random().toString(36).slice(2)}`;
    this.hatch = s("defs", {}, hatch(id));
    this.element = s("svg", { class: "cone", role: "img", style: `--hatched:url(#${id})` });
  }

  update(cone: readonly (readonly boolean[])[], step: number, ends: readonly [string, string]): void {
    const top = cone.length - 1;
    const count = cone[0]!.length;
    const columns = Math.max(count, FEWEST);
    const indent = MARGIN + (columns - count) * COLUMN;
    const x = (column: number): number => indent + (column + 0.5) * COLUMN;
    const y = (row: number): number => SIDE + (top - row) * ROW;
    const lines = cone.slice(1).flatMap((row, below) =>
      row.flatMap((lit, column) =>
        Array.from({ length: lit ? Math.min(step, column) + 1 : 0 }, (_, back) =>
          `M${x(column)} ${y(below + 1)}L${x(column - back)} ${y(below)}`,
        ),
      ),
    );
    const cells = cone.flatMap((row, at) =>
      row.map((lit, column) =>
        s("rect", {
          class: lit ? "lit" : at === 0 ? "unlit" : "idle",
          x: x(column) - SIDE / 2,
          y: y(at) - SIDE / 2,
          width: SIDE,
          height: SIDE,
        }),
      ),
    );
    const numbers = cone
      .map((_, at) => s("text", { class: "level", x: indent - 4, y: y(at) + 3 }, `layer ${at}`))
      .slice(1);
    const below = y(0) + LABEL;
    const width = MARGIN + columns * COLUMN + 2;
    this.element.setAttribute("viewBox", `0 0 ${width} ${below + 6}`);
    this.element.replaceChildren(
      this.hatch,
      s("path", { class: "line", d: lines.join("") }),
      ...cells,
      ...numbers,
      s("text", { class: "end first", x: x(0) - SIDE / 2, y: below }, ends[0]),
      s("text", { class: "end last", x: x(count - 1) + SIDE / 2, y: below }, ends[1]),
    );
  }
}
