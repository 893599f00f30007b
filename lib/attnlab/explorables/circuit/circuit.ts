// Two heads that form while a small model is trained, checkpoint by checkpoint.
import { tensorsOf } from "../encoder/tensors.ts";
import { whenNear } from "../near.ts";
import * as words from "../text.ts";
import { h } from "../ui/dom.ts";
import { choice, slider, toggle, type Control } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { fold, panel, panels } from "../ui/layout.ts";
import { Table, type Row } from "../ui/value_table.ts";
import { WeightsSource } from "../weights_source.ts";
import style from "./circuit.css";
import { Curves, said, type Measured } from "./curves.ts";
import { read, type Pass } from "./forward.ts";
import { HeadMap } from "./head_map.ts";
import { inductionScore, losses, predicted, previousTokenScore } from "./measures.ts";
import { Player } from "./player.ts";
import { HEAD_NUMBERS, headName, measure, type Measured as Loss } from "./readings.ts";
import { TextForm, WORDS } from "./text_form.ts";
import { weightsOf, type Weights } from "./weights.ts";

export interface State extends Common {
  condition: string;
  step: number;
  tokens: readonly string[];
  heads: readonly number[];
  query: number;
  off: readonly number[];
  history: Readonly<Record<string, readonly Measured[]>>;
  wanted: string;
  weights: string;
}

const CONDITIONS = ["one period", "many periods"] as const;

/** The place of the state's checkpoint; of the nearest one if an answer has another step. */
function placeOf({ history, condition, step }: State): number {
  const away = history[condition]!.map((row) => Math.abs(row.step - step));
  return away.indexOf(Math.min(...away));
}

const measuredOf = (state: State): Measured => state.history[state.condition]![placeOf(state)]!;

class View implements Built<State> {
  readonly parts: Node[];
  private readonly context: Context<State>;
  private readonly source: WeightsSource<Weights>;
  private readonly curves: Curves;
  private readonly maps: HeadMap[];
  private readonly text: TextForm;
  private readonly player: Player;
  private readonly controls: { elements: Record<string, HTMLElement>; show(state: State): void };
  private readonly scores = new Table("Scores of the two heads on this text", [
    { text: "" }, "previous token", "induction", { text: "looks most at", spare: true },
  ]); // prettier-ignore
  private readonly row = new Table("The marked row in numbers", ["key", "layer 1", "layer 2"]);
  private readonly result = h("p", { class: "said" });
  private readonly next = h("p", { class: "said" });
  private readonly problem = h("p", { class: "said", role: "status" });
  private measured: { of: string; loss: Loss } | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** A checkpoint is fetched when the figure comes near, so that a page is not heavier for it. */
  private isNear = false;
  private readonly notNear: () => void;

  constructor(context: Context<State>) {
    this.context = context;
    const again = (): void => this.update(context.state());
    this.source = new WeightsSource("checkpoint", {
      unpack: (file) => weightsOf(tensorsOf(file)),
      ask: (wanted) => context.change({ wanted }),
      changed: again,
    });
    this.player = new Player(() => this.forward());
    this.curves = new Curves((index) => this.go(index));
    const choose = (query: number): void => context.change({ query });
    this.maps = [new HeadMap(choose), new HeadMap(choose)];
    this.text = new TextForm((tokens) => context.change({ tokens, query: tokens.length - 1 }), choose);
    this.controls = controlsOf(context, (index) => this.go(index));
    this.parts = this.layout();
    this.notNear = whenNear(this.curves.element, () => {
      this.isNear = true;
      again();
    });
  }

  private layout(): Node[] {
    const { condition, step, off, first, second } = this.controls.elements;
    return [
      condition!,
      panels(panel(this.curves.element), panel(step!, this.player.element, off!, this.result)),
      this.problem,
      panels(panel(first!, this.maps[0]!.element), panel(second!, this.maps[1]!.element)),
      this.scores.element,
      this.next,
      fold("The marked row in numbers", this.row.element),
      this.text.element,
    ];
  }

  private go(index: number): void {
    const state = this.context.state();
    const row = state.history[state.condition]![index];
    if (row) this.context.change({ step: row.step });
  }

  /** Goes on to the next checkpoint; false at the last one. */
  private forward(): boolean {
    const state = this.context.state();
    const [at, last] = [placeOf(state), state.history[state.condition]!.length - 1];
    this.go(at >= last ? 0 : at + 1);
    return at + 1 < last;
  }

  update(given: State): void {
    const state = clean(given);
    this.source.give(...(state.weights.split(" ") as [string, string]));
    const now = measuredOf(state);
    this.controls.show(state);
    this.curves.update(state.history[state.condition]!, placeOf(state));
    this.text.update(state.tokens, state.query);
    const name = `formation/${state.condition.replaceAll(" ", "-")}-${now.step}.safetensors`;
    const weights = this.isNear ? this.source.get(name) : undefined;
    this.problem.textContent = weights ? "" : this.source.problem || "The checkpoint is being fetched …";
    const loss = weights && this.lossOf(state, weights);
    this.result.textContent = resultText(state, loss?.loss);
    const text = state.tokens.map((token) => WORDS.indexOf(token));
    this.show(state, weights && read(weights, text, loss?.means));
  }

  /** The loss without the heads that are off; after the picture has changed. */
  private lossOf(state: State, weights: Weights): Loss | undefined {
    if (state.off.length === 0) return undefined;
    const of = JSON.stringify([state.condition, measuredOf(state).step, state.off]);
    if (this.measured?.of === of) return this.measured.loss;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.measured = { of, loss: measure(weights, state.condition, state.off) };
      this.update(this.context.state());
    });
    return undefined;
  }

  private show(state: State, pass: Pass | undefined): void {
    const shown = state.heads.map((head, layer) => pass?.layers[layer]!.weights[head - 1]);
    this.maps.forEach((map, layer) => {
      const label = `Weights of layer ${layer + 1} head ${state.heads[layer]} on the text`;
      map.update(state.tokens, shown[layer], state.query, label);
    });
    this.scores.update(shown.map((weights, layer) => scoreRow(state, layer, weights)));
    this.next.textContent = pass ? nextText(state, pass) : "";
    const count = state.tokens.length;
    this.row.update(
      state.tokens.slice(0, state.query + 1).map((token, j) => ({
        head: `${token}, token ${j + 1}`,
        cells: shown.map((weights) => cellOf(weights?.[state.query * count + j])),
      })),
    );
  }

  stop(): void {
    clearTimeout(this.timer);
    this.notNear();
    this.player.stop();
  }
}

const cellOf = (weight: number | undefined) =>
  weight === undefined
    ? "–"
    : { text: words.number(weight), heat: { value: weight, kind: "weights" as const } };

function scoreRow({ tokens, heads, query }: State, layer: number, weights: Float64Array | undefined): Row {
  const head = `layer ${layer + 1} head ${heads[layer]}`;
  if (!weights) return { head, cells: ["–", "–", "–"] };
  const count = tokens.length;
  const induction = inductionScore(weights, tokens.map((token) => WORDS.indexOf(token)));
  const row = weights.subarray(query * count, query * count + query + 1);
  const most = row.indexOf(Math.max(...row));
  return {
    head,
    cells: [
      words.number(previousTokenScore(weights, count)),
      induction === undefined ? "nothing repeats" : words.number(induction),
      { text: `${tokens[most]} (${most + 1}): ${words.number(row[most]!)}`, spare: true },
    ],
  };
}

/** What the model expects after the marked token, in words. */
function nextText({ tokens, query }: State, pass: Pass): string {
  const { word, share } = predicted(pass, query);
  const next = tokens[query + 1];
  const loss = next ? ` ${next} comes: a loss of ${words.number(losses(pass)[query]!)}.` : "";
  return `After ${tokens[query]}, token ${query + 1}, the model expects ${WORDS[word]}, with ${words.number(share)}.${loss}`;
}

function resultText(state: State, loss: number | undefined): string {
  const whole = `Loss in the repeats of 32 test texts: ${words.number(measuredOf(state).loss)} nats`;
  if (state.off.length === 0) return `${whole} with all heads.`;
  const less = loss === undefined ? "…" : words.number(loss);
  return `${whole} with all heads, ${less} without ${words.words(state.off.map(headName))}.`;
}

function controlsOf(context: Context<State>, go: (index: number) => void): View["controls"] {
  const { history } = context.state();
  const names = ["A: one period (16)", "B: many periods (8 to 24)"];
  const condition = choice("Model", names, (i) => context.change({ condition: CONDITIONS[i]! }));
  // Both models have equally many checkpoints.
  const steps = Object.values(history)[0]!.length - 1;
  const step = slider("checkpoint", ["untrained", "trained"], steps, go);
  const heads = [1, 2].map((layer) =>
    choice(`Layer ${layer}`, ["head 1", "head 2"], (i) =>
      context.change({ heads: context.state().heads.map((head, l) => (l === layer - 1 ? i + 1 : head)) }),
    ),
  ) as [Control<number>, Control<number>];
  const switches = HEAD_NUMBERS.map((number) =>
    toggle(headName(number), (isOff) => {
      const others = context.state().off.filter((other) => other !== number);
      context.change({ off: isOff ? [...others, number].sort((a, b) => a - b) : others });
    }),
  );
  const off = h("fieldset", { class: "choice" }, h("legend", {}, "Switch off"), ...switches.map((s) => s.element));
  return {
    elements: { condition: condition.element, step: step.element, off, first: heads[0].element, second: heads[1].element },
    show(state) {
      condition.show(CONDITIONS.indexOf(state.condition as (typeof CONDITIONS)[number]));
      step.show({ position: placeOf(state), text: `after ${measuredOf(state).step} steps` });
      heads.forEach((head, layer) => head.show(state.heads[layer]! - 1));
      switches.forEach((s, i) => s.show(state.off.includes(HEAD_NUMBERS[i]!)));
    },
  };
}

/** Keeps of an answer only numbers of heads, and the query within a text that became shorter. */
const clean = (state: State): State => ({
  ...state,
  query: Math.min(state.query, state.tokens.length - 1),
  off: state.off.filter((number) => (HEAD_NUMBERS as readonly number[]).includes(number)),
});

export default explorable<State>({
  name: "An induction circuit along its training",
  shows: ["condition", "step", "tokens", "heads", "query", "off", "history", "wanted", "weights"],
  answers: ["step", "off"],
  whole: ["step", "off", "heads", "query"],
  style,
  build: (context) => new View(context),
  summary: (state) => `After ${measuredOf(state).step} steps: ${said(measuredOf(state))}.`,
  lists: ["off"],
});
