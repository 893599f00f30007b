// Attention step by step: one beat a step, and every cell shows what it is computed from.
import type { Host } from "../host.ts";
import { clamp, type Matrix } from "../math.ts";
import * as text from "../text.ts";
import { h, set } from "../ui/dom.ts";
import { button, toggle } from "../ui/fields.ts";
import { fly, motion } from "../ui/fly.ts";
import { mount, type Common, type Context, type Spec } from "../ui/frame.ts";
import { MOST_WORDS, stepsOf, tokensOf, type Steps } from "./arithmetic.ts";
import { choosable, grid, light, reachable, type Grid, type Shown } from "./grid.ts";
import css from "./pipeline.css";
import { WeightBars } from "./weight_bars.ts";
import { arithmetic } from "./written.ts";

export interface State extends Common {
  sentence: string;
  known: readonly string[];
  vectors: Matrix;
  w_query: Matrix;
  w_key: Matrix;
  w_value: Matrix;
  causal: boolean;
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
function saying({ step, causal }: State): string {
  return [
    "Score: every query (row) is multiplied with every key (column).",
    "Scale: every score is divided by the square root of the width of a key.",
    causal
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
  let [drawn, marked] = ["", ""];
  let shown: Drawn;
  let frame = 0;
  return {
    element: h("div", {}, element, written, shape),
    update(state) {
      const { row: i, column: j, steps } = chosen(state);
      const now = JSON.stringify([steps.tokens, state.step, state.causal]);
      if (now !== drawn) {
        shown = draw(element, steps, state.step);
        choosable(shown.result, (row, column) => context.change({ row, column }));
        shape.textContent = shapes(steps, state.step);
      }
      mark(shown, state.step, i, j);
      shown.bars?.update(steps, i, now !== drawn);
      written.textContent = steps.tokens.length > 0 ? arithmetic(steps, state.step, i, j) : "";
      const place = `${i},${j}`;
      const pace = now !== drawn ? 2.5 : Number(place !== marked);
      // A row and a column that change together come one after the other: one flight for both.
      cancelAnimationFrame(frame);
      const time = drawn === "" ? 0 : pace * motion(element);
      frame = requestAnimationFrame(() => fly(element, lit(shown), shown.result.cells[i]![j]!, time));
      [drawn, marked] = [now, place];
    },
  };
}

interface Drawn {
  left: Grid | undefined;
  above: Grid | undefined;
  result: Grid;
  bars: WeightBars | undefined;
}

function draw(element: HTMLElement, steps: Steps, step: number): Drawn {
  const { left, above, result } = matrices(steps, step);
  const drawn: Drawn = {
    left: left && grid(left),
    above: above && grid(above),
    result: grid(result),
    bars: step === SOFTMAX ? new WeightBars(steps.tokens.length) : undefined,
  };
  drawn.above?.element.classList.add("above");
  drawn.left?.element.classList.add("left");
  if (drawn.bars) drawn.result.element.tHead!.prepend(drawn.bars.element);
  const parts = [drawn.above, drawn.left, drawn.result].flatMap((each) => each?.element ?? []);
  element.replaceChildren(h("div", { class: left ? `product ${step === LAST ? "sum" : ""}` : "" }, ...parts));
  return drawn;
}

/** Marks the chosen cell and what it is computed from. */
function mark({ left, above, result }: Drawn, step: number, i: number, j: number): void {
  light(result, (row, column) => row === i && (column === j || step === SOFTMAX));
  if (left) light(left, (row) => row === i);
  if (above) light(above, (_, column) => column === j);
  reachable(result, i, j);
}

/** The marked cells of the operands: a row and a column. */
const lit = ({ left, above }: Drawn): HTMLElement[] =>
  [left, above].flatMap((each) => each?.cells.flat().filter((cell) => cell.classList.contains("lit")) ?? []);

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
  next.className = "next";
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

function build(context: Context<State>): { parts: Node[]; update(state: State): void } {
  const input = h("input", { type: "text", maxlength: 60, spellcheck: "false", autocomplete: "off" });
  input.addEventListener("input", () => {
    if (tokensOf(input.value).length > 0) context.change({ sentence: input.value });
  });
  input.addEventListener("blur", () => (input.value = context.state().sentence));
  const hidden = toggle("Hide later words", (causal) => context.change({ causal }));
  const steps = stepper(context);
  const picture = pictureOf(context);
  const now = h("p", { class: "now" });
  const rest = h("p", { class: "shape" });
  const chips = chipsOf(context);
  return {
    parts: [
      h("style", {}, css),
      steps.element,
      now,
      picture.element,
      h("div", { class: "own" }, h("label", {}, `Sentence, up to ${MOST_WORDS} words`, input), hidden.element),
      chips.element,
      rest,
    ],
    update(state) {
      if (input.value !== state.sentence) input.value = state.sentence;
      hidden.show(state.causal);
      steps.update(state);
      now.textContent = saying(state);
      picture.update(state);
      chips.update(state);
      rest.textContent = unknown(state);
    },
  };
}

/** The words that have features; one is put in place of the chosen query's word. */
function chipsOf(context: Context<State>): { element: HTMLElement; update(state: State): void } {
  const name = h("span", { class: "name" });
  const words = context.state().known.map((word) =>
    button(word, () => {
      const { row, steps } = chosen(context.state());
      context.change({ sentence: steps.tokens.with(row, word).join(" ") });
    }),
  );
  const element = h("div", { class: "chips", role: "group" }, name, ...words);
  return {
    element,
    update(state) {
      const { row, steps } = chosen(state);
      name.textContent = `In place of ${steps.tokens[row] ?? ""}`;
      set(element, { "aria-label": name.textContent });
      words.forEach((each) => set(each, { "aria-pressed": String(each.textContent === steps.tokens[row]) }));
    },
  };
}

/** What is known of the other words of the sentence: nothing. */
function unknown({ sentence, known }: State): string {
  const others = [...new Set(tokensOf(sentence).filter((word) => !known.includes(word)))];
  return others.length === 0
    ? "These words have features, set by hand. Any other word has zeros only."
    : `Without features, so zeros only: ${text.words(others)}.`;
}

const spec: Spec<State> = {
  shows: ["sentence", "known", "vectors", "w_query", "w_key", "w_value", "causal", "step", "row", "column"],
  answers: ["sentence"],
  build,
  summary(state) {
    const { steps, row, column } = chosen(state);
    if (steps.tokens.length === 0) return "The sentence has no words yet.";
    return `Step ${state.step + 1} of ${LABELS.length}. ${arithmetic(steps, state.step, row, column)}.`;
  },
};

export const render = (host: Host<State>): (() => void) => mount(host, spec);
export default { render };
