// A trained detector looks at the reader's drawing: a query of each shape attends to its patches.
import type { Matrix } from "../math.ts";
import * as text from "../text.ts";
import { cellStyle } from "../ui/cell_style.ts";
import { h, s, set } from "../ui/dom.ts";
import { button } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { panel } from "../ui/layout.ts";
import { icon } from "../ui/marks.ts";
import { line, tableOf } from "../ui/value_table.ts";
import { answersOf, cut, GRID, PIXELS, SIDE, type Answer, type Model } from "./arithmetic.ts";
import style from "./patches.css";
import { patchAt, Picture, place } from "./picture.ts";

export interface State extends Common {
  kinds: readonly string[];
  shapes: readonly string[];
  model: Model;
  ink: readonly string[];
  noise: Matrix;
  query: number;
}

/** One query: its shape and name to choose it by, its largest weight, and what it answers. */
function queryOf(name: string, shape: string, group: string, choose: () => void) {
  const input = h("input", { type: "radio", name: group });
  input.addEventListener("change", choose);
  const label = h("label", { class: "toggle name query" }, input, small(shape), name);
  const [weight, answer] = [h("td"), h("td")];
  return {
    element: line(label, weight, answer),
    update({ weights, share }: Answer, isChosen: boolean): void {
      const largest = Math.max(...weights);
      input.checked = isChosen;
      set(weight, { style: cellStyle(largest, "weights") });
      weight.textContent = text.number(largest);
      set(answer, { class: share > 0.5 ? "name output" : "no" });
      answer.textContent = `${share > 0.5 ? "yes" : "no"}, ${text.number(share)}`;
    },
  };
}

/** A shape of few pixels. */
function small(shape: string): SVGElement {
  const pixels = [...shape].map((pixel, i) =>
    pixel === "#" ? `M${i % PIXELS} ${Math.floor(i / PIXELS)}h1v1h-1z` : "",
  );
  return s("svg", { class: "shape-of", viewBox: `0 0 ${PIXELS} ${PIXELS}`, "aria-hidden": "true" }, s("path", { d: pixels.join("") }));
}

let groups = 0;

function build(context: Context<State>): Built<State> {
  const { kinds, shapes } = context.state();
  const group = `query-${groups++}`;
  const queries = kinds.map((kind, i) => queryOf(kind, shapes[i]!, group, () => context.change({ query: i })));
  const picture = new Picture((pixels, isInk) => context.change({ ink: drawn(context.state().ink, pixels, isInk) }));
  const stamp = (shape: string): void => context.change({ ink: stamped(context.state().ink, patchAt(picture.pixel), shape) });
  const put = button("", () => stamp(shapes[context.state().query]!));
  const empty = button("Empty the marked patch", () => stamp(""));
  const body = h("tbody", {}, ...queries.map(({ element }) => element));
  const table = tableOf("The queries, and what they answer", ["query", "largest weight", "is it there?"], body);
  const said = h("p", { class: "reading" });
  const legend = h("p", { class: "shape" }, icon("key"), " 16 patches of your drawing: keys and values. Frame and number: the weight that the query gives each. Draw into them, or press a button.");
  const numbers = panel(h("div", { class: "scroll" }, table), h("div", { class: "buttons" }, put, empty));
  return {
    parts: [h("div", { class: "panels looking" }, panel(picture.element, legend), numbers), said],
    update(state) {
      const patches = cut(state.ink, state.noise);
      const answers = answersOf(state.model, patches);
      queries.forEach((query, i) => query.update(answers[i]!, i === state.query));
      picture.update(state.ink, patches, answers[state.query]!.weights);
      put.textContent = `Put the ${kinds[state.query]} into the marked patch`;
      said.textContent = reading(kinds[state.query]!, answers[state.query]!, state.model.bias[state.query]!);
    },
  };
}

/** The weights say where a query looks, and the values what it finds there. */
function reading(kind: string, { weights, says, output, share }: Answer, bias: number): string {
  const most = weights.indexOf(Math.max(...weights));
  const verdict = says[most]! > 0 ? `for a ${kind}` : `against a ${kind}`;
  return `The query for ${kind} gives ${text.number(weights[most]!)} of its weight to ${place(most)}. The value there says ${text.number(says[most]!, 1)}, ${verdict}. The ${GRID * GRID} values, each times its weight, and the bias ${text.number(bias, 1)} add up to ${text.number(output, 1)}: a ${kind} is there with probability ${text.number(share)}.`;
}

/** The drawing after a stroke over some pixels. */
function drawn(ink: readonly string[], pixels: readonly number[], isInk: boolean): string[] {
  return Array.from({ length: SIDE }, (_, y) =>
    Array.from({ length: SIDE }, (_, x) =>
      pixels.includes(SIDE * y + x) ? ".#"[Number(isInk)]! : ink[y]?.[x] === "#" ? "#" : ".",
    ).join(""),
  );
}

/** The drawing with a shape in one patch. */
function stamped(ink: readonly string[], patch: number, shape: string): string[] {
  const [top, left] = [PIXELS * Math.floor(patch / GRID), PIXELS * (patch % GRID)];
  const all = Array.from({ length: PIXELS * PIXELS }, (_, i) => SIDE * (top + Math.floor(i / PIXELS)) + left + (i % PIXELS));
  return drawn(drawn(ink, all, false), all.filter((_, i) => shape[i] === "#"), true);
}

export default explorable<State>({
  name: "Queries that look at a picture",
  shows: ["kinds", "shapes", "model", "ink", "noise", "query"],
  answers: ["ink"],
  style,
  within: (state) => ({ ...state, query: state.kinds[state.query] ? state.query : 0 }),
  build,
  summary({ kinds, model, ink, noise, query }) {
    return reading(kinds[query]!, answersOf(model, cut(ink, noise))[query]!, model.bias[query]!);
  },
});
