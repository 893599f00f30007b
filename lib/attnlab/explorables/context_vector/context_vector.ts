// Drag or type a query, keys and values; scores, weights and the context vector follow.
import type { Host } from "../host.ts";
import { dot, type Matrix, type Vector } from "../math.ts";
import * as text from "../text.ts";
import { h } from "../ui/dom.ts";
import { toggle, vectorFields, vectorOutput, type Control } from "../ui/fields.ts";
import { mount, type Common, type Context, type Spec } from "../ui/frame.ts";
import { icon } from "../ui/marks.ts";
import { Plane, type Mark, type Point, type Segment } from "../ui/plane.ts";
import { Table } from "../ui/value_table.ts";
import { attend, type Attended } from "./arithmetic.ts";

export interface State extends Common {
  query: Vector;
  key: Matrix;
  value: Matrix;
  scaled: boolean;
}

const ORIGIN: Point = [0, 0];
const point = (v: Vector): Point => [v[0] ?? 0, v[1] ?? 0];
const replaced = (rows: Matrix, at: number, row: Vector): Vector[] =>
  rows.map((old, i) => (i === at ? row : old));
const attended = ({ query, key, value, scaled }: State): Attended =>
  attend(query, key, value, scaled);

/** A plane with its controls, which follow the state. */
interface Panel {
  element: HTMLElement;
  update(state: State, result: Attended): void;
}

function build(context: Context<State>): { parts: Node[]; update(state: State): void } {
  const panels = [queryPanel(context), valuePanel(context)];
  const table = new Table("Scores, weights and weighted values", [
    "",
    "score",
    "weight",
    { text: "value", spare: true },
    "weight × value",
  ]);
  return {
    parts: [h("div", { class: "panels" }, ...panels.map(({ element }) => element)), table.element],
    update(state) {
      const result = attended(state);
      for (const panel of panels) panel.update(state, result);
      fillTable(table, state, result);
    },
  };
}

function queryPanel(context: Context<State>): Panel {
  const setKey = (i: number, to: Vector): void =>
    context.change({ key: replaced(context.state().key, i, to) });
  const plane = new Plane("Query and keys", 2, (id, at) =>
    id === "q" ? context.change({ query: at }) : setKey(Number(id), at),
  );
  const query = vectorFields("query", "query", 2, (to) => context.change({ query: to }));
  const keys = context
    .state()
    .key.map((_, i) => vectorFields(`key ${i + 1}`, "key", 2, (to) => setKey(i, to)));
  const scale = toggle("Divide the scores by √2", (scaled) => context.change({ scaled }));
  return {
    element: panel("Query and keys", plane, [query, ...keys, scale]),
    update(state) {
      plane.update(...queryView(state));
      query.show(state.query);
      keys.forEach((field, i) => field.show(state.key[i]!));
      scale.show(state.scaled);
    },
  };
}

function valuePanel(context: Context<State>): Panel {
  const setValue = (i: number, to: Vector): void =>
    context.change({ value: replaced(context.state().value, i, to) });
  const title = "Values and context vector";
  const plane = new Plane(title, 1, (id, at) => setValue(Number(id), at));
  const values = context
    .state()
    .value.map((_, i) => vectorFields(`value ${i + 1}`, "value", 2, (to) => setValue(i, to)));
  const output = vectorOutput("context vector", "output");
  return {
    element: panel(title, plane, [...values, output]),
    update(state, result) {
      plane.update(...valueView(state, result));
      values.forEach((field, i) => field.show(state.value[i]!));
      output.show(text.vector(result.context));
    },
  };
}

function panel(title: string, plane: Plane, controls: readonly Control<never>[]): HTMLElement {
  const fields = controls.map((control) => control.element);
  return h("div", { class: "panel" }, h("p", { class: "title" }, title), plane.element, ...fields);
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
    const name = `value ${i + 1}`;
    return { id: String(i), label: `v${i + 1}`, name, role: "value", at: point(v), movable: true };
  });
  const name = "context vector";
  marks.unshift({ id: "out", label: "", name, role: "output", at, movable: false });
  // The line to each value is as thick as its weight is large.
  const lines: Segment[] = value.map((v, i) => ({
    from: at,
    to: point(v),
    look: "share",
    width: 0.75 + 7 * weights[i]!,
  }));
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
      { text: text.number(weight, 3), heat },
      { text: text.vector(value[i]!), spare: true },
      text.vector(share, 3),
    ];
    return { head: `key ${i + 1}`, cells };
  });
  const head = h("span", { class: "name output" }, icon("output"), " sum");
  table.update(rows, { head, cells: ["", text.number(1, 3), { text: "", spare: true }, text.vector(context, 3)] });
}

const spec: Spec<State> = {
  name: "Context vector",
  shows: ["query", "key", "value", "scaled"],
  answers: ["query"],
  build,
  summary(state) {
    const { weights, context } = attended(state);
    const shares = text.words(weights.map((w) => text.number(w)));
    return `Weights ${shares}. Context vector ${text.vector(context)}.`;
  },
};

export const render = (host: Host<State>): (() => void) => mount(host, spec);
export default { render };
