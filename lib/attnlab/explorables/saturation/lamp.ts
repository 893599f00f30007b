// A lamp that is as bright as a gradient is large.
import * as text from "../text.ts";
import { h, s, set } from "../ui/dom.ts";

const RAYS = 16;
/** Where rays begin, and how far they can reach: units of the drawing. */
const [FROM, REACH] = [25, 26];
/** Below this share of a full lamp's light it is out. */
const OUT = 0.1;

export class Lamp {
  readonly element = h("div", { class: "lamp" });
  private readonly drawing = s("svg", { viewBox: "-52 -52 104 104", "aria-hidden": "true" });
  private readonly value = h("b");

  constructor(label: string) {
    const rays = Array.from({ length: RAYS }, (_, i) =>
      s("line", { x1: FROM, x2: FROM + REACH, transform: `rotate(${(360 * i) / RAYS})` }),
    );
    this.drawing.append(...rays, s("circle", { r: 20 }));
    this.element.append(this.drawing, this.value, label);
  }

  /** Shows a gradient; a lamp with `light` 1 is full, a brighter one has longer rays. */
  update(gradient: number, light: number): void {
    this.drawing.style.setProperty("--light", String(light));
    set(this.element, { "data-out": light < OUT });
    this.value.textContent = text.number(gradient, 3);
  }
}
