// Paint a mask over a grid of scores, and see which weights it leaves.
import type { Host } from "../host.ts";
import type { Mask, Matrix } from "../math.ts";
import * as text from "../text.ts";
import { h } from "../ui/dom.ts";
import { button } from "../ui/fields.ts";
import { mount, type Common, type Context, type Spec } from "../ui/frame.ts";
import { Heat } from "../ui/heat.ts";
import { PaintGrid } from "../ui/paint_grid.ts";
import { both, causal, everything, maskedWeights, padding } from "./arithmetic.ts";

export interface State extends Common {
  query_tokens: readonly string[];
  key_tokens: readonly string[];
  score: Matrix;
  mask: Mask;
  /** How many keys are real; those after them are padding. */
  length: number;
}

export const defaults: State = {
  query_tokens: ["the", "cat", "sat", "down", "<pad>"],
  key_tokens: ["the", "cat", "sat", "down", "<pad>"],
  score: [
    [0.7, 0.6, -0.1, 0, 0.5],
    [0.7, 1.2, 0.5, -0.8, 0.3],
    [-0.2, 1.7, 0.8, 0.2, 0.9],
    [0, -0.6, 1.5, 0.7, 0.4],
    [0.1, 0.3, -0.6, 0.5, 0.8],
  ],
  mask: everything(5, 5),
  length: 4,
  task: "",
  answers: [],
};

function build(context: Context<State>): { parts: Node[]; update(state: State): void } {
  const { query_tokens: queries, key_tokens: keys, length } = context.state();
  const [rows, columns] = [queries.length, keys.length];
  const paint = new PaintGrid(queries, keys, (mask) => context.change({ mask }));
  const heat = new Heat("Weights", queries, keys);
  const preset = (label: string, mask: boolean[][]): HTMLButtonElement =>
    button(label, () => context.change({ mask }));
  const padded = padding(rows, columns, length);
  const presets = [
    preset("All visible", everything(rows, columns)),
    preset("Padding", padded),
    preset("Causal", causal(rows, columns)),
    preset("Causal and padding", both(causal(rows, columns), padded)),
  ];
  const note = h("p", { class: "said" });
  const shape = h("p", { class: "shape" }, `(num_queries, num_keys) = (${rows}, ${columns})`);

  return {
    parts: [
      h("div", { class: "buttons presets", role: "group", "aria-label": "Start from" }, ...presets),
      h(
        "div",
        { class: "panels" },
        h("div", { class: "panel" }, h("p", { class: "title" }, "Scores: paint what is hidden"), paint.element, shape),
        h("div", { class: "panel" }, h("p", { class: "title" }, "Weights"), heat.element),
      ),
      note,
    ],
    update({ score, mask }) {
      paint.update(score, mask);
      heat.update(maskedWeights(score, mask), mask);
      note.textContent = blindRows(queries, mask);
    },
  };
}

/** Says which queries see nothing: the one case in which a row does not sum to 1. */
function blindRows(queries: readonly string[], mask: Mask): string {
  const blind = queries.filter((_, i) => !mask[i]!.some(Boolean)).map((query) => `“${query}”`);
  if (blind.length === 0) return "Every query sees at least one key.";
  const [sees, row] = blind.length === 1 ? ["sees", "Its row is"] : ["see", "Their rows are"];
  return `${text.words(blind)} ${sees} nothing. ${row} all zero, and so is the output.`;
}

const spec: Spec<State> = {
  name: "Mask painting",
  shows: ["query_tokens", "key_tokens", "score", "mask", "length"],
  answers: ["mask"],
  build,
  summary({ query_tokens: queries, mask }) {
    const hidden = mask.flat().filter((allowed) => !allowed).length;
    return `${hidden} of ${mask.flat().length} cells hidden. ${blindRows(queries, mask)}`;
  },
};

export const render = (host: Host<State>): (() => void) => mount(host, spec);
export default { render };
