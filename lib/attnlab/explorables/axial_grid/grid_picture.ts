// The grid of positions between its two tables; a press chooses a position.
import { s } from "../ui/dom.ts";
import { positionAt, tableRows, type Grid } from "./arithmetic.ts";

const CELL = 20;
const EDGE = 30;
/** Below this size a cell has no room for its number. */
const MOST_NUMBERED = 12;

export class GridPicture {
  readonly element = s("svg", { class: "pattern axial", role: "img" });

  constructor(choose: (position: number) => void) {
    this.element.addEventListener("click", (event) => {
      const at = (event.target as Element).getAttribute("data-position");
      if (at !== null) choose(Number(at));
    });
  }

  update(grid: Grid, position: number): void {
    const { rows, columns } = grid;
    const own = tableRows(position, grid);
    const look = (isOwn: boolean): string => (isOwn ? "table taken" : "table");
    const parts: SVGElement[] = [];
    for (let row = 0; row < rows; row++) parts.push(cell(0, EDGE + row * CELL, look(row === own[0])));
    for (let at = 0; at < columns; at++) parts.push(cell(EDGE + at * CELL, 0, look(at === own[1])));
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const isChosen = row === own[0] && column === own[1];
        const sharing = row === own[0] || column === own[1];
        const [x, y] = [EDGE + column * CELL, EDGE + row * CELL];
        const number = positionAt(row, column, grid);
        const rect = cell(x, y, isChosen ? "taken" : sharing ? "sharing" : "");
        rect.setAttribute("data-position", String(number));
        parts.push(rect);
        if (Math.max(rows, columns) <= MOST_NUMBERED && !sharing) parts.push(label(x, y, number));
      }
    }
    this.element.setAttribute("viewBox", `-1 -1 ${EDGE + columns * CELL + 2} ${EDGE + rows * CELL + 2}`);
    this.element.replaceChildren(...parts);
  }
}

const cell = (x: number, y: number, look: string): SVGRectElement =>
  s("rect", { x, y, width: CELL - 2, height: CELL - 2, class: look });

const label = (x: number, y: number, number: number): SVGTextElement =>
  s("text", { x: x + CELL / 2 - 1, y: y + CELL / 2 + 2, "pointer-events": "none" }, String(number));
