// Open the blocks of a Transformer while it translates a sentence, word by word.
import type { Host } from "../host.ts";
import type { Matrix } from "../math.ts";
import * as text from "../text.ts";
import { h, s, set } from "../ui/dom.ts";
import { button, choice, slider, toggle } from "../ui/fields.ts";
import { mount, type Common, type Context, type Spec } from "../ui/frame.ts";
import { HeatMap } from "../ui/heat_map.ts";
import { icon, type Role } from "../ui/marks.ts";
import { step } from "../ui/scales.ts";
import * as inside from "./arithmetic.ts";
import { Diagram, type Block, type Parts } from "./diagram.ts";
import style from "./transformer_blocks.css";

export interface State extends Common {
  source_tokens: readonly string[];
  target_tokens: readonly string[];
  length: number;
  tensors: inside.Inside["tensors"];
  vocabulary: readonly string[];
  blocks: Parts["blocks"];
  streams: Parts["streams"];
  wires: Parts["wires"];
  frames: Parts["frames"];
  selected: string;
  layer: number;
  head: number;
  step: number;
  padded: boolean;
}

const NUM_LAYERS = 2;
const NUM_BEST = 3;
const STREAM = "Residual stream";
/** Where queries, keys and values of each attention come from. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  "encoder.self": ["the source", "the source", "the source"],
  "decoder.self": ["the target", "the target", "the target"],
  "decoder.cross": ["the target", "the source", "the source"],
};
const ROLES: readonly [Role, string][] = [
  ["query", "queries from"],
  ["key", "keys from"],
  ["value", "values from"],
];

function build(context: Context<State>): { parts: Node[]; update(state: State): void } {
  const state = context.state;
  let over: string | undefined;
  const card = new Card(context);
  const diagram = new Diagram(
    state(),
    (selected) => context.change({ selected }),
    (id) => {
      over = id;
      card.update({ ...state(), selected: over ?? state().selected });
    },
  );
  const controls = decoding(context);
  return {
    parts: [
      controls.element,
      h("div", { class: "opened" }, h("div", {}, diagram.element), card.element),
    ],
    update(now) {
      controls.show(now);
      const { decoder } = inside.tokensOf(now);
      const read = decoder!.length > 1 ? `… ${decoder!.at(-1)}` : decoder![0]!;
      diagram.update(now.selected, (id) => nameOf(now, id), read, next(now)[0]!.word);
      for (const id of Object.keys(SOURCES)) diagram.mask(id, inside.maskOf(now, id));
      card.update({ ...now, selected: over ?? now.selected });
    },
  };
}

/** How far the decoder is, and whether the source has padding. */
function decoding(context: Context<State>): { element: HTMLElement; show(state: State): void } {
  const most = context.state().target_tokens.length;
  const steps = slider("tokens read", ["1", String(most)], most - 1, (position) =>
    context.change({ step: position + 1 }),
  );
  const following = button("Next word", () =>
    context.change({ step: (context.state().step % most) + 1 }),
  );
  const padded = toggle("pad the source", (on) =>
    context.change({ padded: on }),
  );
  return {
    element: h(
      "div",
      { class: "decoding" },
      steps.element,
      h("div", { class: "buttons" }, following, padded.element),
    ),
    show(state) {
      const { word } = next(state)[0]!;
      steps.show({ position: state.step - 1, text: `${state.step} of ${most}: “${word}” comes next` });
      following.textContent = state.step === most ? "From the start" : "Next word";
      padded.show(state.padded);
    },
  };
}

/** What is open: its name, its shape, what it does, and its numbers. */
class Card {
  readonly element = h("div", { class: "card" });
  private readonly title = h("p", { class: "part-name" });
  private readonly shape = h("p", { class: "tensor" });
  private readonly said = h("p");
  private readonly numbers = h("div", { class: "tensor-map" });
  private readonly layer;
  private readonly head;

  constructor(context: Context<State>) {
    const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i + 1}`);
    this.layer = choice("Layer", numbered(NUM_LAYERS), (i) => context.change({ layer: i + 1 }));
    const { tensors } = context.state();
    const heads = tensors["encoder.1.self.weights"]!.length;
    this.head = choice("Head", numbered(heads), (i) => context.change({ head: i + 1 }));
    const choices = h("div", { class: "choices" }, this.layer.element, this.head.element);
    this.element.append(this.title, this.shape, this.said, choices, this.numbers);
  }

  update(state: State): void {
    const isAttention = inside.isAttention(state.selected);
    this.title.textContent = titleOf(state);
    this.shape.textContent = `${isAttention ? "weights " : ""}(${inside.shapeOf(state).join(", ")})`;
    this.said.replaceChildren(saidOf(state));
    this.layer.show(state.layer - 1);
    this.head.show(state.head - 1);
    const [, part] = state.selected.split(".");
    this.layer.element.hidden = !isAttention && part !== "network" && part !== "stream";
    this.head.element.hidden = !isAttention;
    this.numbers.replaceChildren(...(isAttention ? weights(state) : vectors(state)));
  }
}

/** One head's weights, and where queries, keys and values come from. */
function weights(state: State): Node[] {
  const { encoder, decoder } = inside.tokensOf(state);
  const queries = state.selected.startsWith("encoder") ? encoder! : decoder!;
  const keys = state.selected === "decoder.self" ? decoder! : encoder!;
  const map = new HeatMap("Weights", queries, keys);
  // It may have to scroll, by keyboard as well.
  set(map.element, { tabindex: 0, role: "group", "aria-label": "Weights" });
  map.update(inside.weightsOf(state)[state.head - 1]!, inside.maskOf(state, state.selected));
  if (state.selected.startsWith("decoder")) map.mark(queries.length - 1);
  const from = ROLES.map(([role, words], i) =>
    h("li", { class: `name ${role}` }, icon(role), ` ${words} ${SOURCES[state.selected]![i]}`),
  );
  return [map.element, h("ul", { class: "from" }, ...from)];
}

/** A row of small cells for each token; the last block also has its likeliest words. */
function vectors(state: State): Node[] {
  const rows = inside.vectorsOf(state);
  const tokens = inside.tokensOf(state)[state.selected.split(".")[0]!]!;
  const [low, high] = [Math.min(...rows.flat()), Math.max(...rows.flat())];
  const map = strips(rows, tokens, Math.max(-low, high));
  const range = `From ${text.number(low, 1)} (orange) to ${text.number(high, 1)} (blue).`;
  const scale = h("p", { class: "shape" }, range);
  return state.selected === "decoder.scores" ? [map, scale, likeliest(state)] : [map, scale];
}

function strips(rows: Matrix, tokens: readonly string[], limit: number): HTMLElement {
  const columns = rows[0]!.length;
  const lines = rows.map((row, i) => {
    const cells = row.map((value, x) => {
      const [hue, percent] = step(value, "scores", limit);
      const fill = `fill:color-mix(in srgb, var(--attn-${hue}) ${percent}%, var(--attn-paper))`;
      return s("rect", { x, width: 1, height: 1, style: fill }, s("title", {}, text.number(value)));
    });
    const label = `${row.length} numbers, the first ${text.vector(row.slice(0, 3), 1)}`;
    const viewBox = `0 0 ${columns} 1`;
    const picture = s("svg", { viewBox, preserveAspectRatio: "none", role: "img", "aria-label": label }, ...cells);
    return h("tr", {}, h("th", { scope: "row" }, tokens[i]!), h("td", {}, picture));
  });
  return h("table", { class: "vectors", "aria-label": "A row for each token" }, h("tbody", {}, ...lines));
}

function likeliest(state: State): HTMLElement {
  const rows = next(state).map(({ word, share }) =>
    h(
      "li",
      {},
      h("span", {}, word),
      h("span", { class: "bar" }, h("i", { style: `width:${(100 * share).toFixed(1)}%` })),
      text.number(share),
    ),
  );
  return h("ol", { class: "likeliest" }, ...rows);
}

/** The likeliest next words with their probabilities. */
function next(state: State): { word: string; share: number }[] {
  const ranked = [...inside.shares(state).entries()].sort(([, a], [, b]) => b - a);
  return ranked.slice(0, NUM_BEST).map(([i, share]) => ({ word: state.vocabulary[i]!, share }));
}

const blockOf = ({ blocks }: State, id: string): Block | undefined => blocks.find((b) => b.id === id);
const titleOf = (state: State): string => blockOf(state, state.selected)?.title ?? STREAM;

/** The name of a button of the diagram. */
function nameOf(state: State, selected: string): string {
  const now = { ...state, selected };
  return `${titleOf(now)}, ${selected.split(".")[0]}, ${inside.shapeOf(now).join(" by ")}`;
}

function saidOf(state: State): string {
  const block = blockOf(state, state.selected);
  if (block) return block.text;
  const [stack, , number] = state.selected.split(".");
  const count = inside.added(stack!, state.layer, Number(number)).length;
  const summed = count === 1 ? "what one sublayer has added" : `what ${count} sublayers have added`;
  return count === 0 ? "Here the stream is the embedding." : `Here the stream is the embedding plus ${summed}.`;
}

const spec: Spec<State> = {
  shows: [
    "source_tokens", "target_tokens", "length", "tensors", "vocabulary", "blocks", "streams",
    "wires", "frames", "selected", "layer", "head", "step", "padded",
  ],
  answers: ["selected", "step"],
  whole: ["step"],
  style,
  build,
  summary: (state) => `${titleOf(state)}, (${inside.shapeOf(state).join(", ")}). ${saidOf(state)} The next word is ${next(state)[0]!.word}.`,
};

export const render = (host: Host<State>): (() => void) => mount(host, spec);
export default { render };
