// Raise the score of a sink, and the weight drains from the words.
import { clamp, softmax, type Matrix, type Vector } from "../math.ts";
import * as text from "../text.ts";
import { bar } from "../ui/bars.ts";
import { h } from "../ui/dom.ts";
import { range, slider } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { line, tableOf } from "../ui/value_table.ts";
import { capped, shares } from "./arithmetic.ts";
import style from "./sink.css";

export interface State extends Common {
  queries: readonly string[];
  key_tokens: readonly string[];
  score: Matrix;
  sink: number;
  cap: number;
}

const CAPS = [50, 20, 10, 5, 4, 3, 2, 1] as const;

/** One query: its weights as bars, the last of which is the sink's, and the scores below them. */
function queryOf(name: string, count: number) {
  const bars = Array.from({ length: count }, bar);
  const below = bars.map(() => h("td"));
  const first = line(name, ...bars.map(({ element }) => h("td", {}, element)));
  const second = line("score", ...below);
  first.firstElementChild!.className = "name query";
  second.className = "scores";
  return {
    element: h("tbody", {}, first, second),
    update(scores: Vector, { sink, cap }: State): void {
      const weights = shares(scores, sink, cap);
      const plain = [...softmax(scores), 0];
      bars.forEach((each, i) => {
        each.show(weights[i]!, text.number(weights[i]!));
        each.element.style.setProperty("--plain", plain[i]!.toFixed(4));
      });
      const shown = [...scores.map((score) => capped(score, cap)), sink];
      below.forEach((cell, i) => (cell.textContent = text.number(shown[i]!, 1)));
    },
  };
}

function build(context: Context<State>): Built<State> {
  const sink = range("Score of the sink, b", [-12, 6, 0.5], (to) => context.change({ sink: to }), {
    text: (to) => text.number(to, 1),
    ends: ["−12, as good as none", "6"],
  });
  const change = (at: number): void => context.change({ cap: CAPS[at]! });
  const cap = slider("Soft cap of the scores, c", ["50, as good as none", "1"], CAPS.length - 1, change);
  const { queries, key_tokens: keys } = context.state();
  const rows = queries.map((query) => queryOf(query, keys.length + 1));
  const heads = keys.map((key) => h("th", { scope: "col", class: "name key" }, key));
  const bodies = rows.map(({ element }) => element);
  const table = tableOf("Weights and scores of each query", ["", ...heads, "sink"], ...bodies);
  table.className = "bars";
  return {
    parts: [
      h("div", { class: "controls" }, sink.element, cap.element),
      h("div", { class: "scroll" }, table),
      h("p", { class: "shape" }, "Bars are weights. Dashed: those of a plain softmax. Hatched: what the sink takes; its value is zero, so this weight returns nothing."),
    ],
    update(state) {
      sink.show(state.sink);
      cap.show({ position: Math.max(0, CAPS.findIndex((c) => c <= state.cap)), text: text.number(state.cap, 0) });
      rows.forEach((row, i) => row.update(state.score[i]!, state));
    },
  };
}

export default explorable<State>({
  name: "A sink beside the words",
  shows: ["queries", "key_tokens", "score", "sink", "cap"],
  answers: ["sink"],
  style,
  within: (state) => ({ ...state, cap: clamp(state.cap, 1, 50) }),
  build,
  summary({ queries, score, sink, cap }) {
    const kept = (scores: Vector): string => text.number(1 - shares(scores, sink, cap).at(-1)!);
    return queries.map((query, i) => `The query that ${query} has ${kept(score[i]!)} of its weight on words.`).join(" ");
  },
  // On paper the sink takes what it can, beside what a plain softmax gives.
  paper: () => ({ sink: 0 }),
});
