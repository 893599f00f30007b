// Two arrows turn with their positions, pair by pair; their dot product depends on the distance.
import * as text from "../text.ts";
import { Dials } from "../ui/dials.ts";
import { h } from "../ui/dom.ts";
import { range, toggle } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { panel, panels } from "../ui/layout.ts";
import { Strips } from "../ui/strips.ts";
import { Table } from "../ui/value_table.ts";
import { frequencies, FULL_TURN, movedTogether, products, total } from "./arithmetic.ts";
import style from "./rotary_dial.css";

export interface State extends Common {
  query_position: number;
  key_position: number;
  keep_distance: boolean;
  d_k: number;
}

const LAST = 63;
type Place = "query_position" | "key_position";

function build(context: Context<State>): Built<State> {
  const { d_k } = context.state();
  const move = (place: Place, to: number): void => context.change(moved(context.state(), place, to));
  const controls = controlsOf(context, move);
  const dials = new Dials();
  const strips = new Strips(d_k / 2 + 1, LAST + 1, (column) => move("key_position", column));
  const head = h("p", { class: "strip-head" });
  const table = new Table("The hands at both positions", [
    "hand",
    { text: "query turned by", spare: true },
    { text: "key turned by", spare: true },
    "angle between",
    "dot product",
  ]);
  return {
    parts: [dials.element, controls.element, head, strips.element, table.element],
    update(state) {
      controls.show(state);
      dials.update(dialsOf(state));
      strips.update(stripsOf(state), state.key_position);
      strips.element.setAttribute("aria-label", "Dot products with a key at each position, 0 to 63");
      head.textContent =
        `Dot product with a key at 0 … ${LAST}, hand by hand, and their sum below ` +
        "(blue: above 0, orange: below 0)";
      fillTable(table, state);
    },
  };
}

/** The new positions when one is moved; with a kept distance, the other goes along. */
function moved(state: State, place: Place, to: number): Partial<State> {
  if (!state.keep_distance) return { [place]: to };
  const other = place === "key_position" ? "query_position" : "key_position";
  const [mine, others] = movedTogether([state[place], state[other]], to, LAST);
  return { [place]: mine, [other]: others };
}

function controlsOf(
  context: Context<State>,
  move: (place: Place, to: number) => void,
): { element: HTMLElement; show(state: State): void } {
  const query = range("position of the query", [0, LAST], (to) => move("query_position", to));
  const key = range("position of the key", [0, LAST], (to) => move("key_position", to));
  const keep = toggle("Move both: keep the distance", (on) => context.change({ keep_distance: on }));
  return {
    element: h("div", {}, panels(panel(query.element), panel(key.element)), keep.element),
    show(state) {
      query.show(state.query_position);
      key.show(state.key_position);
      keep.show(state.keep_distance);
    },
  };
}

const dialsOf = ({ query_position, key_position, d_k }: State) =>
  frequencies(d_k).map((frequency) => ({
    query: query_position * frequency,
    key: key_position * frequency,
    label: `a turn in ${tokens(FULL_TURN / frequency)} tokens`,
  }));

const tokens = (count: number): string =>
  count < 10 ? text.number(count, 1) : Math.round(count).toLocaleString("en");

function stripsOf({ query_position, d_k }: State) {
  const columns = Array.from({ length: LAST + 1 }, (_, key) => products(query_position, key, d_k));
  const rows = Array.from({ length: d_k / 2 }, (_, hand) => ({
    values: columns.map((parts) => parts[hand]!),
    limit: 1,
  }));
  return [...rows, { values: columns.map(total), limit: d_k / 2 }];
}

function fillTable(table: Table, { query_position, key_position, d_k }: State): void {
  const parts = products(query_position, key_position, d_k);
  const rows = frequencies(d_k).map((frequency, i) => ({
    head: `${i + 1}`,
    cells: [
      { text: turns(query_position * frequency), spare: true },
      { text: turns(key_position * frequency), spare: true },
      turns(Math.abs(query_position - key_position) * frequency),
      { text: text.number(parts[i]!, 3), heat: { value: parts[i]!, kind: "scores" as const } },
    ],
  }));
  const spare = { text: "", spare: true };
  const far = `${Math.abs(query_position - key_position)} apart`;
  table.update(rows, { head: "sum", cells: [spare, spare, far, text.number(total(parts), 3)] });
}

/** An angle as a number of full turns. */
const turns = (angle: number): string => `${text.number(angle / FULL_TURN, 2)} turns`;

export default explorable<State>({
  name: "Rotary positions",
  shows: ["query_position", "key_position", "keep_distance", "d_k"],
  answers: ["query_position", "key_position"],
  whole: ["query_position", "key_position", "d_k"],
  style,
  build,
  summary({ query_position, key_position, d_k }) {
    const parts = products(query_position, key_position, d_k);
    const each = text.words(parts.map((x) => text.number(x)));
    const apart = Math.abs(query_position - key_position);
    return `Query at ${query_position}, key at ${key_position}, ${apart} apart. Dot products ${each}; sum ${text.number(total(parts))}.`;
  },
});
