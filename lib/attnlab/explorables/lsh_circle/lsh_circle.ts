// Keys on the unit circle fall into buckets; which of the nearest ones does a query meet?
import { clamp, remembered } from "../math.ts";
import * as text from "../text.ts";
import { h } from "../ui/dom.ts";
import { button, range } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { panel, panels } from "../ui/layout.ts";
import { Table } from "../ui/value_table.ts";
import { bucket, everywhere, found, meetings, nearest, NEAREST, type Found, type Hashing } from "./arithmetic.ts";
import { Circle } from "./circle.ts";
import style from "./lsh_circle.css";

export interface State extends Common {
  query: number;
  num_buckets: number;
  num_rounds: number;
  angles: readonly number[];
  turns: readonly number[];
}

const FEWEST = 4;
const MOST = 16;
const LEGEND =
  "Circle: the query. Squares: keys, filled where it met them; dashed rings: the four nearest. " +
  "Arcs outside: its bucket, one for each round.";

/** The numbers that a reader types as an answer may be far out of range. */
const hashingOf = (state: State): Hashing => ({
  angles: state.angles,
  turns: state.turns,
  buckets: clamp(2 * Math.round(state.num_buckets / 2), FEWEST, MOST),
  rounds: clamp(Math.round(state.num_rounds), 1, state.turns.length),
});

function build(context: Context<State>): Built<State> {
  const circle = new Circle((query) => context.change({ query }));
  const controls = controlsOf(context);
  const columns = ["", `found of ${NEAREST} nearest`, "keys compared"];
  const table = new Table("What is found, and what it costs", columns);
  const overall = remembered(everywhere);
  return {
    parts: [
      panels(
        panel(circle.element, h("div", { class: "outcome" }, table.element)),
        panel(...controls.elements, h("p", { class: "shape" }, LEGEND)),
      ),
    ],
    update(state) {
      controls.show(state);
      circle.update(viewOf(state));
      circle.element.setAttribute("aria-label", summary(state));
      fillTable(table, state, overall(hashingOf(state)));
    },
  };
}

function controlsOf(context: Context<State>): { elements: Node[]; show(state: State): void } {
  const query = range("direction of the query", [0, 359], (to) => context.change({ query: to }), {
    text: (degrees) => `${degrees}°`,
  });
  const buckets = range("buckets", [FEWEST, MOST, 2], (num_buckets) => context.change({ num_buckets }));
  const most = context.state().turns.length;
  const rounds = range("rounds", [1, most], (num_rounds) => context.change({ num_rounds }));
  const draw = button("Draw other rotations", () =>
    context.change({ turns: context.state().turns.map(() => Math.floor(360 * Math.random())) }),
  );
  return {
    elements: [query.element, buckets.element, rounds.element, h("div", {}, draw)],
    show(state) {
      query.show(state.query);
      buckets.show(state.num_buckets);
      rounds.show(state.num_rounds);
    },
  };
}

function viewOf(state: State) {
  const { query, angles } = state;
  const { buckets: count, rounds } = hashingOf(state);
  const width = 360 / count;
  const arcs = state.turns.slice(0, rounds).map((turn) => ({
    from: turn + (bucket(query, turn, count) - 0.5) * width,
    width,
  }));
  const met = meetings(query, hashingOf(state)).map((times) => times > 0);
  return { query, angles, arcs, met, nearest: nearest(query, angles) };
}

function fillTable(table: Table, state: State, overall: Found): void {
  const own = found(state.query, hashingOf(state));
  const keys = state.angles.length;
  const row = (head: string, { recall, compared }: Found, decimals: number) => ({
    head,
    cells: [text.number(recall), text.number(compared, decimals)],
  });
  table.update([
    row("this query", own, 0),
    row("all directions", overall, 1),
    row("all scores", { recall: 1, compared: keys }, 0),
  ]);
}

function summary(state: State): string {
  const { recall, compared } = found(state.query, hashingOf(state));
  const near = Math.round(recall * NEAREST);
  return `Query at ${state.query} degrees: it meets ${near} of its ${NEAREST} nearest keys and is compared with ${compared}.`;
}

export default explorable<State>({
  name: "Hashing on the circle",
  shows: ["query", "num_buckets", "num_rounds", "angles", "turns"],
  answers: ["num_buckets", "num_rounds"],
  whole: ["query", "num_buckets", "num_rounds", "angles", "turns"],
  style,
  build,
  summary,
});
