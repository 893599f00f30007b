// Attention step by step: one beat a step, and every cell shows what it is computed from.
import { clamp } from "../math.ts";
import * as text from "../text.ts";
import { bar, type Bar } from "../ui/bars.ts";
import { h, set } from "../ui/dom.ts";
import { button, toggle } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { MOST_WORDS, stepsOf, tokensOf, type Sentence, type Steps } from "./arithmetic.ts";
import { choosable, grid, light, reachable, type Grid, type Shown } from "./grid.ts";
import { Flight, sink } from "./motion.ts";
import css from "./pipeline.css";
import { arithmetic } from "./written.ts";

export interface State extends Common, Sentence {
  /** 0 score, 1 scale, 2 mask, 3 softmax, 4 sum. */
  step: number;
  /** The cell whose arithmetic is written out. */
  row: number;
  column: number;
}

const LABELS = ["Q Kᵀ", "÷ √d_k", "mask", "softmax", "· V"];
const LAST = LABELS.length - 1;
const SOFTMAX = 3;
const BOTH = "bare-rows bare-columns";
const FEATURES = ["animal", "action", "drink"];

/** What happens in a step, in a sentence. */
function saying({ step, is_causal }: State): string {
  return [
    "Score: every query (row) is multiplied with every key (column).",
    "Scale: every score is divided by the square root of the width of a key.",
    is_causal
      ? "Mask: no word may attend to a later one. The hatched scores become −∞."
      : "Mask: none here, so every word sees every word. Hide later words to see one at work.",
    "Softmax: every row becomes weights that sum to 1.",
    "Sum: every row of weights mixes the rows of V. This is the output.",
  ][step]!;
}

/** The matrices of a step: what stands left of the result and above it, and the result. */
function matrices(steps: Steps, step: number): { left?: Shown; above?: Shown; result: Shown } {
  const { tokens, query, key, value, mask } = steps;
  const pairs = { rows: tokens, columns: tokens, rowRole: "query", columnRole: "key" } as const;
  const weights: Shown = { ...pairs, name: "weights", values: steps.weights, heat: "weights", mask };
  if (step === 0) {
    const parts = query[0]?.map((_, i) => `component ${i + 1}`) ?? [];
    const turned = parts.map((_, c) => key.map((row) => row[c]!));
    return {
      left: { ...pairs, name: "● Q", values: query, columns: parts, role: "query", hides: "bare-columns" },
      above: { ...pairs, name: "■ Kᵀ", values: turned, rows: parts, role: "key", hides: "bare-rows" },
      result: { ...pairs, name: "scores", values: steps.scores, heat: "scores", hides: BOTH },
    };
  }
  if (step === LAST) {
    const columns = value[0]?.map((_, i) => FEATURES[i] ?? `${i + 1}`) ?? [];
    const both = { ...pairs, columns, rowRole: "value", columnRole: "value" } as const;
    const above: Shown = { ...both, name: "▲ V", values: value, role: "value" };
    const result: Shown = { ...both, name: "▲ output", values: steps.output, role: "output", hides: BOTH };
    return { left: weights, above, result };
  }
  if (step === SOFTMAX) return { result: weights };
  const scaled: Shown = { ...pairs, name: "scaled scores", values: steps.scaled, heat: "scores" };
  return { result: step === 2 ? { ...scaled, name: "masked scores", mask } : scaled };
}

function shapes({ tokens, query, value }: Steps, step: number): string {
  const count = tokens.length;
  const pairs = `(num_queries, num_keys) = (${count}, ${count})`;
  if (step === 0) return `Q (num_queries, d_k) = (${count}, ${query[0]?.length ?? 0}), scores ${pairs}`;
  if (step < LAST) return pairs;
  return `weights ${pairs}, output (num_queries, d_v) = (${count}, ${value[0]?.length ?? 0})`;
}

/** The picture of one step; a change of the chosen cell moves only the marks. */
function pictureOf(context: Context<State>): { element: HTMLElement; update(state: State): void } {
  const element = h("div", { class: "scroll", role: "group", "aria-label": "Arrays of this step" });
  const written = h("p", { class: "written" });
  const shape = h("p", { class: "shape" });
  const flight = new Flight();
  let drawn = "";
  let grids: { left: Grid | undefined; above: Grid | undefined; result: Grid };
  let shares: Share[] = [];
  const fly = (): void => {
    const { row, column } = chosen(context.state());
    const sources = [...(grids.left?.cells[row] ?? []), ...(grids.above?.cells ?? []).flatMap((line) => line[column]!)];
    flight.start(sources, grids.result.cells[row]?.[column]);
  };
  const draw = (steps: Steps, step: number): void => {
    const { left, above, result } = matrices(steps, step);
    grids = { left: left && grid(left), above: above && grid(above), result: grid(result) };
    grids.above?.element.classList.add("above");
    choosable(grids.result, (row, column, isMeant) => {
      context.change({ row, column });
      if (isMeant) fly();
    });
    shares = step === SOFTMAX ? steps.tokens.map(() => ({ power: bar(), weight: bar() })) : [];
    if (step === SOFTMAX) grids.result.element.append(footOf(shares));
    grids.left?.element.classList.add("left");
    grids.result.element.classList.add("result");
    const parts = [grids.above, grids.left, grids.result].flatMap((each) => each?.element ?? []);
    element.replaceChildren(h("div", { class: left ? `product ${step === LAST ? "sum" : ""}` : "" }, ...parts));
    shape.textContent = shapes(steps, step);
  };
  return {
    element: h("div", {}, element, written, shape),
    update(state) {
      const { row: i, column: j, steps } = chosen(state);
      const now = JSON.stringify([steps.tokens, state.step, state.is_causal]);
      const isNext = drawn !== "" && now !== drawn;
      if (now !== drawn) draw(steps, state.step);
      drawn = now;
      light(grids.result, (row, column) => row === i && (column === j || state.step === SOFTMAX));
      if (grids.left) light(grids.left, (row) => row === i);
      if (grids.above) light(grids.above, (_, column) => column === j);
      reachable(grids.result, i, j);
      written.textContent = steps.tokens.length > 0 ? arithmetic(steps, state.step, i, j) : "";
      if (shares.length > 0) normalise(shares, steps, i);
      if (isNext) fly();
    },
  };
}

interface Share {
  power: Bar;
  weight: Bar;
}

/** A row of bars below the weights, for the chosen query. */
function footOf(shares: readonly Share[]): HTMLElement {
  const cells = shares.map(({ power, weight }) => {
    power.element.classList.add("power");
    return h("td", { "aria-hidden": "true" }, power.element, weight.element);
  });
  return h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "e^score"), ...cells));
}

/** Shows each e^score of a row as a frame, and lets a bar sink in it to the score's share of their sum. */
function normalise(shares: readonly Share[], { scaled, mask, weights }: Steps, i: number): void {
  const powers = scaled[i]!.map((score, j) => (mask[i]![j] ? Math.exp(score) : 0));
  const most = Math.max(...powers);
  shares.forEach(({ power, weight }, j) => {
    power.show(powers[j]! / most, text.number(powers[j]!));
    weight.show(weights[i]![j]!, "");
    sink(weight.element, power.element);
  });
}

/** The chosen cell, within the result of the step. */
function chosen(state: State): { steps: Steps; row: number; column: number } {
  const steps = stepsOf(state);
  const last = Math.max(0, steps.tokens.length - 1);
  const width = state.step === LAST ? state.w_value[0]!.length - 1 : last;
  return { steps, row: clamp(state.row, 0, last), column: clamp(state.column, 0, width) };
}

function stepper(context: Context<State>): { element: HTMLElement; update(state: State): void } {
  const to = (step: number): void => context.change({ step: clamp(step, 0, LAST) });
  const by = (count: number): void => to(context.state().step + count);
  const steps = LABELS.map((label, i) => button(label, () => to(i)));
  const back = button("Back", () => by(-1));
  const next = button("Next", () => by(1));
  next.classList.add("next");
  const buttons = [...steps, back, next];
  const element = h("div", { class: "buttons stepper", role: "group", "aria-label": "Step" }, ...buttons);
  element.addEventListener("keydown", ({ key }) => by({ ArrowRight: 1, ArrowLeft: -1 }[key] ?? 0));
  return {
    element,
    update({ step }) {
      steps.forEach((each, i) => set(each, { "aria-current": i === step && "step" }));
      // Not disabled: a button that has the focus would lose it.
      set(back, { "aria-disabled": step === 0 && "true" });
      set(next, { "aria-disabled": step === LAST && "true" });
    },
  };
}

function build(context: Context<State>): Built<State> {
  const input = h("input", { type: "text", maxlength: 60, spellcheck: "false", autocomplete: "off" });
  input.addEventListener("input", () => {
    if (tokensOf(input.value).length > 0) context.change({ sentence: input.value });
  });
  input.addEventListener("blur", () => (input.value = context.state().sentence));
  const hidden = toggle("Hide later words", (is_causal) => context.change({ is_causal }));
  const steps = stepper(context);
  const picture = pictureOf(context);
  const now = h("p", { class: "now" });
  const known = h("p", { class: "shape" });
  const label = h("label", {}, `Sentence, up to ${MOST_WORDS} words`, input);
  const own = h("div", { class: "own flow" }, label, hidden.element);
  return {
    parts: [steps.element, now, picture.element, own, known],
    update(state) {
      if (input.value !== state.sentence) input.value = state.sentence;
      hidden.show(state.is_causal);
      steps.update(state);
      now.textContent = saying(state);
      picture.update(state);
      known.textContent = origin(state);
    },
  };
}

/** Where the vectors of the sentence come from. */
function origin({ sentence, known }: State): string {
  const others = [...new Set(tokensOf(sentence).filter((word) => !known.includes(word)))];
  const rest = others.length === 0 ? "Any other word has zeros only." : `Not among them, so zeros only: ${text.words(others)}.`;
  return `Words with features, set by hand: ${known.join(", ")}. ${rest}`;
}

export default explorable<State>({
  name: "Attention step by step",
  shows: ["sentence", "known", "vectors", "w_query", "w_key", "w_value", "is_causal", "step", "row", "column"],
  answers: ["sentence"],
  style: css,
  build,
  summary(state) {
    const { steps, row, column } = chosen(state);
    if (steps.tokens.length === 0) return "The sentence has no words yet.";
    return `Step ${state.step + 1} of ${LABELS.length}. ${arithmetic(steps, state.step, row, column)}.`;
  },
  paper: () => ({ step: LAST }),
});
