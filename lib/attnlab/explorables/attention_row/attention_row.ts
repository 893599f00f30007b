// One sentence, one word that asks: click a word or drag the slider, and its weights and the
// output that they mix follow at once.
import type { Matrix } from "../math.ts";
import * as text from "../text.ts";
import { h } from "../ui/dom.ts";
import { pressable, range } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { fold } from "../ui/layout.ts";
import { icon } from "../ui/marks.ts";
import { rowOf, type Row } from "./arithmetic.ts";
import css from "./attention_row.css";
import { linesOf, mapOf, table, wordsOf } from "./parts.ts";

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

const row = ({ query, key, value, selected, sharpness }: State): Row =>
  rowOf(query[selected]!, key, value, sharpness);

/** What the output is made of, the largest share first: `0.52 milk + 0.38 cat + …`. */
function shares({ tokens }: State, { weights }: Row): string {
  const order = tokens.map((_, i) => i).sort((a, b) => weights[b]! - weights[a]!);
  return order.map((i) => `${text.number(weights[i]!)} ${tokens[i]}`).join(" + ");
}

function build(context: Context<State>): Built<State> {
  const { tokens, value } = context.state();
  const words = wordsOf(tokens);
  const lines = linesOf(tokens.length);
  const queries = pressable("The query of", "asking", tokens, (selected) => context.change({ selected }));
  const sharp = range("How sharply it chooses", [0, 4, 0.1], (sharpness) => context.change({ sharpness }), {
    text: (sharpness) => `scores × ${text.number(sharpness, 1)}`,
    ends: ["evenly", "only the best"],
  });
  const map = mapOf(tokens, value);
  const mixed = h("p", { class: "mixed" });
  const numbers = h("div");
  const left = h("div", {}, words.element, lines.element, queries.element, sharp.element);
  left.style.setProperty("--words", String(tokens.length));
  const right = h("div", { class: "result" }, map.element, mixed);
  return {
    parts: [h("div", { class: "row" }, left, right), fold("The numbers", numbers)],
    update(state) {
      const made = row(state);
      const word = state.tokens[state.selected]!;
      words.update(made.weights);
      lines.update(made.weights, state.selected);
      queries.show((i) => i === state.selected);
      sharp.show(state.sharpness);
      map.update(made.weights, made.output);
      const output = h("span", { class: "name output" }, icon("output"), " Output");
      mixed.replaceChildren(output, " for ", h("strong", {}, word), ` = ${shares(state, made)}`);
      numbers.replaceChildren(table(word, state.tokens, state.value, made));
    },
  };
}

export default explorable<State>({
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
});
