// Drag or type a query, keys and values; scores, weights and the context vector follow.
import { dot, type Matrix, type Vector } from "../math.ts";
import * as text from "../text.ts";
import { h } from "../ui/dom.ts";
import { toggle, vectorFields } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { panel, panels, titled } from "../ui/layout.ts";
import { icon } from "../ui/marks.ts";
import { Plane, type Mark, type Point, type Segment } from "../ui/plane.ts";
import { centred, fitted } from "../ui/plane_frame.ts";
import { Table } from "../ui/value_table.ts";
import { attend, isReached, type Attended, type Goal } from "./arithmetic.ts";

export interface State extends Common, Goal {
  query: Vector;
  key: Matrix;
  value: Matrix;
  /** What the reader has made when they are reached, in a few words. */
  goal_text: string;
}

const ORIGIN: Point = [0, 0];
const point = (v: Vector): Point => [v[0] ?? 0, v[1] ?? 0];
const attended = ({ query, key, value, scaled }: State): Attended =>
  attend(query, key, value, scaled);
/** Changes one of the keys or values. */
const put = ({ state, change }: Context<State>, name: "key" | "value", at: number, to: Vector): void =>
  change({ [name]: state()[name].map((old, i) => (i === at ? to : old)) });

/** A part of the figure, which follows the state. */
interface Panel {
  element: HTMLElement;
  update(state: State, result: Attended): void;
}

/** Cause, arithmetic, effect, in this order: on a phone they share a screen, without the boxes. */
function build(context: Context<State>): Built<State> {
  const panels = [queryPanel(context), numbers(), valuePanel(context), boxes(context)];
  return {
    parts: [h("div", { class: "attended" }, ...panels.map(({ element }) => element))],
    update(state) {
      const result = attended(state);
      for (const panel of panels) panel.update(state, result);
    },
  };
}

function queryPanel(context: Context<State>): Panel {
  const title = "Query and keys";
  const plane = new Plane(title, centred(2), (id, at) =>
    id === "q" ? context.change({ query: at }) : put(context, "key", Number(id), at),
  );
  const scale = toggle("Divide the scores by √2", (scaled) => context.change({ scaled }));
  return {
    element: titled(title, plane.element, scale.element),
    update(state) {
      plane.update(...queryView(state));
      scale.show(state.scaled);
    },
  };
}

function valuePanel(context: Context<State>): Panel {
  const title = "Values and context vector";
  const plane = new Plane(title, fitted, (id, at) => put(context, "value", Number(id), at));
  const note = h("p", { class: "shape" }, "A wider line means a larger weight.");
  return {
    element: titled(title, plane.element, note),
    update: (state, result) => plane.update(...valueView(state, result)),
  };
}

function numbers(): Panel {
  const spare = ["value", "weight × value"].map((text) => ({ text, spare: true }));
  const columns = ["", "score", "exp(score)", "weight", ...spare];
  const table = new Table("Scores, weights and weighted values", columns);
  const context = h("p", { class: "narrow" });
  const done = h("p", { class: "done" });
  return {
    element: h("div", { class: "numbers" }, table.element, context, done),
    update(state, result) {
      fillTable(table, state, result);
      const name = h("span", { class: "name output" }, icon("output"), " context vector ");
      context.replaceChildren(name, text.vector(result.context, 3));
      done.textContent = isReached(state, result.weights) ? `✓ ${state.goal_text}` : "";
    },
  };
}

/** Boxes to type all components into, folded: dragging is quicker, and they would hide the effect. */
function boxes(context: Context<State>): Panel {
  const query = vectorFields("query", "query", 2, (to) => context.change({ query: to }));
  const fieldsOf = (name: "key" | "value") =>
    context.state()[name].map((_, i) => vectorFields(`${name} ${i + 1}`, name, 2, (to) => put(context, name, i, to)));
  const [keys, values] = [fieldsOf("key"), fieldsOf("value")];
  const column = (...fields: (typeof query)[]): HTMLElement => panel(...fields.map(({ element }) => element));
  const columns = panels(column(query, ...keys), column(...values));
  return {
    element: h("details", { class: "boxes" }, h("summary", {}, "Type numbers"), columns),
    update(state) {
      query.show(state.query);
      keys.forEach((field, i) => field.show(state.key[i]!));
      values.forEach((field, i) => field.show(state.value[i]!));
    },
  };
}

function queryView({ query, key }: State): [Mark[], Segment[]] {
  const q = point(query);
  const marks: Mark[] = key.map((k, i) => {
    const name = `key ${i + 1}`;
    return { id: String(i), label: `k${i + 1}`, name, role: "key", at: point(k), movable: true };
  });
  marks.push({ id: "q", label: "q", name: "query", role: "query", at: q, movable: true });
  const lines: Segment[] = key.map((k) => ({ from: ORIGIN, to: point(k), look: "key" }));
  lines.push({ from: ORIGIN, to: q, look: "query" });
  // Each key's foot on the query's line: score = length of the query × position of the foot.
  const length = dot(q, q);
  for (const k of length > 1e-9 ? key : []) {
    const along = dot(k, q) / length;
    lines.push({ from: point(k), to: [along * q[0], along * q[1]], look: "helper" });
  }
  return [marks, lines];
}

function valueView({ value }: State, { weights, context }: Attended): [Mark[], Segment[]] {
  const at = point(context);
  const marks: Mark[] = value.map((v, i) => {
    const [label, name] = [`v${i + 1}`, `value ${i + 1}`];
    return { id: String(i), label, name, role: "value", at: point(v), movable: true, from: at };
  });
  marks.unshift({ id: "out", label: "", name: "context vector", role: "output", at, movable: false });
  // The line to each value is as thick as its weight is large.
  const widths = weights.map((weight) => 0.75 + 7 * weight);
  const lines = value.map((v, i) => ({ from: at, to: point(v), look: "share", width: widths[i]! }));
  return [marks, lines];
}

function fillTable(table: Table, { value }: State, result: Attended): void {
  const { scores, weights, context } = result;
  const rows = scores.map((score, i) => {
    const weight = weights[i]!;
    const share = value[i]!.map((x) => weight * x);
    const heat = { value: weight, kind: "weights" as const };
    const cells = [
      text.number(score),
      text.short(Math.exp(score)),
      { text: text.number(weight, 3), heat },
      { text: text.vector(value[i]!), spare: true },
      { text: text.vector(share, 3), spare: true },
    ];
    return { head: `key ${i + 1}`, cells };
  });
  const head = h("span", { class: "name output" }, icon("output"), " sum");
  const total = text.short(scores.reduce((sum, score) => sum + Math.exp(score), 0));
  const spare = ["", text.vector(context, 3)].map((words) => ({ text: words, spare: true }));
  const cells = ["", total, text.number(1, 3), ...spare];
  table.update(rows, { head, cells });
}

export default explorable<State>({
  name: "Context vector",
  shows: ["query", "key", "value", "scaled", "goal", "goal_scaled", "goal_text"],
  answers: ["query"],
  build,
  summary(state) {
    const { weights, context } = attended(state);
    const shares = text.words(weights.map((w) => text.number(w)));
    const done = isReached(state, weights) ? ` Done: ${state.goal_text}.` : "";
    return `Weights ${shares}. Context vector ${text.vector(context)}.${done}`;
  },
});
