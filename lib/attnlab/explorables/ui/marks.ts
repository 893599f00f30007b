// The marks of queries, keys, values and outputs: the shape repeats what the colour says.
import { s } from "./dom.ts";

export type Role = "query" | "key" | "value" | "output";

const triangle = (r: number): string =>
  `M0 ${-r} L${(r * 0.87).toFixed(2)} ${(r * 0.5).toFixed(2)} L${(-r * 0.87).toFixed(2)} ${(r * 0.5).toFixed(2)} Z`;

/** The mark of a role, centred at the origin. */
export function mark(role: Role): SVGGElement {
  const group = s("g", { class: `mark ${role}` });
  if (role === "query") group.append(s("circle", { r: 7 }));
  if (role === "key") group.append(s("rect", { x: -6.5, y: -6.5, width: 13, height: 13 }));
  if (role === "output") group.append(s("path", { d: triangle(15), class: "outline" }));
  if (role === "value" || role === "output") group.append(s("path", { d: triangle(8.5) }));
  return group;
}

/** The same mark as a small picture in a line of text. */
export function icon(role: Role): SVGSVGElement {
  const size = role === "output" ? 17 : 10;
  const viewBox = `${-size} ${-size} ${2 * size} ${2 * size}`;
  return s("svg", { class: "icon", viewBox, "aria-hidden": "true" }, mark(role));
}
