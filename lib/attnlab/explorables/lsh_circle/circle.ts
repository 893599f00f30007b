// Keys on a circle, the query's bucket of each round as an arc, and a query that can be dragged.
import { pointIn, s } from "../ui/dom.ts";
import { mark } from "../ui/marks.ts";

const RADIUS = 88;
const SIDE = 158;
const RING = 7;

export interface View {
  query: number;
  angles: readonly number[];
  /** For each round, where the query's bucket begins and how wide it is, in degrees. */
  arcs: readonly { from: number; width: number }[];
  met: readonly boolean[];
  nearest: readonly number[];
}

export class Circle {
  readonly element: SVGSVGElement;
  private readonly drawn = s("g");
  private readonly query = s("g", { class: "handle movable" });

  constructor(move: (degrees: number) => void) {
    const viewBox = `${-SIDE} ${-SIDE} ${2 * SIDE} ${2 * SIDE}`;
    this.element = s("svg", { class: "plane circle", viewBox, role: "img" }, this.drawn, this.query);
    this.query.append(s("circle", { class: "hit", r: 24 }), s("circle", { class: "ring", r: 14 }));
    this.query.append(mark("query"));
    this.query.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.query.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    this.query.addEventListener("pointermove", (event) => {
      if (!this.query.hasPointerCapture(event.pointerId)) return;
      const [x, y] = pointIn(this.element, event);
      move((Math.round((Math.atan2(-y, x) * 180) / Math.PI) + 360) % 360);
    });
  }

  update({ query, angles, arcs, met, nearest }: View): void {
    const parts: SVGElement[] = [s("circle", { class: "face", r: RADIUS })];
    const [x, y] = at(query, RADIUS - 22);
    parts.push(s("line", { class: "query", x2: x, y2: y }));
    arcs.forEach(({ from, width }, round) =>
      parts.push(s("path", { class: "arc", d: arc(from, width, RADIUS + 14 + round * RING) })),
    );
    angles.forEach((angle, i) => {
      const [kx, ky] = at(angle, RADIUS);
      const look = `spot ${met[i] ? "met" : "missed"}`;
      const key = s("g", { class: look, transform: `translate(${kx} ${ky})` });
      if (nearest.includes(i)) key.append(s("circle", { class: "near", r: 10 }));
      key.append(s("rect", { class: "key", x: -5, y: -5, width: 10, height: 10 }));
      parts.push(key);
    });
    this.drawn.replaceChildren(...parts);
    this.query.setAttribute("transform", `translate(${x} ${y})`);
  }
}

const at = (degrees: number, radius: number): [string, string] => {
  const angle = (degrees * Math.PI) / 180;
  return [(radius * Math.cos(angle)).toFixed(1), (-radius * Math.sin(angle)).toFixed(1)];
};

function arc(from: number, width: number, radius: number): string {
  const [start, end] = [at(from, radius), at(from + width, radius)];
  return `M${start.join(" ")}A${radius} ${radius} 0 ${width > 180 ? 1 : 0} 0 ${end.join(" ")}`;
}
