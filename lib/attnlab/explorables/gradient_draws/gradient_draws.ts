// Soft attention's exact gradient beside hard attention's, estimated from draws.
import { clamp, remembered } from "../math.ts";
import * as text from "../text.ts";
import { h } from "../ui/dom.ts";
import { button, range, slider } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { fold, panels, titled } from "../ui/layout.ts";
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

const MOST = { score: 5, baseline: 1.5, draws: 30_000 };
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

function viewOf(state: State): View {
  const of = { losses: state.losses, score: clamp(state.score, 0, MOST.score) };
  const baseline = clamp(state.baseline, 0, MOST.baseline);
  const count = clamp(Math.round(state.num_draws), 1, MOST.draws);
  const stops = estimator.stopsUpTo(count);
  const seen = draws(of, state.seed, stops);
  const drawn = seen.at(-1)!;
  const errors = seen.map((each) => estimator.errorOf(each, of, baseline));
  const without = estimator.errorOf(drawn, of, 0);
  const estimates = estimator.meanEstimate(drawn, of, baseline);
  const shares = drawn.counts.map((each) => each / count);
  return { of, baseline, count, stops, errors, without, estimates, shares, last: drawn.last };
}

function build(context: Context<State>): Built<State> {
  const [estimates, errors] = [new Estimates(), new Errors()];
  const controls = controlsOf(context);
  const drawn = h("p", { class: "drawn" });
  const table = new Table("Errors divided by the gradient's length", ["", "standard error", "error seen"]);
  let before: number | undefined;
  const keys = new Table("The gradient for each key", ["key", "exact", "estimate", "standard error"]);
  return {
    parts: [
      panels(
        titled("The gradient for each key", estimates.element),
        titled("The relative error", errors.element),
      ),
      drawn,
      ...controls.elements,
      h("div", { class: "outcome" }, table.element),
      h("p", { class: "shape" }, LEGEND),
      fold("The numbers of all keys", keys.element),
    ],
    update(state) {
      const view = viewOf(state);
      controls.show(view);
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

function controlsOf(context: Context<State>): { elements: Node[]; show(view: View): void } {
  const more = button("Draw one more", () =>
    context.change({ num_draws: Math.min(MOST.draws, viewOf(context.state()).count + 1) }),
  );
  const others = button("Other draws", () => context.change({ seed: (context.state().seed + 1) % 2 ** 31 }));
  const number = slider("draws", ["1", "20,000"], DRAWS.length - 1, (to) =>
    context.change({ num_draws: DRAWS[to]! }),
  );
  const baseline = range("baseline", [0, MOST.baseline, 1 / 16], (to) => context.change({ baseline: to }), {
    text: plain,
  });
  const { losses } = context.state();
  const weightAt = (score: number): number => estimator.weightsOf({ losses, score })[estimator.rightKey(losses)]!;
  const score = range("score of the right key", [0, MOST.score, 0.5], (to) => context.change({ score: to }), {
    text: (to) => `${plain(to)}, weight ${text.number(weightAt(to))}`,
    ends: ["0", "5"],
  });
  const sliders = [number, baseline, score].map(({ element }) => element);
  return {
    elements: [h("div", { class: "buttons" }, more, others), h("div", { class: "controls" }, ...sliders)],
    show({ of, baseline: b, count }) {
      const at = DRAWS.filter((n) => n <= count).length - 1;
      number.show({ position: at, text: count.toLocaleString("en") });
      baseline.show(b);
      score.show(of.score);
    },
  };
}

function summaryOf(view: View): string {
  const { count, baseline } = view;
  const [own, seen] = [expected(view, baseline), view.errors.at(-1)!].map((x) => text.number(x));
  const made = count === 1 ? "1 draw" : `${count.toLocaleString("en")} draws`;
  return `${made} with baseline ${plain(baseline)}: standard error ${own} of the gradient's length, error seen ${seen}. Without a baseline the standard error is ${text.number(expected(view, 0))}.`;
}

export default explorable<State>({
  name: "A gradient from draws",
  shows: ["score", "baseline", "num_draws", "seed", "losses"],
  answers: ["score", "baseline", "num_draws"],
  whole: ["num_draws", "seed"],
  style,
  build,
  summary: (state) => summaryOf(viewOf(state)),
});
