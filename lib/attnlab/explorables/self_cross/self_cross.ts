// The same queries attend to another sentence, or to their own: only the source of keys and
// values changes.
import type { Matrix } from "../math.ts";
import * as text from "../text.ts";
import { h } from "../ui/dom.ts";
import { choice } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { panel, panels } from "../ui/layout.ts";
import { HeatMap } from "../ui/heat_map.ts";
import { Ribbons } from "../ui/ribbons.ts";
import { weightsOf } from "./arithmetic.ts";

export interface State extends Common {
  query_tokens: readonly string[];
  other_tokens: readonly string[];
  query_vectors: Matrix;
  other_vectors: Matrix;
  /** "cross": keys and values of the other sentence; "self": of the queries' own. */
  attention: string;
  /** The query whose ribbons are drawn. */
  selected: number;
}

const KINDS = ["cross", "self"] as const;

function sources(state: State): { tokens: readonly string[]; weights: number[][] } {
  const cross = state.attention === "cross";
  const key = cross ? state.other_vectors : state.query_vectors;
  const tokens = cross ? state.other_tokens : state.query_tokens;
  return { tokens, weights: weightsOf(state.query_vectors, key) };
}

function build(context: Context<State>): Built<State> {
  const { query_tokens: queries } = context.state();
  const kind = choice(
    "Keys and values come from",
    ["the other sentence (cross-attention)", "the same sentence (self-attention)"],
    (i) => context.change({ attention: KINDS[i]! }),
  );
  const select = (selected: number): void => context.change({ selected });
  const asking = choice("The query of", queries, select);
  const ribbons = new Ribbons(select);
  const heat = h("div");
  const shape = h("p", { class: "shape" });
  let drawn: HeatMap | undefined;
  let columns: readonly string[] = [];

  return {
    parts: [
      h("div", { class: "choices" }, kind.element, asking.element),
      panels(panel(ribbons.element), panel(heat, shape)),
    ],
    update(state) {
      const { tokens, weights } = sources(state);
      kind.show(KINDS.indexOf(state.attention as (typeof KINDS)[number]));
      asking.show(state.selected);
      ribbons.update(queries, tokens, weights[state.selected]!, state.selected);
      if (!drawn || columns.join() !== tokens.join()) {
        [drawn, columns] = [new HeatMap("Weights", queries, tokens, select), tokens];
        heat.replaceChildren(drawn.element);
      }
      drawn.update(weights, weights.map((row) => row.map(() => true)));
      drawn.mark(state.selected);
      shape.textContent = `(num_queries, num_keys) = (${queries.length}, ${tokens.length})`;
    },
  };
}

export default explorable<State>({
  name: "Self- and cross-attention",
  shows: [
    "query_tokens",
    "other_tokens",
    "query_vectors",
    "other_vectors",
    "attention",
    "selected",
  ],
  answers: ["attention"],
  build,
  summary(state) {
    const { tokens, weights } = sources(state);
    const row = weights[state.selected]!;
    const best = row.indexOf(Math.max(...row));
    const query = state.query_tokens[state.selected];
    return `${query} looks most at ${tokens[best]}, with weight ${text.number(row[best]!)}.`;
  },
});
