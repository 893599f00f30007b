// Paint a mask over a grid of scores; the weights follow.
import { both, causal, everything, padding } from "../masks.ts";
import { softmax, type Mask, type Matrix } from "../math.ts";
import * as text from "../text.ts";
import { h } from "../ui/dom.ts";
import { button } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { panels, titled } from "../ui/layout.ts";
import { HeatMap } from "../ui/heat_map.ts";
import { PaintGrid } from "../ui/paint_grid.ts";

export interface State extends Common {
  query_tokens: readonly string[];
  key_tokens: readonly string[];
  score: Matrix;
  mask: Mask;
  /** How many keys are real; those after them are padding. */
  length: number;
}

function build(context: Context<State>): Built<State> {
  const { query_tokens: queries, key_tokens: keys } = context.state();
  const paint = new PaintGrid(queries, keys, (mask) => context.change({ mask }));
  const heat = new HeatMap("Weights", queries, keys);
  const note = h("p", { class: "said" });
  const size = `(num_queries, num_keys) = (${queries.length}, ${keys.length})`;

  return {
    parts: [
      presets(context),
      panels(
        titled("Scores: paint what is hidden", paint.element, h("p", { class: "shape" }, size)),
        titled("Weights", heat.element),
      ),
      note,
    ],
    update({ score, mask }) {
      paint.update(score, mask);
      heat.update(score.map((row, i) => softmax(row, mask[i])), mask);
      note.textContent = maskedQueries(queries, mask);
    },
  };
}

/** Buttons that set a whole mask. */
function presets(context: Context<State>): HTMLElement {
  const { query_tokens: queries, key_tokens: keys, length } = context.state();
  const [rows, columns] = [queries.length, keys.length];
  const padded = padding(rows, columns, length);
  const masks: [string, boolean[][]][] = [
    ["All visible", everything(rows, columns)],
    ["Padding", padded],
    ["Causal", causal(rows, columns)],
    ["Causal and padding", both(causal(rows, columns), padded)],
  ];
  const buttons = masks.map(([label, mask]) => button(label, () => context.change({ mask })));
  return h("div", { class: "buttons presets", role: "group", "aria-label": "Start from" }, ...buttons);
}

/** Names the queries that are fully masked: only their rows do not sum to 1. */
function maskedQueries(queries: readonly string[], mask: Mask): string {
  const masked = queries.filter((_, i) => !mask[i]!.some(Boolean)).map((query) => `“${query}”`);
  if (masked.length === 0) return "Every query sees at least one key.";
  const [sees, row] = masked.length === 1 ? ["sees", "Its row is"] : ["see", "Their rows are"];
  return `${text.words(masked)} ${sees} nothing. ${row} all zero, and so is the output.`;
}

export default explorable<State>({
  name: "Mask painting",
  shows: ["query_tokens", "key_tokens", "score", "mask", "length"],
  answers: ["mask"],
  build,
  summary({ query_tokens: queries, mask }) {
    const hidden = mask.flat().filter((allowed) => !allowed).length;
    return `${hidden} of ${mask.flat().length} cells hidden. ${maskedQueries(queries, mask)}`;
  },
});
