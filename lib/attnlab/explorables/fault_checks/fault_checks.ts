// Choose a fault of a training program: its log beside the healthy one, and which check tells of it.
import { clamp, type Matrix, type Vector } from "../math.ts";
import * as text from "../text.ts";
import { h, set } from "../ui/dom.ts";
import { choice, slider } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { panels } from "../ui/layout.ts";
import { line, tableOf } from "../ui/value_table.ts";
import { alarms, WELL } from "./arithmetic.ts";
import { chartOf } from "./chart.ts";
import style from "./fault_checks.css";

export interface State extends Common {
  runs: readonly string[];
  steps: Vector;
  held_out: Matrix;
  decoded: Matrix;
  bounds: Vector;
  fault: number;
  at: number;
}

/** Which checks raise the alarm over a run at a step. */
const of = ({ held_out, decoded, bounds }: State, run: number, at: number): boolean[] =>
  alarms(held_out[run]![at]!, decoded[run]![at]!, bounds);

function build(context: Context<State>): Built<State> {
  const { runs, steps, bounds } = context.state();
  const [lowest, blind] = bounds.map((bound) => text.number(bound));
  const checks = [
    `held-out loss below ${lowest}: lower than the data allow`,
    `held-out loss above ${blind}: worse than guessing blindly`,
    "fewer than 9 of 10 decoded tokens are allowed",
  ];
  const fault = choice("Fault", runs.slice(1), (chosen) => context.change({ fault: chosen + 1 }));
  const look = (at: number): void => context.change({ at });
  const step = slider("Look at the log after", [`${steps[0]} step`, `${steps.at(-1)} steps`], steps.length - 1, look);
  const loss = chartOf("held-out loss (nats a token)", steps, 3, [[bounds[0]!, `ln 2 = ${lowest}`], [bounds[1]!, `ln 11 = ${blind}`]], look);
  const share = chartOf("decoded tokens that are allowed", steps, 1, [[WELL, "9 of 10"]], look);
  const name = h("th", { scope: "col" });
  const cells = checks.map(() => runs.slice(0, 2).map(() => h("td")));
  const body = h("tbody", {}, ...checks.map((check, i) => line(check, ...cells[i]!)));
  const table = tableOf("Which checks raise the alarm at this step", ["check", runs[0]!, name], body);
  return {
    parts: [
      h("div", { class: "choices" }, fault.element),
      step.element,
      panels(loss.element, share.element),
      h("div", { class: "scroll alarms" }, table),
    ],
    update(state) {
      const { at, held_out, decoded } = state;
      fault.show(state.fault - 1);
      step.show({ position: at, text: steps[at] === 1 ? "1 step" : `${steps[at]} steps` });
      name.textContent = runs[state.fault]!;
      loss.update([held_out[0]!, held_out[state.fault]!], at);
      share.update([decoded[0]!, decoded[state.fault]!], at);
      cells.forEach((row, i) =>
        row.forEach((cell, column) => {
          const isRaised = of(state, column && state.fault, at)[i]!;
          set(cell, { class: isRaised && "alarm" });
          cell.textContent = isRaised ? "alarm" : "quiet";
        }),
      );
    },
  };
}

function summary(state: State): string {
  const { at, steps, runs, held_out, decoded } = state;
  const said = (run: number): string => {
    const raised = of(state, run, at).filter(Boolean).length;
    return `${runs[run]}: held-out loss ${text.number(held_out[run]![at]!)}, ${text.number(decoded[run]![at]!)} of the decoded tokens are allowed, ${raised} of 3 checks raise the alarm.`;
  };
  return `After ${steps[at]} steps. ${said(0)} ${said(state.fault)}`;
}

export default explorable<State>({
  name: "A fault and the checks that tell of it",
  shows: ["runs", "steps", "held_out", "decoded", "bounds", "fault", "at"],
  answers: ["fault", "at"],
  whole: ["fault", "at"],
  style,
  within: (state) => ({
    ...state,
    fault: clamp(Math.round(state.fault), 1, state.runs.length - 1),
    at: clamp(Math.round(state.at), 0, state.steps.length - 1),
  }),
  build,
  summary,
  // On paper, the end of training.
  paper: ({ steps }) => ({ at: steps.length - 1 }),
});
