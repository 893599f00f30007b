// The names of lines at their ends, in the look of each line.
import { s } from "./dom.ts";

/** The least distance of two names, in the units of a chart that is drawn at about its own size. */
const APART = 16;

/** From top to bottom, none upon another: each with its class, its name and how low its line ends. */
export function lineEnds(ends: readonly (readonly [kind: string, name: string, y: number])[], x: number): SVGElement[] {
  let free = -Infinity;
  return [...ends]
    .sort((a, b) => a[2] - b[2])
    .map(([kind, name, y]) => {
      const at = Math.max(free, y);
      free = at + APART;
      return s("text", { class: `line-end ${kind}`, x, y: at + 4 }, name);
    });
}
