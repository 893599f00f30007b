// Open the blocks of a Transformer while it translates a sentence, word by word.
import { clamp, remembered, type Matrix } from "../math.ts";
import * as text from "../text.ts";
import { h, s, set } from "../ui/dom.ts";
import { button, choice, range } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { HeatMap } from "../ui/heat_map.ts";
import { step as stepOf } from "../ui/scales.ts";
import { type Cell, line, Table } from "../ui/value_table.ts";
import * as inside from "./arithmetic.ts";
import { Diagram, PARTS } from "./diagram.ts";
import style from "./transformer_blocks.css";

export interface State extends Common, inside.Inside {
  vocabulary: readonly string[];
  head: number;
}

const [NUM_LAYERS, NUM_HEADS, NUM_BEST] = [2, 4, 3];
/** The title of each block, and what it does. */
const ABOUT: Readonly<Record<string, readonly [string, string]>> = {
  "encoder.embedding": ["Embedding", "Each English token becomes a row of 32 numbers, times √32, plus the vector of its position."],
  "encoder.self": ["Self-attention", "Every English token attends to every English token."],
  "encoder.network": ["Feed-forward network", "What it adds to the stream. It treats each token on its own."],
  "encoder.output": ["Encoder’s output", "The end of the stream, normalised once more. It is computed once for the whole translation."],
  "decoder.embedding": ["Embedding", "The French so far. It begins with a mark, so the newest token stands in the last row."],
  "decoder.self": ["Causal self-attention", "Each French token attends to itself and to earlier ones."],
  "decoder.cross": ["Cross-attention", "French rows attend to English keys and values. A row has read its token, and looks for the next."],
  "decoder.network": ["Feed-forward network", "What it adds to the stream. It treats each token on its own."],
  "decoder.scores": ["Output layer", "A score for each French token at each place. The softmax of the last row says what comes next."],
};

function build(context: Context<State>): Built<State> {
  let over: string | undefined;
  const card = cardOf(context);
  const open = (state: State): void => card.update({ ...state, selected: over ?? state.selected });
  const hover = (id: string | undefined): void => {
    over = id;
    open(context.state());
  };
  const diagram = new Diagram((selected) => context.change({ selected }), hover);
  const most = context.state().target_tokens.length;
  const steps = range("French tokens read", [1, most], (step) => context.change({ step }), {
    text: (step) => `${step} of ${most}`,
    ends: ["1", String(most)],
  });
  const following = button("Next word", () => context.change({ step: (context.state().step % most) + 1 }));
  return {
    parts: [
      h("div", { class: "decoding" }, steps.element, following),
      h("div", { class: "opened" }, h("div", {}, diagram.element), card.element),
    ],
    update(now) {
      steps.show(now.step);
      following.textContent = now.step === most ? "From the start" : "Next word";
      const shapeOf = (id: string): string => `(${inside.shapeOf({ ...now, selected: id }).join(", ")})`;
      const nameOf = (id: string): string => `${titleOf(id)}, ${inside.stackOf(id)}, ${shapeOf(id)}`;
      const read = inside.tokensOf(now, "decoder");
      diagram.update(now.selected, nameOf, shapeOf, read.length > 1 ? `… ${read.at(-1)}` : read[0]!, next(now)[0]!.word);
      for (const id of PARTS) if (inside.isAttention(id)) diagram.mask(id, inside.maskOf(now, id));
      open(now);
    },
  };
}

/** What is open: its name, its shape, what it does, and its numbers. */
function cardOf(context: Context<State>) {
  const upTo = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i + 1}`);
  const layer = choice("Layer", upTo(NUM_LAYERS), (i) => context.change({ layer: i + 1 }));
  const head = choice("Head", upTo(NUM_HEADS), (i) => context.change({ head: i + 1 }));
  const [title, shape, said] = [h("p", { class: "part-name" }), h("p", { class: "tensor" }), h("p")];
  const numbers = h("div");
  const choices = h("div", { class: "choices" }, layer.element, head.element);
  const weights = weightsMap();
  return {
    element: h("div", { class: "card" }, title, shape, said, choices, numbers),
    update(state: State): void {
      const { selected } = state;
      const isAttention = inside.isAttention(selected);
      title.textContent = titleOf(selected);
      const axes = isAttention ? "(num_heads, num_queries, num_keys)" : "(tokens, numbers)";
      shape.textContent = `${axes} = (${inside.shapeOf(state).join(", ")})`;
      said.textContent = saidOf(state);
      layer.show(state.layer - 1);
      head.show(state.head - 1);
      layer.element.hidden = !/self|cross|network|stream/.test(selected);
      head.element.hidden = !isAttention;
      numbers.replaceChildren(...(isAttention ? [weights(state, selected)] : vectors(state)));
    },
  };
}

/** The weights of one head; the same table as long as it has the same tokens. */
function weightsMap(): (state: State, id: inside.Attention) => HTMLElement {
  const mapOf = remembered((queries: readonly string[], keys: readonly string[]) => {
    const map = new HeatMap("Weights", queries, keys);
    // It may have to scroll, by keyboard as well.
    set(map.element, { tabindex: 0, role: "group", "aria-label": "Weights" });
    return map;
  });
  return (state, id) => {
    const [queries, keys] = inside.axesOf(state, id);
    const map = mapOf(queries, keys);
    map.update(inside.weightsOf(state, id)[state.head - 1]!, inside.maskOf(state, id));
    map.mark(id === "encoder.self" ? -1 : queries.length - 1);
    return map.element;
  };
}

/** A row of small cells for each token; the output layer also has its likeliest words. */
function vectors(state: State): Node[] {
  const rows = inside.vectorsOf(state);
  const [low, high] = [Math.min(...rows.flat()), Math.max(...rows.flat())];
  const tokens = inside.tokensOf(state, inside.stackOf(state.selected));
  const lines = rows.map((row, i) => line(tokens[i]!, h("td", {}, strip(row, Math.max(-low, high)))));
  const map = h("table", { class: "vectors", "aria-label": "A row for each token" }, h("tbody", {}, ...lines));
  const range = h("p", { class: "shape" }, `From ${text.number(low, 1)} (orange) to ${text.number(high, 1)} (blue).`);
  return state.selected === "decoder.scores" ? [map, range, likeliest(state)] : [map, range];
}

function strip(row: Matrix[number], limit: number): SVGSVGElement {
  const cells = row.map((value, x) => {
    const [hue, percent] = stepOf(value, "scores", limit);
    const style = `fill:color-mix(in srgb,var(--attn-${hue}) ${percent}%,var(--attn-paper))`;
    return s("rect", { x, width: 1.05, height: 1, style }, s("title", {}, text.number(value)));
  });
  const label = `${row.length} numbers, the first ${text.vector(row.slice(0, 3), 1)}`;
  return s("svg", { viewBox: `0 0 ${row.length} 1`, preserveAspectRatio: "none", role: "img", "aria-label": label }, ...cells);
}

function likeliest(state: State): HTMLElement {
  const table = new Table("What comes next", ["next token", "probability"]);
  const cellOf = (value: number): Cell => ({ text: text.number(value), heat: { value, kind: "weights" } });
  table.update(next(state).map(({ word, share }) => ({ head: word, cells: [cellOf(share)] })));
  return table.element;
}

/** The likeliest next words with their probabilities. */
function next(state: State): { word: string; share: number }[] {
  const ranked = [...inside.shares(state).entries()].sort(([, a], [, b]) => b - a);
  return ranked.slice(0, NUM_BEST).map(([i, share]) => ({ word: state.vocabulary[i]!, share }));
}

const titleOf = (selected: string): string => ABOUT[selected]?.[0] ?? "Residual stream";

function saidOf(state: State): string {
  const about = ABOUT[state.selected];
  if (about) return about[1];
  const count = inside.added(state);
  if (count === 0) return "At its foot the stream is the embedding.";
  return `Here the stream is the embedding plus what ${count === 1 ? "one sublayer has" : `${count} sublayers have`} added.`;
}

export default explorable<State>({
  name: "The Transformer, block by block",
  shows: ["source_tokens", "target_tokens", "vocabulary", "tensors", "selected", "layer", "head", "step"],
  answers: ["selected", "step"],
  whole: ["step"],
  style,
  within: (state) => ({
    ...state,
    selected: PARTS.includes(state.selected) ? state.selected : "decoder.cross",
    layer: clamp(Math.round(state.layer), 1, NUM_LAYERS),
    head: clamp(Math.round(state.head), 1, NUM_HEADS),
    step: clamp(Math.round(state.step), 1, state.target_tokens.length),
  }),
  build,
  summary(now) {
    return `${titleOf(now.selected)}, (${inside.shapeOf(now).join(", ")}). ${saidOf(now)} The next word is ${next(now)[0]!.word}.`;
  },
});
