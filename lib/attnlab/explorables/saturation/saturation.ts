// What the width of the keys does to the softmax: the same scores, without the scale and with it.
import type { Vector } from "../math.ts";
import * as text from "../text.ts";
import { bar, type Bar } from "../ui/bars.ts";
import { h, s } from "../ui/dom.ts";
import { range } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { jacobianNorm, weightsAt } from "./arithmetic.ts";
import style from "./saturation.css";

export interface State extends Common {
  draws: Vector;
  /** The width of the keys is two to this power. */
  exponent: number;
}

/** No softmax has a Jacobian with a larger norm: two keys share all weight. */
const BRIGHTEST = 0.5;
const RAYS = Array.from({ length: 16 }, (_, i) => {
  const [x, y] = [Math.cos((i * Math.PI) / 8), Math.sin((i * Math.PI) / 8)];
  return `M${16 * x} ${16 * y}L${25 * x} ${25 * y}`.replace(/(\.\d)\d+/g, "$1");
}).join("");

/** A row of bars, one for each key, and the lamp that the gradient lights. */
class Softmax {
  readonly element: HTMLElement;
  private readonly bars: Bar[];
  private readonly lamp = s(
    "svg",
    { class: "lamp", viewBox: "-26 -26 52 52", "aria-hidden": "true" },
    s("path", { d: RAYS }),
    s("circle", { r: 12 }),
  );
  private readonly norm = h("b");

  constructor(name: string, note: string, keys: number) {
    this.bars = Array.from({ length: keys }, bar);
    this.element = h(
      "tr",
      {},
      h("th", { scope: "row" }, name, h("small", {}, note)),
      ...this.bars.map(({ element }) => h("td", {}, element)),
      h("td", { class: "light" }, this.lamp, this.norm),
    );
  }

  update(weights: Vector): void {
    const norm = jacobianNorm(weights);
    weights.forEach((weight, i) => this.bars[i]!.show(weight, text.number(weight)));
    this.lamp.style.setProperty("--lit", (norm / BRIGHTEST).toFixed(3));
    this.norm.textContent = text.number(norm, 4);
  }
}

function build(context: Context<State>): Built<State> {
  const width = range("Width of the keys, d_k", [0, 10], (exponent) => context.change({ exponent }), {
    text: (exponent) => String(2 ** exponent),
  });
  const keys = context.state().draws.map((_, i) => `k${i + 1}`);
  const [plain, scaled] = [
    new Softmax("q · k", "no scale", keys.length),
    new Softmax("q · k ÷ √d_k", "scaled", keys.length),
  ];
  const heads = keys.map((key) => h("th", { scope: "col", class: "name key" }, key));
  const table = h("table", { class: "bars" }, h("caption", { class: "hidden" }, "Weights, and the norm of the softmax’s Jacobian"));
  table.append(
    h("thead", {}, h("tr", {}, h("td"), ...heads, h("th", { scope: "col" }, "gradient"))),
    h("tbody", {}, plain.element, scaled.element),
  );
  return {
    parts: [width.element, h("div", { class: "scroll" }, table)],
    update({ draws, exponent }) {
      width.show(exponent);
      const [without, withScale] = weightsAt(draws, exponent);
      plain.update(without);
      scaled.update(withScale);
    },
  };
}

export default explorable<State>({
  name: "Scale and saturation",
  shows: ["draws", "exponent"],
  answers: ["exponent"],
  whole: ["exponent"],
  style,
  build,
  summary({ draws, exponent }) {
    const [plain, scaled] = weightsAt(draws, exponent).map(
      (row) => `${text.number(Math.max(...row))} with a gradient of ${text.number(jacobianNorm(row), 4)}`,
    );
    return `At width ${2 ** exponent} the largest weight is ${plain}, and ${scaled} with the scale.`;
  },
});
