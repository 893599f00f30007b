// A sliding window, global tokens, and how far information travels through layers.
import type { Host } from "../host.ts";
import * as text from "../text.ts";
import { h, set } from "../ui/dom.ts";
import { slider, toggle } from "../ui/fields.ts";
import { mount, type Common, type Context, type Spec } from "../ui/frame.ts";
import { MaskMap } from "../ui/mask_map.ts";
import { Table } from "../ui/value_table.ts";
import { pairs, patternMask, reach, type Pattern } from "./arithmetic.ts";

export interface State extends Common {
  num_tokens: number;
  window: number;
  global_tokens: readonly number[];
  causal: boolean;
  num_layers: number;
  selected: number;
}

const MOST_LAYERS = 8;
const pattern = (state: State): Pattern => ({
  tokens: state.num_tokens,
  window: state.window,
  globals: state.global_tokens,
  causal: state.causal,
});

function build(context: Context<State>): { parts: Node[]; update(state: State): void } {
  const { num_tokens: count } = context.state();
  const controls = controlsOf(context);
  const map = new MaskMap(count, (selected) => context.change({ selected }));
  const table = new Table("What the pattern costs, and how far it reaches", [{ text: "" }, "seen", "of"]);
  const shape = h("p", { class: "shape" }, `(num_queries, num_keys) = (${count}, ${count})`);
  const panel = (...parts: Node[]): HTMLElement => h("div", { class: "panel" }, ...parts);

  return {
    parts: [
      h(
        "div",
        { class: "panels" },
        panel(map.element, shape),
        panel(...controls.elements, table.element),
      ),
    ],
    update(state) {
      const mask = patternMask(pattern(state));
      const reached = reach(mask, state.num_layers);
      controls.show(state);
      map.update(mask, reached, state.selected);
      table.update([
        { head: "pairs seen in one layer", cells: [String(pairs(mask)), String(count * count)] },
        { head: reachLabel(state), cells: [String(numReached(reached, state)), String(count)] },
      ]);
    },
  };
}

function controlsOf(context: Context<State>): { elements: Node[]; show(state: State): void } {
  const { num_tokens: count } = context.state();
  const window = slider("window, keys on each side", ["only itself", "everything"], count - 1, (w) =>
    context.change({ window: w }),
  );
  const layers = slider("layers", ["1", String(MOST_LAYERS)], MOST_LAYERS - 1, (l) =>
    context.change({ num_layers: l + 1 }),
  );
  const causal = toggle("Hide the future", (causal) => context.change({ causal }));
  const globals = new GlobalTokens(count, (i) => {
    const now = context.state().global_tokens;
    const next = now.includes(i) ? now.filter((g) => g !== i) : [...now, i];
    context.change({ global_tokens: next.sort((a, b) => a - b) });
  });
  return {
    elements: [window.element, globals.element, causal.element, layers.element],
    show(state) {
      window.show({ position: state.window, text: String(state.window) });
      layers.show({ position: state.num_layers - 1, text: String(state.num_layers) });
      causal.show(state.causal);
      globals.show(state.global_tokens);
    },
  };
}

const numReached = (reached: boolean[][], { selected }: State): number =>
  reached[selected]!.filter(Boolean).length;

const reachLabel = ({ selected }: State): string => `keys that reach ${selected}`;

/** A row of buttons, one for each token, that make it global. */
class GlobalTokens {
  readonly element = h("div", { class: "globals", role: "group", "aria-label": "Global tokens" });
  private readonly buttons: HTMLButtonElement[];

  constructor(count: number, press: (i: number) => void) {
    this.buttons = Array.from({ length: count }, (_, i) => {
      const element = h("button", { type: "button", class: "token" }, String(i));
      element.addEventListener("click", () => press(i));
      return element;
    });
    const label = h("span", { class: "name", "aria-hidden": "true" }, "global tokens");
    this.element.append(label, h("div", { class: "tokens" }, ...this.buttons));
  }

  show(globals: readonly number[]): void {
    this.buttons.forEach((button, i) =>
      set(button, { "aria-pressed": globals.includes(i) ? "true" : "false" }),
    );
  }
}

const spec: Spec<State> = {
  shows: ["num_tokens", "window", "global_tokens", "causal", "num_layers", "selected"],
  answers: ["window", "global_tokens"],
  whole: ["window", "global_tokens", "num_tokens", "num_layers", "selected"],
  build,
  summary(state) {
    const mask = patternMask(pattern(state));
    const share = text.number((100 * pairs(mask)) / state.num_tokens ** 2, 0);
    const reached = numReached(reach(mask, state.num_layers), state);
    return `${pairs(mask)} pairs seen, ${share} per cent. ${reached} ${reachLabel(state)}.`;
  },
};

export const lists = ["global_tokens"] as const;
export const render = (host: Host<State>): (() => void) => mount(host, spec);
export default { render };
