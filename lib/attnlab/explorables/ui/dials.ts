// A clock for each pair of features, with a hand of the query and one of the key.
import { h, s } from "./dom.ts";
import { mark, type Role } from "./marks.ts";

const RADIUS = 46;
const SIDE = 60;

export interface Dial {
  /** Angles of the two hands from the right, counted like those of a plane, in radians. */
  query: number;
  key: number;
  label: string;
}

export class Dials {
  readonly element = h("div", { class: "dials", "aria-hidden": "true" });

  update(dials: readonly Dial[]): void {
    this.element.replaceChildren(...dials.map(picture));
  }
}

function picture({ query, key, label }: Dial): HTMLElement {
  const viewBox = `${-SIDE} ${-SIDE} ${2 * SIDE} ${2 * SIDE}`;
  const svg = s("svg", { viewBox }, s("circle", { class: "face", r: RADIUS }));
  // The query's hand is the shorter one, so that both are seen where they point the same way.
  svg.append(...hand("key", key, RADIUS), ...hand("query", query, RADIUS * 0.62));
  return h("figure", { class: "dial" }, svg, h("figcaption", {}, label));
}

function hand(role: Role, angle: number, length: number): SVGElement[] {
  const [x, y] = [length * Math.cos(angle), -length * Math.sin(angle)];
  const tip = mark(role);
  tip.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  return [s("line", { class: role, x2: x.toFixed(1), y2: y.toFixed(1) }), tip];
}
