// Which words does the last one see through stacked convolutions, and through attention?
import { h } from "../ui/dom.ts";
import { choice, range } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { Table } from "../ui/value_table.ts";
import { cone, needed, shortened } from "./arithmetic.ts";
import { Cone } from "../ui/cone.ts";

export interface State extends Common {
  tokens: readonly string[];
  phrases: number;
  kernel: number;
  layers: number;
  attention: boolean;
}

function build(context: Context<State>): Built<State> {
  const controls = controlsOf(context);
  const picture = new Cone();
  const words = h("p", { class: "words" });
  const table = new Table("What the last word sees", [{ text: "" }, "sees", "first word", "needs"]);
  return {
    // The picture grows with the layers; below the controls it does not move a slider in use.
    parts: [controls.element, picture.element, words, table.element],
    update(state) {
      const tokens = shortened(state.tokens, state.phrases);
      const reached = cone(tokens.length, state);
      const step = state.attention ? tokens.length : state.kernel - 1;
      controls.show(state);
      picture.update(reached, step, [tokens[0]!, tokens.at(-1)!]);
      picture.element.setAttribute("aria-label", summary(state));
      words.replaceChildren(...sentence(tokens, reached[0]!));
      table.update(rows(state, tokens.length - 1));
    },
  };
}

function controlsOf(context: Context<State>): { element: HTMLElement; show(state: State): void } {
  const longest = (context.state().tokens.length - 3) / 2;
  const phrases = range("phrases between", [0, longest], (to) => context.change({ phrases: to }));
  const kernel = range("kernel, words with itself", [2, 7], (to) => context.change({ kernel: to }));
  const layers = range("layers", [1, 8], (to) => context.change({ layers: to }));
  const kind = choice("Words meet by", ["convolutions", "attention"], (chosen) =>
    context.change({ attention: chosen === 1 }),
  );
  // Two in a row, so that those side by side are level.
  const fields = [kind, kernel, phrases, layers].map(({ element }) => element);
  return {
    element: h("div", { class: "controls" }, ...fields),
    show(state) {
      kind.show(state.attention ? 1 : 0);
      phrases.show(state.phrases);
      kernel.show(state.kernel);
      layers.show(state.layers);
      // Attention has neither.
      for (const { element } of [kernel, layers]) element.querySelector("input")!.disabled = state.attention;
    },
  };
}

/** The sentence in two parts: what is out of reach, and what is seen. */
function sentence(tokens: readonly string[], reached: readonly boolean[]): Node[] {
  const first = reached.indexOf(true);
  const parts: [string, readonly string[]][] = [
    ["Out of reach: ", tokens.slice(0, first)],
    ["Seen: ", tokens.slice(first)],
  ];
  return parts
    .filter(([, part]) => part.length > 0)
    .flatMap(([name, part]) => [
      h("span", { class: "hidden" }, name),
      ...part.flatMap((token) => [
        h("span", { class: name === "Seen: " ? "word" : "word masked" }, token),
        document.createTextNode(" "),
      ]),
    ]);
}

function rows({ kernel, layers }: State, back: number) {
  const far = layers * (kernel - 1);
  const verdict = far >= back ? "seen" : "out of reach";
  return [
    { head: "convolutions", cells: [`${far} back`, verdict, layersOf(needed(back + 1, kernel))] },
    { head: "attention", cells: [`${back} back`, "seen", layersOf(1)] },
  ];
}

const layersOf = (count: number): string => `${count} layer${count === 1 ? "" : "s"}`;

function summary(state: State): string {
  const tokens = shortened(state.tokens, state.phrases);
  const reached = cone(tokens.length, state)[0]!;
  const [first, last] = [tokens[0]!, tokens.at(-1)!];
  const reaches = reached[0] ? `sees “${first}”` : `does not see “${first}”`;
  return `“${last}” ${reaches}, ${tokens.length - 1} tokens back: it sees ${reached.filter(Boolean).length - 1} of them.`;
}

export default explorable<State>({
  name: "How far the last word sees",
  shows: ["tokens", "phrases", "kernel", "layers", "attention"],
  answers: ["kernel", "layers"],
  whole: ["kernel", "layers", "phrases"],
  build,
  summary,
});
