// What the width of the keys does to the softmax: the same scores, without the scale and with it.
// Bars that collapse to a spike, and lamps that dim as the gradients vanish.
import type { Host } from "../host.ts";
import type { Vector } from "../math.ts";
import * as text from "../text.ts";
import { Bars } from "../ui/bars.ts";
import { h } from "../ui/dom.ts";
import { slider } from "../ui/fields.ts";
import { mount, type Common, type Context, type Spec } from "../ui/frame.ts";
import { gradients, weightsAt, type Gradients } from "./arithmetic.ts";
import { Lamp } from "./lamp.ts";
import style from "./saturation.css";

export interface State extends Common {
  draws: Vector;
  /** The width of the keys is two to this power. */
  exponent: number;
}

const WIDEST = 10;
const ROWS = ["no scale", "scaled"] as const;
const NOTE =
  "Bars: the weights. Lamps: how far they move if a score moves a little (the norm of the softmax’s " +
  "Jacobian), or if the query does. The query’s number is the first one times a key’s length, √d_k; " +
  "in the lower row it is divided by √d_k again.";

/** A row of bars with its two lamps. */
class Row {
  readonly parts: HTMLElement[];
  private readonly name: string;
  private readonly bars: ReturnType<Bars["picture"]>;
  private readonly lamps = { scores: new Lamp("if a score moves"), query: new Lamp("if the query moves") };

  constructor(name: (typeof ROWS)[number], keys: number) {
    this.name = name;
    this.bars = new Bars(keys).picture();
    const scale = name === "scaled" ? [" ÷ √d", h("sub", {}, "k")] : [];
    const label = h("p", { class: "formula" }, h("i", {}, "q · k", ...scale), ` ${name}`);
    const lamps = h("div", { class: "lamps" }, this.lamps.scores.element, this.lamps.query.element);
    this.parts = [label, this.bars.element, lamps];
  }

  update(weights: Vector, found: Gradients, full: number): void {
    const numbers = text.words(weights.map((weight) => text.number(weight)));
    this.bars.update(weights, `Weights, ${this.name}: ${numbers}`);
    for (const by of ["scores", "query"] as const) this.lamps[by].update(found[by], found[by] / full);
  }
}

function build(context: Context<State>): { parts: Node[]; update(state: State): void } {
  const width = slider("Width of the keys, d_k", ["1", String(2 ** WIDEST)], WIDEST, (exponent) =>
    context.change({ exponent }),
  );
  const rows = ROWS.map((row) => new Row(row, context.state().draws.length));
  const picture = h("div", { class: "rows" }, ...rows.flatMap((row) => row.parts), width.element);
  return {
    parts: [picture, h("p", { class: "note" }, NOTE)],
    update({ draws, exponent }) {
      width.show({ position: exponent, text: String(2 ** exponent) });
      const weights = weightsAt(draws, exponent);
      const found = gradients(draws, exponent);
      rows.forEach((row, i) => row.update(weights[i]!, found[i]!, found[1].scores));
    },
  };
}

const spec: Spec<State> = {
  shows: ["draws", "exponent"],
  answers: ["exponent"],
  whole: ["exponent"],
  style,
  build,
  summary({ draws, exponent }) {
    const [plain, scaled] = weightsAt(draws, exponent).map((row) => text.number(Math.max(...row)));
    const left = gradients(draws, exponent)[0];
    const by = `${text.number(left.scores, 3)} with respect to the scores and ${text.number(left.query, 3)} with respect to the query`;
    return (
      `At width ${2 ** exponent} the largest weight is ${plain}, and ${scaled} with the scale. ` +
      `Without the scale the gradient is ${by}.`
    );
  },
};

export const render = (host: Host<State>): (() => void) => mount(host, spec);
export default { render };
