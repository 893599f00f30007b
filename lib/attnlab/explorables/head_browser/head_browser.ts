// All heads of a real model on one sentence: from all heads to one, to a row, to one cell; and what
// changes when a head is off or a token cut.
import { whenNear } from "../near.ts";
import * as text from "../text.ts";
import { h, set } from "../ui/dom.ts";
import { button, choice, toggle } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { CellArithmetic } from "./cell.ts";
import { Effects } from "./effects.ts";
import style from "./head_browser.css";
import { type Cell, HeadMap } from "./head_map.ts";
import { Overview } from "./overview.ts";
import { effect, type Head, mapOf, rowOf } from "./reading.ts";
import { Row } from "./row.ts";
import { SentenceForm } from "./sentence_form.ts";
import { Source } from "./source.ts";
import { changesInWords, headName, sharesInWords } from "./words.ts";

export interface State extends Common {
  sentence: string;
  /** Layers and heads count from 1, tokens and keys from 0. */
  layer: number;
  head: number;
  token: number;
  key: number;
  /** A head to compare with; 0 and 0 for none. */
  other_layer: number;
  other_head: number;
  /** Heads that add nothing, as (layer, head), and tokens that no query sees. */
  off: readonly (readonly number[])[];
  cut: readonly number[];
  stored_names: readonly string[];
  stored_texts: readonly string[];
  /** In a notebook, all stored sentences; "?" asks for them. */
  stored_data: string;
}

const [LAYERS, HEADS, WIDTH] = [6, 12, 384];

/** The state in the terms of the figure. */
interface View {
  chosen: Head;
  other: Head | undefined;
  cell: Cell;
  off: Head[];
}

function viewOf(state: State, count: number): View {
  const last = Math.max(count - 1, 0);
  return {
    chosen: [state.layer - 1, state.head - 1],
    other: state.other_layer > 0 ? [state.other_layer - 1, state.other_head - 1] : undefined,
    cell: [Math.min(state.token, last), Math.min(state.key, last)],
    off: headsOf(state.off),
  };
}

/** Heads counted from 0. What a reader has typed as an answer may be no pair: it is left out. */
const headsOf = (off: State["off"]): Head[] =>
  off
    .filter((pair) => Array.isArray(pair) && pair.length === 2)
    .map(([layer, head]) => [layer! - 1, head! - 1] as const);

class Browser implements Built<State> {
  readonly parts: Node[];
  private readonly context: Context<State>;
  private readonly source: Source;
  private readonly form: SentenceForm;
  private readonly overview: Overview;
  private readonly shares = h("p", { class: "shares" });
  private readonly maps: { map: HeadMap; row: Row; title: HTMLElement; element: HTMLElement }[];
  private readonly arithmetic = new CellArithmetic();
  private readonly effects = new Effects();
  private readonly changes = h("p", { class: "changes" });
  private readonly offSwitch = toggle("", (on) => this.switchOff(on));
  private readonly cutSwitch = toggle("", (on) => this.cutToken(on));
  private readonly clicks = choice("A click sets", ["the head", "a second head beside it"], (i) => (this.second = i === 1));
  private second = false;
  /** The head and the token under the pointer. */
  private looked: Head | undefined;
  private preview: number | undefined;
  /** A sentence is fetched when the figure comes near, so that a page is not heavier for it. */
  private isNear = false;
  private readonly notNear: () => void;

  constructor(context: Context<State>) {
    this.context = context;
    const { stored_names: names, stored_texts: texts } = context.state();
    this.source = new Source({ names, texts }, () => this.draw(), () => context.change({ stored_data: "?" }));
    const read = (sentence: string): void => this.read(sentence);
    this.form = new SentenceForm(texts, read, () => this.source.load());
    const look = (head: Head): void => {
      this.looked = head;
      this.drawShares();
    };
    this.overview = new Overview(LAYERS, HEADS, (head) => this.choose(head), look);
    this.overview.element.addEventListener("pointerleave", () => {
      this.looked = undefined;
      this.drawShares();
    });
    this.maps = [this.panel(), this.panel()];
    this.parts = this.layout();
    this.clicks.show(0);
    this.notNear = whenNear(this.overview.element, () => this.near());
  }

  private near(): void {
    this.isNear = true;
    void this.source.find();
    this.update(this.context.state());
  }

  private layout(): Node[] {
    const title = (words: string): HTMLElement => h("p", { class: "title" }, words);
    const undo = button("Undo all", () => this.context.change({ off: [], cut: [] }));
    const switches = h("div", { class: "flow" }, this.offSwitch.element, this.cutSwitch.element, undo);
    return [
      this.form.element,
      title("All heads: a row for each layer, a column for each head"),
      this.clicks.element,
      this.overview.element,
      this.shares,
      h("div", { class: "heads" }, ...this.maps.map(({ element }) => element)),
      title("One cell: where its weight comes from"),
      this.arithmetic.element,
      title("Change something: weight beside effect"),
      switches,
      this.changes,
      this.effects.element,
    ];
  }

  update(state: State): void {
    this.source.give(state.stored_data);
    if (this.isNear) this.source.show(state.sentence, { off: headsOf(state.off), cut: state.cut });
    this.draw();
  }

  private draw(): void {
    const state = this.context.state();
    const reading = this.source.after ?? this.source.before;
    const tokens = reading?.tokens ?? [];
    const { chosen, other, cell, off } = viewOf(state, tokens.length);
    // Its height is kept until the sentence is there, and known which others are: nothing moves twice.
    const section = this.form.element.closest("section");
    const isReady = reading && this.source.lacks !== undefined;
    if (section) set(section, { "aria-busy": !isReady && "true" });
    if (section && isReady) section.dataset["read"] = "";
    this.form.update(this.source.readable(state.sentence), this.source);
    this.overview.update(reading, chosen, other, off);
    this.drawShares();
    this.maps[1]!.element.hidden = other === undefined;
    this.drawHead(0, chosen, cell, state.cut);
    if (other) this.drawHead(1, other, cell, state.cut);
    this.arithmetic.update(tokens, reading?.layers[chosen[0]], chosen[1], cell, WIDTH / HEADS, state.cut);
    this.offSwitch.show(off.some(([layer, head]) => layer === chosen[0] && head === chosen[1]));
    this.offSwitch.element.lastChild!.textContent = `Switch ${headName(chosen)} off`;
    this.cutSwitch.element.hidden = Boolean(this.source.lacks);
    this.cutSwitch.show(state.cut.includes(cell[1]));
    this.cutSwitch.element.lastChild!.textContent = `Cut “${tokens[cell[1]] ?? ""}”: no query sees it`;
    this.changes.textContent = changesInWords(tokens, off, state.cut);
    const changed = { off, cut: state.cut };
    const found = effect(this.source.before, this.source.after, changed);
    this.effects.update(this.source.before, found, changed, this.source);
  }

  private drawHead(at: number, head: Head, cell: Cell, cut: readonly number[]): void {
    const reading = this.source.after ?? this.source.before;
    const panel = this.maps[at]!;
    const [tokens, layer] = [reading?.tokens ?? [], reading?.layers[head[0]]];
    panel.title.textContent = `One head: ${headName(head)}`;
    panel.map.update(headName(head), tokens, layer && mapOf(layer.weights, head[1], tokens.length), cell, cut);
    this.drawRow(at, head, cell);
  }

  private drawRow(at: number, head: Head, cell: Cell): void {
    const reading = this.source.after ?? this.source.before;
    const tokens = reading?.tokens ?? [];
    const [layer, from] = [reading?.layers[head[0]], this.preview ?? cell[0]];
    const weights = layer && rowOf(layer.weights, head[1], tokens.length, from);
    this.maps[at]!.row.update(tokens, weights, from, cell[1]);
  }

  private drawShares(): void {
    const { layer, head } = this.context.state();
    const reading = this.source.after ?? this.source.before;
    this.shares.textContent = sharesInWords(reading, this.looked ?? [layer - 1, head - 1]);
  }

  private panel(): (typeof this.maps)[number] {
    const map = new HeadMap(([token, key]) => this.context.change({ token, key }));
    const row = new Row(
      (token) => this.context.change({ token }),
      (token) => {
        this.preview = token;
        const { chosen, other, cell } = viewOf(this.context.state(), this.source.before?.tokens.length ?? 0);
        this.drawRow(0, chosen, cell);
        if (other) this.drawRow(1, other, cell);
      },
    );
    const title = h("p", { class: "title" });
    return { map, row, title, element: h("div", { class: "one-head" }, title, map.element, row.element) };
  }

  private read(sentence: string): void {
    this.context.change({ sentence, off: [], cut: [], token: 1, key: 1 });
  }

  private choose([layer, head]: Head): void {
    const second = { other_layer: layer + 1, other_head: head + 1 };
    this.context.change(this.second ? second : { layer: layer + 1, head: head + 1 });
  }

  private switchOff(on: boolean): void {
    const { off, layer, head } = this.context.state();
    const others = off.filter(([l, h]) => l !== layer || h !== head);
    this.context.change({ off: on ? [...others, [layer, head]] : others });
  }

  private cutToken(on: boolean): void {
    const { cut, key } = this.context.state();
    const others = cut.filter((position) => position !== key);
    this.context.change({ cut: on ? [...others, key] : others });
  }

  stop(): void {
    this.notNear();
    this.overview.stop();
    this.source.stop();
  }

  summary({ layer, head, token, key }: State): string {
    const reading = this.source.after ?? this.source.before;
    const weights = reading?.layers[layer - 1]?.weights;
    if (!reading || !weights) return this.source.status;
    const weight = rowOf(weights, head - 1, reading.tokens.length, token)[key] ?? 0;
    const name = headName([layer - 1, head - 1]);
    return `In ${name}, ${reading.tokens[token]} gives ${reading.tokens[key]} a weight of ${text.number(weight)}.`;
  }
}

export default explorable<State>({
  name: "Heads of a trained model",
  shows: [
    "sentence", "layer", "head", "token", "key", "other_layer", "other_head", "off", "cut",
    "stored_names", "stored_texts", "stored_data",
  ], // prettier-ignore
  answers: ["layer", "head"],
  whole: ["layer", "head", "off"],
  lists: ["off", "cut"],
  style,
  build: (context) => new Browser(context),
});
