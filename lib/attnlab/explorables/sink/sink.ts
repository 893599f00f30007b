// Raise the score of a sink, and the weight drains from the words.
import type { Host } from "../host.ts";
import type { Matrix, Vector } from "../math.ts";
import * as text from "../text.ts";
import { h, set } from "../ui/dom.ts";
import { slider } from "../ui/fields.ts";
import { mount, type Common, type Context, type Spec } from "../ui/frame.ts";
import { allShares, capped } from "./arithmetic.ts";
import style from "./sink.css";

export interface State extends Common {
  queries: readonly string[];
  key_tokens: readonly string[];
  score: Matrix;
  sink: number;
  cap: number;
}

const [LOWEST, HIGHEST, STEP] = [-12, 6, 0.5];
const CAPS = [50, 20, 10, 5, 4, 3, 2, 1] as const;

function build(context: Context<State>): { parts: Node[]; update(state: State): void } {
  const steps = (HIGHEST - LOWEST) / STEP;
  const sink = slider("Score of the sink, b", ["−12, as good as none", "6"], steps, (position) =>
    context.change({ sink: LOWEST + position * STEP }),
  );
  const last = CAPS.length - 1;
  const cap = slider("Soft cap, c", ["50, as good as none", "1"], last, (position) =>
    context.change({ cap: CAPS[position]! }),
  );
  const { queries, key_tokens: keys } = context.state();
  const rows = queries.map((query) => new Bars(query, [...keys, "sink"]));
  return {
    parts: [
      h("div", { class: "controls" }, sink.element, cap.element),
      h("div", { class: "rows" }, ...rows.map(({ element }) => element)),
    ],
    update(state) {
      sink.show({ position: (state.sink - LOWEST) / STEP, text: text.number(state.sink, 1) });
      const nearest = CAPS.findIndex((c) => c <= state.cap);
      cap.show({ position: nearest, text: String(state.cap) });
      allShares(state.score, state.sink, state.cap).forEach((shares, i) => {
        const scores = [...state.score[i]!.map((score) => capped(score, state.cap)), state.sink];
        rows[i]!.update(shares, scores);
      });
    },
  };
}

/** The weights of one query as bars that rise from their words; the last is the sink. */
class Bars {
  readonly element = h("div", { class: "query-row" });
  private readonly bars: { weight: Text; bar: HTMLElement; score: HTMLElement }[];
  private readonly picture: HTMLElement;
  private readonly said = h("p", { class: "sum" });
  private readonly query: string;
  private readonly names: readonly string[];

  constructor(query: string, names: readonly string[]) {
    [this.query, this.names] = [query, names];
    this.bars = names.map(() => ({
      weight: document.createTextNode(""),
      bar: h("i"),
      score: h("span", { class: "score" }),
    }));
    const columns = this.bars.map(({ weight, bar, score }, i) =>
      h(
        "div",
        { class: i === names.length - 1 ? "column drain" : "column" },
        h("span", { class: "rise" }, weight, bar),
        h("b", { class: "key" }, names[i]!),
        score,
      ),
    );
    this.picture = h("div", { class: "columns", role: "img" }, ...columns);
    this.element.append(h("p", { class: "name query" }, query), this.picture, this.said);
  }

  update(shares: Vector, scores: Vector): void {
    this.bars.forEach(({ weight, bar, score }, i) => {
      weight.data = text.number(shares[i]!);
      bar.style.setProperty("--share", String(shares[i]));
      score.textContent = text.number(scores[i]!, 1);
    });
    const listed = this.names.map((name, i) => `${name} ${text.number(shares[i]!)}`);
    set(this.picture, { "aria-label": `Weights of the query that ${this.query}: ${text.words(listed)}` });
    this.said.textContent = `${text.number(1 - shares.at(-1)!)} of the weight is on words.`;
  }
}

const spec: Spec<State> = {
  shows: ["queries", "key_tokens", "score", "sink", "cap"],
  answers: ["sink"],
  style,
  build,
  summary({ queries, score, sink, cap }) {
    const rows = allShares(score, sink, cap).map(
      (shares, i) => `The query that ${queries[i]} has ${text.number(1 - shares.at(-1)!)} of its weight on words.`,
    );
    return rows.join(" ");
  },
};

export const render = (host: Host<State>): (() => void) => mount(host, spec);
export default { render };
