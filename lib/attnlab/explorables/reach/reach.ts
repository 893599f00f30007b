// Which words does the last one see through stacked convolutions, and through attention?
import type { Host } from "../host.ts";
import { h } from "../ui/dom.ts";
import { choice, slider } from "../ui/fields.ts";
import { mount, type Common, type Context, type Spec } from "../ui/frame.ts";
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

const KERNELS = [2, 7] as const;
const MOST_LAYERS = 8;

function build(context: Context<State>): { parts: Node[]; update(state: State): void } {
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
  const phrases = slider("phrases between", ["0", String(longest)], longest, (n) =>
    context.change({ phrases: n }),
  );
  const [least, largest] = KERNELS;
  const ends = [String(least), String(largest)] as const;
  const kernel = slider("kernel, words with itself", ends, largest - least, (k) =>
    context.change({ kernel: k + least }),
  );
  const layers = slider("layers", ["1", String(MOST_LAYERS)], MOST_LAYERS - 1, (l) =>
    context.change({ layers: l + 1 }),
  );
  const kind = choice("Words meet by", ["convolutions", "attention"], (chosen) =>
    context.change({ attention: chosen === 1 }),
  );
  // Two in a row, so that those side by side are level.
  const fields = [kind, kernel, phrases, layers].map(({ element }) => element);
  return {
    element: h("div", { class: "controls" }, ...fields),
    show(state) {
      kind.show(state.attention ? 1 : 0);
      phrases.show({ position: state.phrases, text: String(state.phrases) });
      kernel.show({ position: state.kernel - least, text: String(state.kernel) });
      layers.show({ position: state.layers - 1, text: String(state.layers) });
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

const spec: Spec<State> = {
  name: "How far the last word sees",
  shows: ["tokens", "phrases", "kernel", "layers", "attention"],
  answers: ["kernel", "layers"],
  whole: ["kernel", "layers", "phrases"],
  build,
  summary,
};

export const render = (host: Host<State>): (() => void) => mount(host, spec);
export default { render };
