// A picture of cells that is drawn with a pointer or with the arrow keys.
import { clamp, type Matrix } from "../math.ts";
import { ARROWS, s, set } from "../ui/dom.ts";

const [CELLS, PIXELS, SIDE] = [4, 5, 20];
const PLACES = Array.from({ length: SIDE * SIDE }, (_, i) => [Math.floor(i / SIDE), i % SIDE] as const);

export class Canvas {
  readonly element: SVGSVGElement;
  private readonly grain: SVGGElement;
  private readonly ink = s("path", { class: "ink" });
  private readonly pen = s("rect", { class: "pen", width: 1, height: 1 });
  private readonly frame = s("rect", { class: "found", width: PIXELS, height: PIXELS });
  private cells: Matrix = [];
  private readonly change: (cells: number[][]) => void;
  private at: readonly [row: number, column: number] = [0, 0];
  /** What the current stroke draws: ink or paper. */
  private colour: number | undefined;

  constructor(noise: Matrix, change: (cells: number[][]) => void) {
    this.change = change;
    // Noise below paper is cut off, as it would be in print.
    const grains = PLACES.map(([y, x]) => {
      const [cell, inside] = place(y, x);
      return s("rect", { x, y, width: 1, height: 1, "fill-opacity": clamp(noise[cell]![inside]!, 0, 1) });
    });
    this.grain = s("g", { class: "ink" }, ...grains);
    const lines = Array.from({ length: CELLS + 1 }, (_, i) => `M${i * PIXELS} 0V${SIDE}M0 ${i * PIXELS}H${SIDE}`);
    this.element = s("svg", {
      class: "canvas",
      viewBox: `-0.2 -0.2 ${SIDE + 0.4} ${SIDE + 0.4}`,
      tabindex: 0,
      role: "application",
    });
    this.element.append(this.grain, this.ink, s("path", { class: "lines", d: lines.join("") }), this.frame, this.pen);
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("pointerdown", (event) => this.press(event));
    this.element.addEventListener("pointermove", (event) => {
      if (this.colour !== undefined) this.draw(this.find(event), this.colour);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
      this.element.addEventListener(end, () => (this.colour = undefined));
    }
  }

  /** Draws the picture, and a frame around the cell with the largest weight, as thick as it is large. */
  update(cells: Matrix, noisy: boolean, best: number, weight: number): void {
    this.cells = cells;
    set(this.grain, { visibility: noisy ? undefined : "hidden" });
    const drawn = PLACES.filter((at) => this.pixel(at) > 0);
    this.ink.setAttribute("d", drawn.map(([y, x]) => `M${x} ${y}h1v1h-1z`).join(""));
    const [row, column] = [Math.floor(best / CELLS), best % CELLS];
    set(this.frame, { x: column * PIXELS, y: row * PIXELS, style: `stroke-width:${0.1 + 0.4 * weight}` });
    this.mark();
  }

  private pixel([row, column]: readonly [number, number]): number {
    const [cell, inside] = place(row, column);
    return this.cells[cell]![inside]!;
  }

  private mark(): void {
    const [row, column] = this.at;
    set(this.pen, { x: column, y: row });
    const colour = this.pixel(this.at) > 0 ? "ink" : "paper";
    const name = `Picture. Arrow keys move the pen, space draws. Row ${row + 1}, column ${column + 1}: ${colour}`;
    this.element.setAttribute("aria-label", name);
  }

  private key(event: KeyboardEvent): void {
    const step = ARROWS[event.key];
    if (!step && event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    if (!step) return this.draw(this.at, 1 - this.pixel(this.at));
    const move = (i: 0 | 1): number => clamp(this.at[i] + step[i], 0, SIDE - 1);
    this.at = [move(0), move(1)];
    this.mark();
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.element.setPointerCapture(event.pointerId);
    const at = this.find(event);
    this.colour = 1 - this.pixel(at);
    this.draw(at, this.colour);
  }

  private find({ clientX, clientY }: PointerEvent): readonly [number, number] {
    const box = this.element.getBoundingClientRect();
    const along = (share: number): number => clamp(Math.floor(share * SIDE), 0, SIDE - 1);
    return [along((clientY - box.top) / box.height), along((clientX - box.left) / box.width)];
  }

  private draw(at: readonly [number, number], colour: number): void {
    this.at = at;
    if (this.pixel(at) === colour) return;
    const [cell, inside] = place(...at);
    this.change(
      this.cells.map((row, i) => row.map((old, j) => (i === cell && j === inside ? colour : old))),
    );
  }
}

/** The cell of a pixel, and its place in the cell. */
const place = (row: number, column: number): [cell: number, inside: number] => [
  Math.floor(row / PIXELS) * CELLS + Math.floor(column / PIXELS),
  (row % PIXELS) * PIXELS + (column % PIXELS),
];
