// The parts of the row: words with their weights, lines from the query, the plane of values.
import type { Matrix, Vector } from "../math.ts";
import * as text from "../text.ts";
import { h, s, set } from "../ui/dom.ts";
import { mark } from "../ui/marks.ts";
import { Table } from "../ui/value_table.ts";
import type { Row } from "./arithmetic.ts";

const [WIDE, HIGH] = [400, 40];
const [HALF, FLAT] = [100, 72]; // half the sides of the plane

/** The words as keys: a bar as high as the weight is large, its number, the word. */
export function wordsOf(tokens: readonly string[]) {
  const bars = tokens.map(() => h("div", { class: "bar" }));
  const numbers = tokens.map(() => h("div", { class: "weight" }));
  const columns = tokens.map((token, i) => {
    const place = h("div", { class: "place", "aria-hidden": "true" }, bars[i]!);
    return h("li", {}, place, numbers[i]!, h("div", { class: "name key" }, token));
  });
  return {
    element: h("ul", { class: "words", "aria-label": "Weight of each word" }, ...columns),
    update(weights: Vector): void {
      bars.forEach((bar, i) => (bar.style.height = `${100 * weights[i]!}%`));
      numbers.forEach((number, i) => (number.textContent = text.number(weights[i]!)));
    },
  };
}

/** From the word that asks, below, to each word above: the line is as thick as its weight. */
export function linesOf(count: number) {
  const paths = Array.from({ length: count }, () => s("path"));
  const size = { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none" };
  return {
    element: s("svg", { class: "lines", ...size, "aria-hidden": "true" }, ...paths),
    update(weights: Vector, selected: number): void {
      const at = (i: number): number => ((i + 0.5) * WIDE) / count;
      const [from, middle] = [at(selected), HIGH / 2];
      paths.forEach((path, i) => {
        const d = `M${from} ${HIGH - 4}C${from} ${middle} ${at(i)} ${middle} ${at(i)} 4`;
        set(path, { d, "stroke-width": 0.5 + 10 * weights[i]! });
      });
    },
  };
}

/** The plane with the value of each word, and the output among them. */
export function mapOf(tokens: readonly string[], value: Matrix) {
  const lines = tokens.map(() => s("line", { class: "share" }));
  const labels = tokens.map((token) => s("text", { class: "label value" }, token));
  const values = labels.map((label, i) => {
    const [x, y] = screen(value[i]!);
    return s("g", { transform: `translate(${x} ${y})` }, mark("value"), label);
  });
  const moving = s("g", { class: "moving" }, mark("output"));
  const [w, t] = [HALF + 24, FLAT + 22];
  const element = s("svg", { class: "plane map", viewBox: `${-w} ${-t} ${2 * w} ${2 * t}`, role: "img" });
  const edge = s("rect", { x: -w + 1, y: -t + 1, width: 2 * w - 2, height: 2 * t - 2 });
  element.append(edge, ...lines, ...values, moving);
  return {
    element,
    update(weights: Vector, output: Vector): void {
      const [x, y] = screen(output);
      moving.style.transform = `translate(${x}px, ${y}px)`;
      lines.forEach((line, i) => {
        const [x2, y2] = screen(value[i]!);
        set(line, { x1: x, y1: y, x2, y2, "stroke-width": 0.5 + 6 * weights[i]! });
        place(labels[i]!, x - x2, y - y2);
      });
      set(element, { "aria-label": `The output, ${text.vector(output)}, among the values` });
    },
  };
}

/** How far the output's mark reaches to its sides, up and down, with some room. */
const [ASIDE, UP, DOWN] = [15, 17, 10];
const BELOW = 18;

/** Writes a value's name below its mark, or above where the output, so far off, would cover it. */
function place(label: SVGTextElement, dx: number, dy: number): void {
  const half = 0.45 * parseFloat(getComputedStyle(label).fontSize); // of the letters' height
  const isClear = Math.abs(dx) > ASIDE + label.getComputedTextLength() / 2 || dy - UP > BELOW + half;
  const [below, above] = [Math.max(BELOW, dy + DOWN + half), Math.min(-BELOW, dy - UP - half)];
  set(label, { y: isClear || dy + DOWN < BELOW - half ? BELOW : dy < DOWN ? below : above });
}

const screen = ([x, y]: Vector): [number, number] => [x! * HALF, -y! * FLAT];

/** Score, weight and value of each word, and the output that they make. */
export function table(asking: string, tokens: readonly string[], value: Matrix, row: Row): HTMLElement {
  const made = new Table("The numbers of each word", [`query: ${asking}`, "score", "weight", "value"]);
  const rows = tokens.map((head, i) => {
    const weight = row.weights[i]!;
    const heat = { value: weight, kind: "weights" } as const;
    return { head, cells: [text.number(row.scores[i]!), { text: text.number(weight), heat }, text.vector(value[i]!)] };
  });
  made.update(rows, { head: "output", cells: ["", "1.00", text.vector(row.output)] });
  return made.element;
}
