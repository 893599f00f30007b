// A plane with vectors whose ends can be moved by pointer, touch or arrow keys.
import { clamp, snap, tidy } from "../math.ts";
import * as text from "../text.ts";
import { s, set } from "./dom.ts";
import { mark, type Role } from "./marks.ts";

export type Point = readonly [number, number];

export interface Mark {
  id: string;
  /** Short, drawn beside the mark. */
  label: string;
  /** In words, for a screen reader. */
  name: string;
  role: Role;
  at: Point;
  movable: boolean;
}

export interface Segment {
  from: Point;
  to: Point;
  look: string;
  width?: number;
}

const HALF = 140;
const MARGIN = 18;
const ARROWS: Record<string, Point> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** The smallest of 1, 1.5, 2 … that leaves room around all points and is at least `least`. */
const limitFor = (points: readonly Point[], least: number): number =>
  Math.max(least, Math.ceil(2 * Math.max(...points.flat().map(Math.abs)) + 0.2) / 2);

export class Plane {
  readonly element: SVGSVGElement;
  private readonly grid = s("g", { class: "grid", "aria-hidden": "true" });
  private readonly lines = s("g", { "aria-hidden": "true" });
  private readonly marks = new Map<string, { handle: SVGGElement; label: SVGTextElement }>();
  private current = new Map<string, Mark>();
  private limit = 0;
  private dragged: string | undefined;
  private readonly move: (id: string, at: Point) => void;
  private readonly least: number;

  constructor(label: string, least: number, move: (id: string, at: Point) => void) {
    this.move = move;
    this.least = least;
    const side = HALF + MARGIN;
    this.element = s(
      "svg",
      {
        class: "plane",
        viewBox: `${-side} ${-side} ${2 * side} ${2 * side}`,
        role: "group",
        "aria-label": label,
      },
      this.grid,
      this.lines,
    );
  }

  update(marks: readonly Mark[], segments: readonly Segment[]): void {
    this.current = new Map(marks.map((m) => [m.id, m]));
    const limit = limitFor(
      marks.map((m) => m.at),
      this.least,
    );
    // The frame does not change during a drag, only when a number is typed.
    if (limit !== this.limit && this.dragged === undefined) this.drawGrid((this.limit = limit));
    this.lines.replaceChildren(...segments.map((segment) => this.line(segment)));
    for (const [id, parts] of this.marks) {
      if (this.current.has(id)) continue;
      parts.handle.remove();
      this.marks.delete(id);
    }
    for (const m of marks) this.place(m);
  }

  private place(m: Mark): void {
    const { handle, label } = this.marks.get(m.id) ?? this.create(m);
    const [x, y] = this.toScreen(m.at);
    handle.setAttribute("transform", `translate(${x} ${y})`);
    handle.setAttribute("aria-label", `${m.name} ${text.vector(m.at)}`);
    const distance = Math.hypot(x, y);
    // The label stands away from the origin, off the vector's own line; the output's to the right.
    const [ux, uy] = m.role === "output" || distance < 1 ? [0.9, 0.6] : [x / distance, y / distance];
    const far = HALF + MARGIN - 12;
    set(label, {
      x: clamp(x + 19 * ux, -far, far) - x,
      y: clamp(y + 19 * uy, -far, far) - y,
    });
  }

  private create(m: Mark): { handle: SVGGElement; label: SVGTextElement } {
    const label = s("text", { class: `label ${m.role}`, "aria-hidden": "true" }, m.label);
    const handle = s("g", { class: "handle", role: "img" }, mark(m.role), label);
    if (m.movable) this.makeMovable(handle, m.id);
    this.element.append(handle);
    const parts = { handle, label };
    this.marks.set(m.id, parts);
    return parts;
  }

  private makeMovable(handle: SVGGElement, id: string): void {
    set(handle, { class: "handle movable", tabindex: 0, role: "application" });
    handle.setAttribute("aria-roledescription", "movable point, use the arrow keys");
    handle.prepend(s("circle", { class: "hit", r: 22 }), s("circle", { class: "ring", r: 15 }));
    handle.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      handle.setPointerCapture(event.pointerId);
      handle.focus({ preventScroll: true });
      this.dragged = id;
      event.preventDefault();
    });
    handle.addEventListener("pointermove", (event) => {
      if (this.dragged === id) this.move(id, this.fromScreen(event));
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
      handle.addEventListener(end, () => (this.dragged = undefined));
    }
    handle.addEventListener("keydown", (event) => {
      const arrow = ARROWS[event.key];
      if (!arrow || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const by = event.shiftKey ? 0.5 : 0.1;
      const [x, y] = this.current.get(id)!.at;
      this.move(id, [tidy(x + by * arrow[0]), tidy(y + by * arrow[1])]);
    });
  }

  private toScreen([x, y]: Point): Point {
    return [(x / this.limit) * HALF, (-y / this.limit) * HALF];
  }

  private fromScreen(event: PointerEvent): Point {
    const box = this.element.getBoundingClientRect();
    const unit = (2 * (HALF + MARGIN)) / box.width;
    const x = (event.clientX - box.left - box.width / 2) * unit;
    const y = (event.clientY - box.top - box.height / 2) * unit;
    const scale = (pixels: number): number =>
      snap(clamp((pixels / HALF) * this.limit, -this.limit, this.limit), 0.05);
    return [scale(x), scale(-y)];
  }

  private line({ from, to, look, width }: Segment): SVGLineElement {
    const [x1, y1] = this.toScreen(from);
    const [x2, y2] = this.toScreen(to);
    return s("line", { x1, y1, x2, y2, class: look, "stroke-width": width });
  }

  private drawGrid(limit: number): void {
    const unit = HALF / limit;
    const every = limit <= 4 ? 1 : Math.ceil(limit / 4);
    const parts: SVGElement[] = [s("rect", { x: -HALF, y: -HALF, width: 2 * HALF, height: 2 * HALF })];
    for (let n = -Math.floor(limit / every) * every; n <= limit; n += every) {
      const at = n * unit;
      const look = n === 0 ? "axis" : "";
      parts.push(s("line", { x1: at, x2: at, y1: -HALF, y2: HALF, class: look }));
      parts.push(s("line", { y1: -at, y2: -at, x1: -HALF, x2: HALF, class: look }));
      parts.push(s("text", { x: at, y: HALF + 13, class: "tick" }, text.number(n, 0)));
      parts.push(s("text", { x: -HALF - 9, y: 4 - at, class: "tick" }, text.number(n, 0)));
    }
    this.grid.replaceChildren(...parts);
  }
}
