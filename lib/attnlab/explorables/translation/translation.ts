// A trained translator reads any sentence of its grammar, and each word shows where it looks.
import * as text from "../text.ts";
import { h, set } from "../ui/dom.ts";
import { button, toggle } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { HeatMap } from "../ui/heat_map.ts";
import { Table } from "../ui/value_table.ts";
import { WeightsSource } from "../weights_source.ts";
import { Composer } from "./composer.ts";
import { translate, type Step } from "./model.ts";
import { unpack, type Arrays } from "./npz.ts";
import { english, parsed, tokensOf, translation, type Lexicon } from "./sentence.ts";
import style from "./translation.css";

export interface State extends Common {
  sentence: string;
  hidden: readonly number[];
  uniform: boolean;
  step: number;
  nouns: readonly string[];
  prepositions: readonly string[];
  verbs: readonly string[];
  target: readonly string[];
  feminine: readonly string[];
  stored: { of?: readonly unknown[]; steps?: readonly Step[] };
  wanted: boolean;
  weights: string;
}

const FILE = "attention-0.npz";

/** What is shown: a sentence of the grammar, and what the model makes of it. */
interface Shown {
  words: readonly string[];
  read: readonly string[];
  hidden: readonly number[];
  /** Undefined until the model is here. */
  steps: readonly Step[] | undefined;
  step: number;
}

class View implements Built<State> {
  readonly parts: Node[];
  private readonly context: Context<State>;
  private readonly lexicon: Lexicon;
  private readonly source: WeightsSource<Arrays>;
  private readonly composer: Composer;
  private readonly uniform = toggle("Same weight for every word that is not hidden", (uniform) =>
    this.context.change({ uniform }),
  );
  private readonly map = h("div");
  private readonly words = h("p", { class: "french" });
  private readonly now = h("p", { class: "now" });
  private readonly numbers = new Table("This step in numbers", ["word read", "score", "weight"]);
  private readonly next = h("p", { class: "now" });
  private readonly said = h("p", { class: "shape", role: "status" });
  private readonly progress = h("progress", { "aria-label": "Fetching the model", max: 1, hidden: true });
  private readonly picture: HTMLElement;
  private drawn: { labels: string; map: HeatMap } | undefined;
  private computed: { of: string; steps: readonly Step[] } | undefined;
  /** The words of the last sentence that was one of the grammar. */
  private last: readonly string[] = [];

  constructor(context: Context<State>) {
    this.context = context;
    this.lexicon = context.state();
    this.source = new WeightsSource("model", {
      unpack,
      ask: () => context.change({ wanted: true }),
      changed: () => this.update(context.state()),
      came: (share) => set(this.progress, { value: share }),
    });
    this.composer = new Composer(this.lexicon, (part) => context.change(part));
    // The model comes while a reader opens the first list.
    for (const sign of ["pointerenter", "focusin"]) {
      this.composer.element.addEventListener(sign, () => this.source.get(FILE), { once: true });
    }
    const steps = h("div", { class: "buttons" }, button("Back", () => this.go(-1)), button("Next word", () => this.go(1)));
    const numbers = h("div", {}, steps, this.now, this.numbers.element, this.next);
    this.picture = h("div", {}, this.words, h("div", { class: "alignment" }, this.map, numbers));
    this.parts = [this.composer.element, this.uniform.element, this.progress, this.said, this.picture];
  }

  private go(by: number): void {
    const { step, steps } = this.shown(this.context.state());
    const last = (steps?.length ?? 1) - 1;
    this.context.change({ step: Math.min(last, Math.max(0, step + by)) });
  }

  /** The state without what an answer may have that does not fit. */
  private shown(state: State): Shown {
    this.last = parsed(this.lexicon, state.sentence) ?? this.last;
    const read = english(this.lexicon, this.last);
    const within = state.hidden.filter((i) => Number.isInteger(i) && i >= 0 && i < read.length);
    const hidden = new Set(within).size < read.length ? within : [];
    const steps = this.stepsOf(state, hidden);
    const step = Math.min(state.step, (steps?.length ?? 1) - 1);
    return { words: this.last, read, hidden, steps, step };
  }

  private stepsOf({ stored, uniform }: State, hidden: readonly number[]): readonly Step[] | undefined {
    const of = JSON.stringify([this.last.join(" "), hidden, uniform]);
    if (this.computed?.of === of) return this.computed.steps;
    if (stored.steps && JSON.stringify(stored.of) === of) return stored.steps;
    const model = this.source.get(FILE);
    if (!model) return undefined;
    const steps = translate(model, tokensOf(this.lexicon, this.last), hidden, uniform);
    this.computed = { of, steps };
    return steps;
  }

  update(state: State): void {
    this.source.give(FILE, state.weights);
    const shown = this.shown(state);
    this.composer.update(shown.words, shown.hidden);
    this.uniform.show(state.uniform);
    const isComing = !shown.steps && !this.source.problem;
    this.progress.hidden = !isComing;
    this.said.textContent = this.status(isComing);
    this.picture.hidden = !shown.steps;
    if (shown.steps) this.show(shown, shown.steps);
  }

  private status(isComing: boolean): string {
    if (this.source.problem) return this.source.problem;
    if (isComing) return "The model is being fetched: 119 kB, once.";
    const { nouns, prepositions, verbs } = this.lexicon;
    const known = `The translator knows the words of its grammar only: ${nouns.length} nouns, ${prepositions.length} prepositions and ${verbs.length} verbs, in sentences of this one pattern. It was trained with up to 6 phrases.`;
    return this.source.here(FILE) ? `${known} It is in this page now, and needs no network.` : known;
  }

  private show({ words, read, hidden, step }: Shown, steps: readonly Step[]): void {
    const { target } = this.lexicon;
    const written = steps.map(({ word }) => target[word]!);
    const right = translation(this.lexicon, words);
    const marked = steps.slice(0, -1).map(({ word }, i) =>
      h("span", { lang: "fr", class: word !== right[i] && "wrong" }, target[word]!),
    );
    const isRight = steps.length === right.length && steps.every(({ word }, i) => word === right[i]);
    const wanted = right.slice(0, -1).map((word) => target[word]!);
    const verdict = isRight ? " (right in every word)" : ` (right: ${wanted.join(" ")})`;
    this.words.replaceChildren("Written: ", ...marked.flatMap((word) => [word, " "]), verdict);
    const labels = JSON.stringify([written, read]);
    if (this.drawn?.labels !== labels) {
      const map = new HeatMap("Weights: rows are words written, columns words read", written, read, (i) => this.context.change({ step: i }));
      // It may have to scroll, by keyboard as well.
      set(map.element, { tabindex: 0, role: "group", "aria-label": "Weights" });
      this.drawn = { labels, map };
      this.map.replaceChildren(map.element);
    }
    const visible = read.map((_, i) => !hidden.includes(i));
    this.drawn.map.update(steps.map(({ weights }) => weights), steps.map(() => visible));
    this.drawn.map.mark(step);
    this.beat(read, visible, written, steps[step]!, step);
  }

  /** One step of the decoder: scores, weights, context, word. */
  private beat(read: readonly string[], visible: readonly boolean[], written: readonly string[], step: Step, at: number): void {
    const before = at === 0 ? "Nothing is written yet" : `The last word is ${written[at - 1]}`;
    const makes = this.context.state().uniform
      ? "but now every word that is not hidden gets the same weight"
      : "and softmax makes weights of the scores";
    this.now.textContent = `Word ${at + 1} of ${written.length}. ${before}. The decoder's state is the query: it gets a score with the vector of every word read, ${makes}.`;
    const limit = Math.max(...step.scores.map(Math.abs));
    this.numbers.update(
      read.map((head, i) => ({
        head,
        cells: [
          { text: text.number(step.scores[i]!), heat: { value: step.scores[i]!, kind: "scores" as const, limit } },
          visible[i]
            ? { text: text.number(step.weights[i]!), heat: { value: step.weights[i]!, kind: "weights" as const } }
            : { text: "hidden", masked: true },
        ],
      })),
    );
    const { target } = this.lexicon;
    const best = step.best.map(([word, share]) => `${target[word]} ${text.number(share, 3)}`);
    const context = step.context.map((x) => text.number(x)).join(", ");
    this.next.textContent = `The vectors, each times its weight, add up to the context vector (${context}, … 64 numbers). From it and its state the decoder gives a probability to every French word: ${best.join(", ")} …`;
  }

  summary(state: State): string {
    const { steps, step, read } = this.shown(state);
    const now = steps?.[step];
    if (!now) return "The model is being fetched.";
    const most = now.weights.indexOf(Math.max(...now.weights));
    const all = steps.map(({ word }) => this.lexicon.target[word]!).join(" ");
    return `Written: ${all}. ${this.lexicon.target[now.word]} attends most to ${read[most]}, with weight ${text.number(now.weights[most]!)}.`;
  }
}

export default explorable<State>({
  name: "A translator and where it looks",
  shows: [
    "sentence", "hidden", "uniform", "step", "nouns", "prepositions", "verbs", "target",
    "feminine", "stored", "wanted", "weights",
  ], // prettier-ignore
  answers: ["sentence", "hidden"],
  whole: ["hidden", "step"],
  lists: ["hidden"],
  style,
  build: (context) => new View(context),
});
