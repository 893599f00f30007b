// One sentence, one word that asks: click a word or drag the slider, and its weights and the
// output that they mix follow at once.
import type { Host } from "../host.ts";
import type { Matrix } from "../math.ts";
import * as text from "../text.ts";
import { h } from "../ui/dom.ts";
import { slider } from "../ui/fields.ts";
import { mount, type Common, type Context, type Spec } from "../ui/frame.ts";
import { icon } from "../ui/marks.ts";
import { rowOf, type Row } from "./arithmetic.ts";
import css from "./attention_row.css";
import { Lines, Map, table, Words } from "./parts.ts";

export interface State extends Common {
  tokens: readonly string[];
  query: Matrix;
  key: Matrix;
  value: Matrix;
  /** The word whose query asks. */
  selected: number;
  /** What the scores are multiplied with before the softmax. */
  sharpness: number;
}

const STEPS = 40;
const PER_UNIT = 10; // steps of the slider for one unit of sharpness

const row = ({ query, key, value, selected, sharpness }: State): Row =>
  rowOf(query[selected]!, key, value, sharpness);

/** What the output is made of, the largest share first: `0.52 milk + 0.38 cat + …`. */
function shares({ tokens }: State, { weights }: Row): string {
  const order = tokens.map((_, i) => i).sort((a, b) => weights[b]! - weights[a]!);
  return order.map((i) => `${text.number(weights[i]!)} ${tokens[i]}`).join(" + ");
}

function asking(tokens: readonly string[], context: Context<State>) {
  const buttons = tokens.map((token, i) => {
    const button = h("button", { type: "button" }, token);
    button.addEventListener("click", () => context.change({ selected: i }));
    return button;
  });
  const element = h("div", { class: "asking", role: "group", "aria-label": "The query of" }, ...buttons);
  const show = (selected: number) =>
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(i === selected)));
  return { element, show };
}

function build(context: Context<State>): { parts: Node[]; update(state: State): void } {
  const { tokens, value } = context.state();
  const words = new Words(tokens);
  const lines = new Lines(tokens.length);
  const queries = asking(tokens, context);
  const sharp = slider("How sharply it chooses", ["evenly", "only the best"], STEPS, (at) =>
    context.change({ sharpness: at / PER_UNIT }),
  );
  const map = new Map(tokens, value);
  const mixed = h("p", { class: "mixed" });
  const numbers = h("div", { class: "scroll" });
  const left = h("div", {}, words.element, lines.element, queries.element, sharp.element);
  left.style.setProperty("--words", String(tokens.length));
  const right = h("div", { class: "result" }, map.element, mixed);

  return {
    parts: [
      h("div", { class: "row" }, left, right),
      h("details", {}, h("summary", {}, "The numbers"), numbers),
    ],
    update(state) {
      const made = row(state);
      const word = state.tokens[state.selected]!;
      words.update(made.weights);
      lines.update(made.weights, state.selected);
      queries.show(state.selected);
      const position = Math.round(state.sharpness * PER_UNIT);
      sharp.show({ position, text: `scores × ${text.number(state.sharpness, 1)}` });
      map.update(made.weights, made.output);
      mixed.replaceChildren(
        h("span", { class: "name output" }, icon("output"), " Output"),
        " for ",
        h("strong", {}, word),
        ` = ${shares(state, made)}`,
      );
      numbers.replaceChildren(table(word, state.tokens, state.value, made));
    },
  };
}

const spec: Spec<State> = {
  name: "One row of attention",
  shows: ["tokens", "query", "key", "value", "selected", "sharpness"],
  answers: ["selected", "sharpness"],
  whole: ["selected"],
  style: css,
  build,
  summary(state) {
    const made = row(state);
    return `Output for ${state.tokens[state.selected]}: ${shares(state, made)} = ${text.vector(made.output)}.`;
  },
};

export const render = (host: Host<State>): (() => void) => mount(host, spec);
export default { render };
