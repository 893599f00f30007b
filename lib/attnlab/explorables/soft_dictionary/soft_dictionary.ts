// A dictionary with a soft lookup: the temperature leads from the exact lookup to the mean.
import type { Vector } from "../math.ts";
import * as text from "../text.ts";
import { h } from "../ui/dom.ts";
import { slider } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { icon } from "../ui/marks.ts";
import { NumberLine } from "../ui/number_line.ts";
import { Table } from "../ui/value_table.ts";
import { lookUp, positionOf, STEPS, temperatureAt, weightsAt } from "./arithmetic.ts";

export interface State extends Common {
  query: string;
  entries: readonly string[];
  score: Vector;
  value: Vector;
  unit: string;
  temperature: number;
}

const answerOf = ({ score, value, temperature }: State): number =>
  lookUp(score, value, temperature);
const withUnit = (x: number, unit: string): string => `${text.number(x, 1)} ${unit}`.trim();

function build(context: Context<State>): Built<State> {
  const line = new NumberLine();
  const control = slider("temperature", ["exact lookup", "mean"], STEPS, (position) =>
    context.change({ temperature: temperatureAt(position) }),
  );
  const table = new Table("Entries with score and weight", [
    "key",
    "score",
    "weight",
    "value",
    "weight × value",
  ]);
  const exact = h("code");
  const soft = h("span", { class: "name output" });
  const lookups = h("p", { class: "said" }, exact, soft);

  return {
    parts: [control.element, line.element, lookups, table.element],
    update(state) {
      const { query, entries, score, value, unit, temperature } = state;
      const answer = answerOf(state);
      control.show({ position: positionOf(temperature), text: name(temperature) });
      line.update(
        entries.map((label, i) => ({ label, at: value[i]! })),
        { at: answer, label: withUnit(answer, unit) },
      );
      exact.textContent = `dictionary["${query}"]  →  ${exactAnswer(state)}`;
      soft.replaceChildren(icon("output"), ` soft lookup  →  ${withUnit(answer, unit)}`);
      const weights = weightsAt(score, temperature);
      const rows = entries.map((head, i) => ({ head, cells: cells(score[i]!, weights[i]!, value[i]!) }));
      const sum = { head: "sum", cells: ["", text.number(1, 3), "", text.number(answer, 1)] };
      table.update(rows, sum);
    },
  };
}

const cells = (score: number, weight: number, value: number) => [
  text.number(score),
  { text: text.number(weight, 3), heat: { value: weight, kind: "weights" as const } },
  text.number(value, 1),
  text.number(weight * value, 1),
];

/** The result of Python's own dictionary. */
function exactAnswer({ query, entries, value }: State): string {
  const at = entries.indexOf(query);
  return at < 0 ? `KeyError: '${query}'` : String(value[at]);
}

const name = (temperature: number): string =>
  temperature === 0 ? "0, exact lookup" : String(temperature);

export default explorable<State>({
  name: "Soft dictionary",
  shows: ["query", "entries", "score", "value", "unit", "temperature"],
  answers: ["temperature"],
  build,
  summary(state) {
    const weights = weightsAt(state.score, state.temperature);
    const shares = state.entries.map((entry, i) => `${entry} ${text.number(weights[i]!)}`);
    return `Weights: ${text.words(shares)}. Answer ${withUnit(answerOf(state), state.unit)}.`;
  },
});
