// One query, the same keys, five score functions: drag a vector, and all rows follow.
import { softmax, type Matrix, type Vector } from "../math.ts";
import * as text from "../text.ts";
import { h } from "../ui/dom.ts";
import { vectorFields } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { fold, panel, panels } from "../ui/layout.ts";
import { Plane, type Mark, type Point, type Segment } from "../ui/plane.ts";
import { centred } from "../ui/plane_frame.ts";
import { Table, type Cell } from "../ui/value_table.ts";
import { favourite, scoresBy } from "./arithmetic.ts";
import style from "./score_functions.css";

export interface State extends Common {
  query: Vector;
  key: Matrix;
  w_general: Matrix;
  w_query: Matrix;
  w_key: Matrix;
  w_score: Vector;
}

const ORIGIN: Point = [0, 0];
const point = (v: Vector): Point => [v[0] ?? 0, v[1] ?? 0];

function view({ query, key }: State): [Mark[], Segment[]] {
  const marks: Mark[] = key.map((k, i) => {
    const name = `key ${i + 1}`;
    return { id: String(i), label: `k${i + 1}`, name, role: "key", at: point(k), movable: true };
  });
  marks.push({ id: "q", label: "q", name: "query", role: "query", at: point(query), movable: true });
  const lines: Segment[] = key.map((k) => ({ from: ORIGIN, to: point(k), look: "key" }));
  return [marks, [...lines, { from: ORIGIN, to: point(query), look: "query" }]];
}

/** The rows of both tables: scores, and the weights that they lead to. */
function rowsOf(state: State): { name: string; scores: number[]; weights: Cell[]; top: string }[] {
  return Object.entries(scoresBy(state)).map(([name, scores]) => {
    const weights = softmax(scores).map((value) => ({
      text: text.number(value),
      heat: { value, kind: "weights" as const },
    }));
    const best = favourite(scores);
    return { name, scores, weights, top: best === undefined ? "a tie" : `k${best + 1}` };
  });
}

function build(context: Context<State>): Built<State> {
  const keys = context.state().key.map((_, i) => `k${i + 1}`);
  const setKey = (at: number, to: Vector): void =>
    context.change({ key: context.state().key.map((old, i) => (i === at ? to : old)) });
  const plane = new Plane("Query and keys", centred(2), (id, at) =>
    id === "q" ? context.change({ query: at }) : setKey(Number(id), at),
  );
  const query = vectorFields("query", "query", 2, (to) => context.change({ query: to }));
  const typed = keys.map((_, i) => vectorFields(`key ${i + 1}`, "key", 2, (to) => setKey(i, to)));
  const weights = new Table("Weights by score function", ["weights", ...keys, "largest"]);
  const scores = new Table("Scores by score function", ["scores", ...keys]);
  const numbers = fold("Type numbers", query.element, ...typed.map(({ element }) => element));
  const left = panel(plane.element, numbers);
  return {
    parts: [panels(left, panel(weights.element, scores.element)), parameters(context.state())],
    update(state) {
      plane.update(...view(state));
      query.show(state.query);
      typed.forEach((field, i) => field.show(state.key[i]!));
      const rows = rowsOf(state);
      weights.update(rows.map((row) => ({ head: row.name, cells: [...row.weights, row.top] })));
      const cells = (row: { scores: number[] }): string[] => row.scores.map((s) => text.number(s));
      scores.update(rows.map((row) => ({ head: row.name, cells: cells(row) })));
    },
  };
}

const matrix = (rows: Matrix): string => `[${rows.map((row) => text.vector(row, 0)).join(", ")}]`;

/** The parameters that a model would learn. */
function parameters({ w_general, w_query, w_key, w_score }: State): HTMLElement {
  const additive = `W_q = ${matrix(w_query)}, W_k = ${matrix(w_key)}, v = ${text.vector(w_score, 0)}`;
  const set = `Set by hand: general, W = ${matrix(w_general)}; additive, ${additive}.`;
  return h("p", { class: "shape" }, set);
}

export default explorable<State>({
  name: "Score functions",
  shows: ["query", "key", "w_general", "w_query", "w_key", "w_score"],
  answers: ["query"],
  style,
  build,
  summary(state) {
    const tops = rowsOf(state).map(({ name, top }) => `${name} ${top}`);
    return `Largest weight: ${tops.join(", ")}.`;
  },
});
