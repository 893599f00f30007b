// Soft attention's exact gradient beside hard attention's, estimated from draws.
import type { Host } from "../host.ts";
import { clamp } from "../math.ts";
import * as text from "../text.ts";
import { h } from "../ui/dom.ts";
import { button, slider } from "../ui/fields.ts";
import { mount, type Common, type Context, type Spec } from "../ui/frame.ts";
import { Table } from "../ui/value_table.ts";
import * as estimator from "./arithmetic.ts";
import { Errors } from "./errors.ts";
import { Estimates } from "./estimates.ts";
import style from "./gradient_draws.css";

export interface State extends Common {
  score: number;
  baseline: number;
  num_draws: number;
  seed: number;
  losses: readonly number[];
}

const [SCORES, BASELINES, MOST] = [{ most: 5, step: 0.5 }, { most: 1.5, step: 1 / 16 }, 30_000];
const TARGET = 0.1;
const LEGEND =
  "Above: the exact gradient as a line, as in soft attention; the mean of the draws as a dot, with its standard " +
  "error. Below: what was drawn, in frames of the weights. The error is divided by the gradient’s length.";
/** The positions of the slider: 1, 2, 5, 10 … 20,000. */
const DRAWS = [1, 10, 100, 1000, 10_000].flatMap((n) => [n, 2 * n, 5 * n]).slice(0, -1);

/** What is shown; the numbers that a reader types as an answer may be far out of range. */
interface View {
  of: estimator.Case;
  baseline: number;
  count: number;
  stops: number[];
  errors: number[];
  /** The error of all draws without a baseline. */
  without: number;
  estimates: number[];
  shares: number[];
  last: number;
}

/** The draws, which do not change while the baseline is moved. */
const draws = remembered(estimator.drawKeys);

/** The same function, which does not compute its last result again. */
function remembered<P extends unknown[], R>(compute: (...given: P) => R): (...given: P) => R {
  let [last, result] = ["", undefined as R];
  return (...given) => {
    const now = JSON.stringify(given);
    if (now !== last) [last, result] = [now, compute(...given)];
    return result;
  };
}

function viewOf(state: State): View {
  const of = { losses: state.losses, score: clamp(state.score, 0, SCORES.most) };
  const baseline = clamp(state.baseline, 0, BASELINES.most);
  const count = clamp(Math.round(state.num_draws), 1, MOST);
  const stops = estimator.stopsUpTo(count);
  const seen = draws(of, state.seed, stops);
  const drawn = seen.at(-1)!;
  const errors = seen.map((each) => estimator.errorOf(each, of, baseline));
  const without = estimator.errorOf(drawn, of, 0);
  const estimates = estimator.meanEstimate(drawn, of, baseline);
  const shares = drawn.counts.map((each) => each / count);
  return { of, baseline, count, stops, errors, without, estimates, shares, last: drawn.last };
}

function build(context: Context<State>): { parts: Node[]; update(state: State): void } {
  const [estimates, errors] = [new Estimates(), new Errors()];
  const controls = controlsOf(context);
  const drawn = h("p", { class: "drawn" });
  const table = new Table("Errors divided by the gradient's length", ["", "standard error", "error seen"]);
  let before: number | undefined;
  const keys = new Table("The gradient for each key", ["key", "exact", "estimate", "standard error"]);
  const panel = (title: string, picture: Node): HTMLElement =>
    h("div", { class: "panel" }, h("p", { class: "title" }, title), picture);
  return {
    parts: [
      h(
        "div",
        { class: "panels" },
        panel("The gradient for each key", estimates.element),
        panel("The relative error", errors.element),
      ),
      drawn,
      ...controls.elements,
      h("div", { class: "outcome" }, table.element),
      h("p", { class: "legend" }, LEGEND),
      h("details", {}, h("summary", {}, "The numbers of all keys"), keys.element),
    ],
    update(state) {
      const view = viewOf(state);
      controls.show(state, view);
      drawn.textContent = lastDraw(view, state.seed);
      show(estimates, errors, keys, view, view.count - 1 === before);
      before = view.count;
      table.update(rowsOf(view));
    },
  };
}

function show(estimates: Estimates, errors: Errors, keys: Table, view: View, isNew: boolean): void {
  const { of, baseline, count } = view;
  const exact = estimator.exactGradient(of);
  const spread = estimator.deviations(of, baseline).map((one) => one / Math.sqrt(count));
  const right = estimator.rightKey(of.losses);
  const label = `The mean of ${count} estimates and the exact gradient, for ${exact.length} keys`;
  const bins = { weights: estimator.weightsOf(of), shares: view.shares, last: view.last, isNew };
  estimates.update({ exact, estimates: view.estimates, errors: spread, right, ...bins }, label);
  const [ofOne, without] = [baseline, 0].map((b) => estimator.errorOfOne(of, b)) as [number, number];
  const lines = { stops: view.stops, errors: view.errors, ofOne, without, target: TARGET };
  errors.update({ ...lines, baseline: baseline ? `baseline ${text.number(baseline)}` : "" }, summaryOf(view));
  keys.update(
    exact.map((value, i) => ({
      head: i === right ? `${i + 1} (right)` : String(i + 1),
      cells: [value, view.estimates[i]!, spread[i]!].map((x) => text.number(x, 4)),
    })),
  );
}

const expected = ({ of, count }: View, baseline: number): number =>
  estimator.errorOfOne(of, baseline) / Math.sqrt(count);

function rowsOf(view: View) {
  const row = (head: string, ...numbers: number[]) => ({ head, cells: numbers.map((x) => text.number(x, 3)) });
  const own = row(named(view.baseline), expected(view, view.baseline), view.errors.at(-1)!);
  const rows = [row("soft attention, exact", 0, 0), row(named(0), expected(view, 0), view.without)];
  return view.baseline === 0 ? rows : [...rows, own];
}

/** A multiple of 1/16 without superfluous zeros. */
const plain = (x: number): string => String(Number(x.toFixed(4)));
const named = (baseline: number): string => `draws, baseline ${plain(baseline)}`;

function lastDraw({ of, count, last }: View, seed: number): string {
  const number = count.toLocaleString("en");
  return `Draw ${number}: key ${last + 1}, loss ${plain(of.losses[last]!)}. (Seed ${seed}.)`;
}

function controlsOf(context: Context<State>): { elements: Node[]; show(state: State, view: View): void } {
  const more = button("Draw one more", () =>
    context.change({ num_draws: Math.min(MOST, viewOf(context.state()).count + 1) }),
  );
  const others = button("Other draws", () => context.change({ seed: (context.state().seed + 1) % 2 ** 31 }));
  const number = slider("draws", ["1", "20,000"], DRAWS.length - 1, (to) =>
    context.change({ num_draws: DRAWS[to]! }),
  );
  const baseline = slider("baseline", ["0", "1.5"], BASELINES.most / BASELINES.step, (to) =>
    context.change({ baseline: to * BASELINES.step }),
  );
  const score = slider("score of the right key", ["0", "5"], SCORES.most / SCORES.step, (to) =>
    context.change({ score: to * SCORES.step }),
  );
  const sliders = [number, baseline, score].map(({ element }) => element);
  return {
    elements: [h("div", { class: "buttons" }, more, others), h("div", { class: "controls" }, ...sliders)],
    show(state, { of, baseline: b, count }) {
      const at = DRAWS.filter((n) => n <= count).length - 1;
      number.show({ position: at, text: count.toLocaleString("en") });
      baseline.show({ position: b / BASELINES.step, text: plain(b) });
      const weight = estimator.weightsOf(of)[estimator.rightKey(state.losses)]!;
      score.show({ position: of.score / SCORES.step, text: `${plain(of.score)}, weight ${text.number(weight)}` });
    },
  };
}

function summaryOf(view: View): string {
  const { count, baseline } = view;
  const [own, seen] = [expected(view, baseline), view.errors.at(-1)!].map((x) => text.number(x));
  const made = count === 1 ? "1 draw" : `${count.toLocaleString("en")} draws`;
  return `${made} with baseline ${plain(baseline)}: standard error ${own} of the gradient's length, error seen ${seen}. Without a baseline the standard error is ${text.number(expected(view, 0))}.`;
}

const spec: Spec<State> = {
  name: "A gradient from draws",
  shows: ["score", "baseline", "num_draws", "seed", "losses"],
  answers: ["score", "baseline", "num_draws"],
  whole: ["num_draws", "seed"],
  style,
  build,
  summary: (state) => summaryOf(viewOf(state)),
};

export const render = (host: Host<State>): (() => void) => mount(host, spec);
export default { render };
