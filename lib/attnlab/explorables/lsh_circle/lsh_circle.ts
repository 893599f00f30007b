// Keys on the unit circle fall into buckets; which of the nearest ones does a query meet?
import type { Host } from "../host.ts";
import { clamp } from "../math.ts";
import * as text from "../text.ts";
import { h } from "../ui/dom.ts";
import { button, slider } from "../ui/fields.ts";
import { mount, type Common, type Context, type Spec } from "../ui/frame.ts";
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

function build(context: Context<State>): { parts: Node[]; update(state: State): void } {
  const circle = new Circle((query) => context.change({ query }));
  const controls = controlsOf(context);
  const columns = ["", `found of ${NEAREST} nearest`, "keys compared"];
  const table = new Table("What is found, and what it costs", columns);
  const panel = (...parts: Node[]): HTMLElement => h("div", { class: "panel" }, ...parts);
  const overall = remembered(everywhere);
  return {
    parts: [
      h(
        "div",
        { class: "panels" },
        panel(circle.element, h("div", { class: "outcome" }, table.element)),
        panel(...controls.elements, h("p", { class: "legend" }, LEGEND)),
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

/** The same function, which does not compute the last result again while a query is dragged. */
function remembered(compute: (hashing: Hashing) => Found): (hashing: Hashing) => Found {
  let [last, result] = ["", { recall: 0, compared: 0 }];
  return (hashing) => {
    const now = JSON.stringify(hashing);
    if (now !== last) [last, result] = [now, compute(hashing)];
    return result;
  };
}

function controlsOf(context: Context<State>): { elements: Node[]; show(state: State): void } {
  const query = slider("direction of the query", ["0°", "359°"], 359, (to) => context.change({ query: to }));
  const ends = [String(FEWEST), String(MOST)] as const;
  const buckets = slider("buckets", ends, (MOST - FEWEST) / 2, (to) =>
    context.change({ num_buckets: FEWEST + 2 * to }),
  );
  const most = context.state().turns.length;
  const rounds = slider("rounds", ["1", String(most)], most - 1, (to) =>
    context.change({ num_rounds: to + 1 }),
  );
  const draw = button("Draw other rotations", () =>
    context.change({ turns: context.state().turns.map(() => Math.floor(360 * Math.random())) }),
  );
  return {
    elements: [query.element, buckets.element, rounds.element, h("div", {}, draw)],
    show(state) {
      query.show({ position: state.query, text: `${state.query}°` });
      buckets.show({ position: (state.num_buckets - FEWEST) / 2, text: String(state.num_buckets) });
      rounds.show({ position: state.num_rounds - 1, text: String(state.num_rounds) });
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

const spec: Spec<State> = {
  shows: ["query", "num_buckets", "num_rounds", "angles", "turns"],
  answers: ["num_buckets", "num_rounds"],
  whole: ["query", "num_buckets", "num_rounds", "angles", "turns"],
  style,
  build,
  summary,
};

export const render = (host: Host<State>): (() => void) => mount(host, spec);
export default { render };
