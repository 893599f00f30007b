// The parts of the row: words with their weights, lines from the query, the plane of values.
import type { Matrix, Vector } from "../math.ts";
import * as text from "../text.ts";
import { cellStyle } from "../ui/cell_style.ts";
import { h, s, set } from "../ui/dom.ts";
import { mark } from "../ui/marks.ts";
import { strokeOf } from "../ui/scales.ts";
import type { Row } from "./arithmetic.ts";

const [WIDE, HIGH] = [400, 40];
const [HALF, FLAT] = [100, 72]; // half the sides of the plane

/** The words as keys: a bar as high as the weight is large, its number, the word. */
export class Words {
  readonly element: HTMLElement;
  private readonly bars: HTMLElement[];
  private readonly numbers: HTMLElement[];

  constructor(tokens: readonly string[]) {
    this.bars = tokens.map(() => h("div", { class: "bar" }));
    this.numbers = tokens.map(() => h("div", { class: "weight" }));
    const columns = tokens.map((token, i) =>
      h(
        "li",
        {},
        h("div", { class: "place", "aria-hidden": "true" }, this.bars[i]!),
        this.numbers[i]!,
        h("div", { class: "name key" }, token),
      ),
    );
    this.element = h("ul", { class: "words", "aria-label": "Weight of each word" }, ...columns);
  }

  update(weights: Vector): void {
    this.bars.forEach((bar, i) => (bar.style.height = `${100 * weights[i]!}%`));
    this.numbers.forEach((number, i) => (number.textContent = text.number(weights[i]!)));
  }
}

/** From the word that asks, below, to each word above: the line is as thick as its weight. */
export class Lines {
  readonly element: SVGSVGElement;
  private readonly paths: SVGPathElement[];

  constructor(count: number) {
    this.paths = Array.from({ length: count }, () => s("path"));
    const size = { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none" };
    this.element = s("svg", { class: "lines", ...size, "aria-hidden": "true" }, ...this.paths);
  }

  update(weights: Vector, selected: number): void {
    const at = (i: number) => ((i + 0.5) * WIDE) / weights.length;
    const from = at(selected);
    this.paths.forEach((path, i) => {
      const middle = HIGH / 2;
      path.setAttribute("d", `M${from} ${HIGH - 4}C${from} ${middle} ${at(i)} ${middle} ${at(i)} 4`);
      path.setAttribute("stroke-width", String(strokeOf(weights[i]!)));
    });
  }
}

/** The plane with the value of each word, and the output among them. */
export class Map {
  readonly element: SVGSVGElement;
  private readonly lines: SVGLineElement[];
  private readonly labels: SVGTextElement[];
  private readonly output: SVGGElement;
  private readonly value: Matrix;

  constructor(tokens: readonly string[], value: Matrix) {
    this.value = value;
    this.lines = tokens.map(() => s("line", { class: "share" }));
    this.labels = tokens.map((token) => s("text", { class: "label value" }, token));
    const values = this.labels.map((label, i) => {
      const [x, y] = screen(value[i]!);
      return s("g", { transform: `translate(${x} ${y})` }, mark("value"), label);
    });
    this.output = s("g", { class: "moving" }, mark("output"));
    const [w, t] = [HALF + 24, FLAT + 22];
    this.element = s(
      "svg",
      { class: "map", viewBox: `${-w} ${-t} ${2 * w} ${2 * t}`, role: "img" },
      s("rect", { x: -w + 1, y: -t + 1, width: 2 * w - 2, height: 2 * t - 2 }),
      ...this.lines,
      ...values,
      this.output,
    );
  }

  update(weights: Vector, output: Vector): void {
    const [x, y] = screen(output);
    this.output.style.transform = `translate(${x}px, ${y}px)`;
    this.lines.forEach((line, i) => {
      const [x2, y2] = screen(this.value[i]!);
      const ends = { x1: x, y1: y, x2, y2, "stroke-width": strokeOf(weights[i]!) };
      for (const [name, number] of Object.entries(ends)) line.setAttribute(name, String(number));
      place(this.labels[i]!, x - x2, y - y2);
    });
    this.element.setAttribute("aria-label", `The output, ${text.vector(output)}, among the values`);
  }
}

/** How far the output's mark reaches to its sides, up and down, with some room. */
const [ASIDE, UP, DOWN] = [15, 17, 10];
/** How far a name stands from its value at least, and how far the value's own mark reaches up. */
const [BELOW, OWN] = [18, 9];

/** Writes a value's name below its mark, or above where the output, so far off, would cover it. */
function place(label: SVGTextElement, dx: number, dy: number): void {
  const half = 0.45 * parseFloat(getComputedStyle(label).fontSize); // of the letters' height
  const off = Math.max(BELOW, OWN + half);
  const isClear = Math.abs(dx) > ASIDE + label.getComputedTextLength() / 2 || dy - UP > off + half;
  const [below, above] = [Math.max(off, dy + DOWN + half), Math.min(-off, dy - UP - half)];
  set(label, { y: isClear || dy + DOWN < off - half ? off : dy < DOWN ? below : above });
}

const screen = ([x, y]: Vector): [number, number] => [x! * HALF, -y! * FLAT];

/** Score, weight and value of each word, and the output that they make. */
export function table(asking: string, tokens: readonly string[], value: Matrix, row: Row): HTMLTableElement {
  const head = [`query: ${asking}`, "score", "weight", "value"].map((name) => h("th", { scope: "col" }, name));
  const line = (name: string, cells: string[]) =>
    h("tr", {}, h("th", { scope: "row" }, name), ...cells.map((cell) => h("td", {}, cell)));
  const lines = tokens.map((token, i) => {
    const weight = row.weights[i]!;
    const made = line(token, [text.number(row.scores[i]!), text.number(weight), text.vector(value[i]!)]);
    made.children[2]!.setAttribute("style", cellStyle(weight, "weights"));
    return made;
  });
  const sum = line("output", ["", "1.00", text.vector(row.output)]);
  const body = [h("tbody", {}, ...lines), h("tfoot", {}, sum)];
  return h("table", {}, h("thead", {}, h("tr", {}, ...head)), ...body);
}
