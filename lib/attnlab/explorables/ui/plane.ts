// A plane with vectors whose ends can be moved by pointer, touch or arrow keys.
import { clamp, snap, tidy } from "../math.ts";
import * as text from "../text.ts";
import { ARROWS, follow, pointIn, s, set } from "./dom.ts";
import { mark, type Role } from "./marks.ts";
import type { Frame, FrameFor, Point } from "./plane_frame.ts";

export type { Point } from "./plane_frame.ts";

export interface Mark {
  id: string;
  /** Short, drawn beside the mark. */
  label: string;
  /** In words, for a screen reader. */
  name: string;
  role: Role;
  at: Point;
  movable: boolean;
  /** What the label stands away from, with its line; the origin by default. */
  from?: Point;
}

export interface Segment {
  from: Point;
  to: Point;
  look: string;
  width?: number;
}

const HALF = 140;
/** Room for the numbers at the left and below, and for half a mark at the other edges. */
const [LEFT, RIGHT, TOP, BOTTOM] = [34, 10, 10, 20];
const VIEW = [-HALF - LEFT, -HALF - TOP, LEFT + 2 * HALF + RIGHT, TOP + 2 * HALF + BOTTOM];

export class Plane {
  readonly element: SVGSVGElement;
  private readonly grid = s("g", { class: "grid", "aria-hidden": "true" });
  private readonly lines = s("g", { "aria-hidden": "true" });
  private readonly marks = new Map<string, { handle: SVGGElement; label: SVGTextElement }>();
  private current = new Map<string, Mark>();
  private frame: Frame = { centre: [0, 0], half: 1, every: 1 };
  private drawn: string | undefined;
  private dragged: string | undefined;
  private readonly move: (id: string, at: Point) => void;
  private readonly frameFor: FrameFor;
  private segments: readonly Segment[] = [];

  constructor(label: string, frameFor: FrameFor, move: (id: string, at: Point) => void) {
    this.move = move;
    this.frameFor = frameFor;
    const viewBox = VIEW.join(" ");
    this.element = s("svg", { class: "plane", viewBox, role: "group", "aria-label": label }, this.grid, this.lines);
  }

  update(marks: readonly Mark[], segments: readonly Segment[]): void {
    this.current = new Map(marks.map((m) => [m.id, m]));
    this.segments = segments;
    // The frame does not change during a drag, only when a number is typed or a mark let go.
    if (this.dragged === undefined) this.setFrame(this.frameFor(marks.map((m) => m.at)));
    this.lines.replaceChildren(...segments.map((segment) => this.line(segment)));
    for (const [id, parts] of this.marks) {
      if (this.current.has(id)) continue;
      parts.handle.remove();
      this.marks.delete(id);
    }
    for (const m of marks) this.place(m);
  }

  private setFrame(frame: Frame): void {
    const key = JSON.stringify(frame);
    if (key === this.drawn) return;
    [this.frame, this.drawn] = [frame, key];
    this.drawGrid(frame);
  }

  private place(m: Mark): void {
    const { handle, label } = this.marks.get(m.id) ?? this.create(m);
    const [x, y] = this.toScreen(m.at);
    handle.setAttribute("transform", `translate(${x} ${y})`);
    handle.setAttribute("aria-label", `${m.name} ${text.vector(m.at)}`);
    const [x0, y0] = this.toScreen(m.from ?? [0, 0]);
    const distance = Math.hypot(x - x0, y - y0);
    // The label stands off the vector's own line; the output's to the right.
    const isClose = m.role === "output" || distance < 1;
    const [ux, uy] = isClose ? [0.9, 0.6] : [(x - x0) / distance, (y - y0) / distance];
    set(label, { x: clamp(x + 20 * ux, -HALF, HALF) - x, y: clamp(y + 20 * uy, -HALF, HALF) - y });
  }

  private create(m: Mark): { handle: SVGGElement; label: SVGTextElement } {
    const label = s("text", { class: `label ${m.role}`, "aria-hidden": "true" }, m.label);
    const handle = s("g", { class: "handle", role: "img" }, mark(m.role), label);
    if (m.movable) this.makeMovable(handle, m.id);
    this.element.append(handle);
    this.marks.set(m.id, { handle, label });
    return { handle, label };
  }

  private makeMovable(handle: SVGGElement, id: string): void {
    set(handle, { class: "handle movable", tabindex: 0, role: "application" });
    handle.setAttribute("aria-roledescription", "movable point, use the arrow keys");
    handle.prepend(s("circle", { class: "hit", r: 22 }), s("circle", { class: "ring", r: 15 }));
    const press = (): void => {
      handle.focus({ preventScroll: true });
      this.dragged = id;
    };
    follow(handle, press, (event) => this.move(id, this.fromScreen(event)));
    handle.addEventListener("lostpointercapture", () => this.drop());
    handle.addEventListener("keydown", (event) => {
      const arrow = ARROWS[event.key];
      if (!arrow || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const by = event.shiftKey ? 0.5 : 0.1;
      const [x, y] = this.current.get(id)!.at;
      this.move(id, [tidy(x + by * arrow[1]), tidy(y - by * arrow[0])]);
    });
  }

  /** Ends a drag; what was dragged to the edge has room around it again. */
  private drop(): void {
    if (this.dragged === undefined) return;
    this.dragged = undefined;
    this.update([...this.current.values()], this.segments);
  }

  private toScreen([x, y]: Point): Point {
    const { centre, half } = this.frame;
    return [((x - centre[0]) / half) * HALF, ((centre[1] - y) / half) * HALF];
  }

  private fromScreen(event: PointerEvent): Point {
    const [x, y] = pointIn(this.element, event);
    const { centre, half } = this.frame;
    const within = (pixels: number, middle: number): number =>
      snap(clamp(middle + (pixels / HALF) * half, middle - half, middle + half), 0.05);
    return [within(x, centre[0]), within(-y, centre[1])];
  }

  private line({ from, to, look, width }: Segment): SVGLineElement {
    const [x1, y1] = this.toScreen(from);
    const [x2, y2] = this.toScreen(to);
    return s("line", { x1, y1, x2, y2, class: look, "stroke-width": width });
  }

  private drawGrid({ centre, half, every }: Frame): void {
    const parts: SVGElement[] = [s("rect", { x: -HALF, y: -HALF, width: 2 * HALF, height: 2 * HALF })];
    const decimals = Math.max(0, Math.ceil(-Math.log10(every) - 1e-9));
    const steps = (axis: 0 | 1): number[] => {
      const first = Math.ceil((centre[axis] - half) / every - 1e-9);
      const last = Math.floor((centre[axis] + half) / every + 1e-9);
      return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * every);
    };
    for (const n of steps(0)) {
      const [at] = this.toScreen([n, 0]);
      parts.push(s("line", { x1: at, x2: at, y1: -HALF, y2: HALF, class: lookOf(n) }));
      parts.push(s("text", { x: at, y: HALF + 15, class: "tick" }, text.number(n, decimals)));
    }
    for (const n of steps(1)) {
      const [, at] = this.toScreen([0, n]);
      parts.push(s("line", { y1: at, y2: at, x1: -HALF, x2: HALF, class: lookOf(n) }));
      parts.push(s("text", { x: -HALF - 5, y: at + 4.5, class: "tick row" }, text.number(n, decimals)));
    }
    this.grid.replaceChildren(...parts);
  }
}

const lookOf = (n: number): string => (Math.abs(n) < 1e-9 ? "axis" : "");
