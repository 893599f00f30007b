// One query's weights as ribbons to the keys above it, each as thick as its weight is large.
import { h, s } from "./dom.ts";

const CELL = 62;
const HEIGHT = 120;
const HIT = 28; // high enough for a finger

export class Ribbons {
  readonly element = h("div", { class: "scroll ribbons", "aria-hidden": "true" });
  private readonly choose: (query: number) => void;

  /** A click on a query's word chooses it; the caller offers the same to a keyboard. */
  constructor(choose: (query: number) => void) {
    this.choose = choose;
  }

  /** Draws the keys above, the queries below, and the ribbons of the query at `selected`. */
  update(
    queries: readonly string[],
    keys: readonly string[],
    weights: readonly number[],
    selected: number,
  ): void {
    const wide = Math.max(queries.length, keys.length) * CELL;
    const at = (i: number, count: number): number => ((i + 0.5) * wide) / count;
    const from = at(selected, queries.length);
    const lines = keys.map((_, j) => {
      const to = at(j, keys.length);
      const d = `M${from} ${HEIGHT - 26} C${from} ${HEIGHT / 2} ${to} ${HEIGHT / 2} ${to} 26`;
      return s("path", { d, class: "ribbon", "stroke-width": 0.5 + 11 * weights[j]! });
    });
    const above = keys.map((word, j) => label(word, "key", at(j, keys.length), 16));
    const below = queries.map((word, i) => {
      const x = at(i, queries.length);
      const look = i === selected ? "query" : "query other";
      const size = { width: CELL, height: HIT, x: x - CELL / 2, y: HEIGHT - HIT };
      const hit = s("rect", { class: "hit", ...size });
      const group = s("g", { class: "choosable" }, hit, label(word, look, x, HEIGHT - 8));
      group.addEventListener("click", () => this.choose(i));
      return group;
    });
    const viewBox = `0 0 ${wide} ${HEIGHT}`;
    const style = `max-width:${wide}px`;
    this.element.replaceChildren(s("svg", { viewBox, style }, ...lines, ...above, ...below));
  }
}

const label = (word: string, look: string, x: number, y: number): SVGTextElement =>
  s("text", { class: `label ${look}`, x, y }, word);
