// A picture that is cut into patches: pixels are drawn by mouse, finger or keyboard, and each patch
// has a frame as thick as its weight.
import { clamp, type Matrix, type Vector } from "../math.ts";
import * as text from "../text.ts";
import { ARROWS, follow, pointIn, s, set } from "../ui/dom.ts";
import { GRID, PIXELS, SIDE } from "./arithmetic.ts";

/** The side of a pixel, the room around patches and between them, and that for a number below each. */
const [PIXEL, EDGE, GAP, LINE] = [14, 6, 11, 24];
const [ACROSS, DOWN] = [PIXELS * PIXEL + GAP, PIXELS * PIXEL + LINE];
/** The frame of a patch with the weight 1. */
const FRAME = 5;
/** How many shades a pixel can have. */
const SHADES = 5;

const left = (x: number): number => x * PIXEL + Math.floor(x / PIXELS) * GAP;
const top = (y: number): number => y * PIXEL + Math.floor(y / PIXELS) * LINE;
export const patchAt = (pixel: number): number =>
  GRID * Math.floor(pixel / SIDE / PIXELS) + Math.floor((pixel % SIDE) / PIXELS);
export const place = (patch: number): string => `row ${Math.floor(patch / GRID) + 1}, column ${(patch % GRID) + 1}`;

export class Picture {
  readonly element: SVGSVGElement;
  /** The pixel that keys act on, and in whose patch buttons draw. */
  pixel = (PIXELS + 2) * SIDE + PIXELS + 2;
  private readonly draw: (pixels: readonly number[], isInk: boolean) => void;
  private readonly grounds: SVGRectElement[];
  private readonly frames: SVGRectElement[];
  private readonly numbers: SVGTextElement[];
  private readonly shades = Array.from({ length: SHADES }, (_, i) => s("path", { class: "pixels", opacity: (i + 1) / SHADES }));
  private readonly marked = s("rect", { class: "marked", width: PIXELS * PIXEL + 4, height: PIXELS * PIXEL + 4 });
  private readonly cursor = s("rect", { class: "cursor", width: PIXEL, height: PIXEL });
  private ink: readonly string[] = [];
  /** What the present stroke does. */
  private brush = true;

  constructor(draw: (pixels: readonly number[], isInk: boolean) => void) {
    this.draw = draw;
    const [rows, size] = [Array.from({ length: GRID * GRID }, (_, i) => i), PIXELS * PIXEL];
    const [x, y] = [(i: number) => (i % GRID) * ACROSS, (i: number) => Math.floor(i / GRID) * DOWN];
    this.grounds = rows.map((i) => s("rect", { class: "ground", x: x(i), y: y(i), width: size, height: size }));
    this.frames = rows.map(() => s("rect", { class: "frame" }));
    this.numbers = rows.map((i) => s("text", { x: x(i) + size / 2, y: y(i) + size + 18 }));
    this.element = s("svg", {
      class: "picture",
      viewBox: `${-EDGE} ${-EDGE} ${GRID * ACROSS - GAP + 2 * EDGE} ${GRID * DOWN + EDGE}`,
      tabindex: 0,
      role: "slider",
      "aria-label": "Pixel of the picture; arrow keys move, space draws or erases",
      "aria-valuemin": 0,
      "aria-valuemax": SIDE * SIDE - 1,
    });
    this.element.append(...this.grounds, ...this.shades, ...this.frames, ...this.numbers, this.marked, this.cursor);
    this.element.addEventListener("keydown", (event) => this.key(event));
    follow(this.element, (event) => this.press(event), (event) => this.stroke(event));
    this.mark(this.pixel);
  }

  update(ink: readonly string[], patches: Matrix, weights: Vector): void {
    this.ink = ink;
    const paths = this.shades.map(() => "");
    patches.forEach((pixels, patch) =>
      pixels.forEach((value, at) => {
        const shade = Math.min(SHADES, Math.round(value * SHADES)) - 1;
        const y = PIXELS * Math.floor(patch / GRID) + Math.floor(at / PIXELS);
        const x = PIXELS * (patch % GRID) + (at % PIXELS);
        if (shade >= 0) paths[shade] += `M${left(x)} ${top(y)}h${PIXEL}v${PIXEL}h-${PIXEL}z`;
      }),
    );
    paths.forEach((d, i) => set(this.shades[i]!, { d }));
    weights.forEach((weight, i) => {
      // Around the patch: what is attended to stays in view.
      const [wide, size] = [FRAME * weight, PIXELS * PIXEL + FRAME * weight];
      const [x, y] = [(i % GRID) * ACROSS - wide / 2, Math.floor(i / GRID) * DOWN - wide / 2];
      set(this.frames[i]!, { x, y, width: size, height: size, "stroke-width": wide });
      set(this.numbers[i]!, { class: weight < 0.005 && "none" });
      this.numbers[i]!.textContent = text.number(weight);
    });
    this.mark(this.pixel);
  }

  private isInk(pixel: number): boolean {
    return this.ink[Math.floor(pixel / SIDE)]?.[pixel % SIDE] === "#";
  }

  private mark(pixel: number): void {
    this.pixel = pixel;
    const [x, y, patch] = [pixel % SIDE, Math.floor(pixel / SIDE), patchAt(pixel)];
    set(this.cursor, { x: left(x), y: top(y) });
    set(this.marked, { x: (patch % GRID) * ACROSS - 2, y: Math.floor(patch / GRID) * DOWN - 2 });
    set(this.element, {
      "aria-valuenow": pixel,
      "aria-valuetext": `${this.isInk(pixel) ? "ink" : "paper"}, pixel ${(y % PIXELS) + 1}, ${(x % PIXELS) + 1} of the patch in ${place(patch)}`,
    });
  }

  private key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = ARROWS[event.key];
    if (!step && event.key !== " ") return;
    event.preventDefault();
    if (!step) return this.draw([this.pixel], !this.isInk(this.pixel));
    const within = (x: number): number => clamp(x, 0, SIDE - 1);
    this.mark(within(Math.floor(this.pixel / SIDE) + step[0]) * SIDE + within((this.pixel % SIDE) + step[1]));
  }

  private press(event: PointerEvent): false | void {
    // Between the patches a finger scrolls the page.
    if (!this.grounds.includes(event.target as SVGRectElement)) return false;
    this.element.focus({ preventScroll: true });
    this.mark(this.find(event));
    this.brush = !this.isInk(this.pixel);
    this.draw([this.pixel], this.brush);
  }

  private stroke(event: PointerEvent): void {
    // A fast stroke jumps: what lies between is drawn as well.
    const [from, to] = [this.pixel, this.find(event)];
    const [x, y] = [(to % SIDE) - (from % SIDE), Math.floor(to / SIDE) - Math.floor(from / SIDE)];
    const steps = Math.max(Math.abs(x), Math.abs(y));
    if (steps === 0) return;
    const passed = Array.from({ length: steps }, (_, i) => {
      const [across, down] = [x, y].map((d) => Math.round((d * (i + 1)) / steps));
      return from + SIDE * down! + across!;
    });
    this.mark(to);
    this.draw(passed, this.brush);
  }

  /** The pixel at a point; the rooms between patches belong to the pixels before them. */
  private find(event: PointerEvent): number {
    const [x, y] = pointIn(this.element, event);
    const along = (at: number, pitch: number): number => {
      const patch = clamp(Math.floor(at / pitch), 0, GRID - 1);
      const pixel = Math.floor((at - patch * pitch) / PIXEL);
      return PIXELS * patch + clamp(pixel, 0, PIXELS - 1);
    };
    return SIDE * along(y, DOWN) + along(x, ACROSS);
  }
}
