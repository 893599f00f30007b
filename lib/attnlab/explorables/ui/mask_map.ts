// A mask of many tokens as a map without numbers; one row is selected, and what reaches it is marked.
import { clamp, type Mask } from "../math.ts";
import { pointIn, s, set } from "./dom.ts";

const CELL = 18;
const EDGE = 31;

export class MaskMap {
  readonly element: SVGSVGElement;
  private readonly cells: SVGRectElement[][];
  private readonly row: SVGRectElement;
  private readonly count: number;

  constructor(count: number, choose: (row: number) => void) {
    this.count = count;
    const side = EDGE + count * CELL;
    this.cells = Array.from({ length: count }, (_, i) =>
      Array.from({ length: count }, (_, j) =>
        s("rect", { x: EDGE + j * CELL, y: EDGE + i * CELL, width: CELL - 1, height: CELL - 1 }),
      ),
    );
    this.row = s("rect", { class: "chosen", x: EDGE - 1.5, width: count * CELL + 2, height: CELL + 2 });
    this.element = s("svg", {
      class: "pattern",
      viewBox: `0 0 ${side + 2} ${side + 2}`,
      tabindex: 0,
      role: "slider",
      "aria-label": "Query whose row is marked; arrow keys move it",
      "aria-valuemin": 0,
      "aria-valuemax": count - 1,
      style: HATCHED,
    });
    this.element.append(hatch(), ...this.cells.flat(), ...axis(count), this.row);
    this.element.addEventListener("keydown", (event) => this.key(event, choose));
    this.element.addEventListener("click", (event) => {
      const [, y] = pointIn(this.element, event);
      choose(clamp(Math.floor((y - EDGE) / CELL), 0, count - 1));
    });
  }

  update(mask: Mask, reached: Mask, selected: number): void {
    this.cells.forEach((row, i) =>
      row.forEach((cell, j) => {
        const far = i === selected && reached[i]![j]! && !mask[i]![j]!;
        set(cell, { class: far ? "far" : mask[i]![j]! ? "seen" : "unseen" });
      }),
    );
    this.row.setAttribute("y", String(EDGE + selected * CELL - 1.5));
    const count = reached[selected]!.filter(Boolean).length;
    set(this.element, {
      "aria-valuenow": selected,
      "aria-valuetext": `token ${selected}, reached by ${count} of ${this.count}`,
    });
  }

  private key(event: KeyboardEvent, choose: (row: number) => void): void {
    const now = Number(this.element.getAttribute("aria-valuenow"));
    const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
    const to = { Home: 0, End: this.count - 1 }[event.key] ?? (step && now + step);
    if (to === undefined) return;
    event.preventDefault();
    choose(clamp(to, 0, this.count - 1));
  }
}

/** The style of a drawing whose masked cells are hatched; `hatch` has to be in it. */
export const HATCHED = "--hatched:url(#hatch)";

export function hatch(): SVGDefsElement {
  const line = s("path", { d: "M0 6 L6 0", class: "hatch" });
  return s("defs", {}, s("pattern", { id: "hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse" }, line));
}

function axis(count: number): SVGTextElement[] {
  const middle = EDGE + (count * CELL) / 2;
  const numbers = Array.from({ length: count }, (_, i) => {
    const at = EDGE + (i + 0.5) * CELL;
    return [
      s("text", { class: "tick key", x: at - 0.5, y: EDGE - 4 }, String(i)),
      s("text", { class: "tick query", x: EDGE - 8, y: at + 3.5 }, String(i)),
    ];
  });
  const turned = { class: "tick query", transform: `translate(10 ${middle}) rotate(-90)` };
  return [...numbers.flat(), s("text", { class: "tick key", x: middle, y: 10 }, "key"), s("text", turned, "query")];
}
