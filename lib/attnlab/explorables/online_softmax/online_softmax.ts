// Blocks of keys arrive one at a time; the largest score, the total and the sum of values follow.
import { mixture, softmax } from "../math.ts";
import * as text from "../text.ts";
import { h, set } from "../ui/dom.ts";
import { button, range, vectorFields } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { Table } from "../ui/value_table.ts";
import { steps, type Step } from "./arithmetic.ts";
import { tableOfKeys } from "./keys.ts";
import style from "./online_softmax.css";

export interface State extends Common {
  scores: readonly number[];
  values: readonly number[];
  block: number;
  arrived: number;
}

const blocks = ({ scores, block }: State): number => Math.ceil(scores.length / Math.max(1, block));
const seen = (state: State): Step[] =>
  steps(state.scores, state.values, state.block).slice(0, state.arrived);

function build(context: Context<State>): Built<State> {
  const { scores } = context.state();
  const keys = h("div", { class: "keys" });
  const type = (to: number[]): void => context.change({ scores: to });
  const fields = vectorFields("scores, type others", "key", scores.length, type);
  const block = range("keys in a block", [1, scores.length], (to) => context.change({ arrived: 1, block: to }));
  const move = (by: number): void => {
    const arrived = context.state().arrived + by;
    if (arrived >= 1 && arrived <= blocks(context.state())) context.change({ arrived });
  };
  const [next, back] = [button("Next block", () => move(1)), button("Back", () => move(-1))];
  const caption = "After each block: the largest score, the factor and the two sums";
  const largest = { text: "largest in it", spare: true };
  const table = new Table(caption, ["after block", largest, "m", "factor", "l", "o", "o / l"]);
  return {
    parts: [
      keys,
      h("div", { class: "buttons" }, next, back),
      table.element,
      h("div", { class: "scores" }, fields.element),
      block.element,
    ],
    update(state) {
      const done = seen(state);
      const count = Math.min(state.arrived * state.block, state.scores.length);
      keys.replaceChildren(tableOfKeys({ ...state, count, m: done.at(-1)!.m }));
      // A disabled button loses the focus; these two keep it and say that they are at an end.
      set(next, { "aria-disabled": String(state.arrived >= blocks(state)) });
      set(back, { "aria-disabled": String(state.arrived <= 1) });
      fields.show(state.scores);
      block.show(state.block);
      fillTable(table, state, done);
    },
  };
}

function fillTable(table: Table, state: State, done: readonly Step[]): void {
  const rows = done.map(({ own, m, factor, l, o }, i) => ({
    head: String(i + 1),
    cells: [
      { text: text.number(own, 1), spare: true },
      text.number(m, 1),
      factor === 1 || i === 0 ? text.number(factor, 0) : text.number(factor, 3),
      text.number(l, 3),
      text.number(o, 2),
      text.number(o / l, 2),
    ],
  }));
  const spare = { text: "", spare: true };
  const all = done.length === blocks(state) ? text.number(atOnce(state)) : "…";
  table.update(rows, { head: "softmax", cells: [spare, "", "", "", "", all] });
}

/** The output as the softmax of all scores gives it. */
const atOnce = ({ scores, values }: State): number =>
  mixture(softmax(scores), values.map((value) => [value]))[0]!;

export default explorable<State>({
  name: "Online softmax",
  shows: ["scores", "values", "block", "arrived"],
  answers: ["scores"],
  whole: ["block", "arrived"],
  style,
  build,
  summary(state) {
    const { m, factor, l, o } = seen(state).at(-1)!;
    const done = `${state.arrived} of ${blocks(state)} blocks. Largest score ${text.number(m, 1)}`;
    return `${done}, factor ${text.number(factor, 3)}, total ${text.number(l, 3)}, output ${text.number(o / l)}.`;
  },
  paper: (state) => ({ arrived: blocks(state) }),
});
