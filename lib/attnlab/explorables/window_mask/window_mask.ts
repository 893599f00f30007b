// A sliding window, global tokens, and how far information travels through layers.
import * as text from "../text.ts";
import { h } from "../ui/dom.ts";
import { pressable, range, toggle } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { panel, panels } from "../ui/layout.ts";
import { MaskMap } from "../ui/mask_map.ts";
import { Table } from "../ui/value_table.ts";
import { pairs, patternMask, reach, type Pattern } from "./arithmetic.ts";

export interface State extends Common {
  num_tokens: number;
  window: number;
  global_tokens: readonly number[];
  is_causal: boolean;
  num_layers: number;
  selected: number;
}

const pattern = (state: State): Pattern => ({
  tokens: state.num_tokens,
  window: state.window,
  globals: state.global_tokens,
  causal: state.is_causal,
});

function build(context: Context<State>): Built<State> {
  const { num_tokens: count } = context.state();
  const controls = controlsOf(context);
  const map = new MaskMap(count, (selected) => context.change({ selected }));
  const table = new Table("What the pattern costs, and how far it reaches", [{ text: "" }, "seen", "of"]);
  const shape = h("p", { class: "shape" }, `(num_queries, num_keys) = (${count}, ${count})`);
  return {
    parts: [panels(panel(map.element, shape), panel(...controls.elements, table.element))],
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
  const window = range("window, keys on each side", [0, count - 1], (to) => context.change({ window: to }), {
    ends: ["only itself", "everything"],
  });
  const layers = range("layers", [1, 8], (num_layers) => context.change({ num_layers }));
  const causal = toggle("Hide the future", (is_causal) => context.change({ is_causal }));
  const press = (i: number): void => {
    const now = context.state().global_tokens;
    const next = now.includes(i) ? now.filter((g) => g !== i) : [...now, i];
    context.change({ global_tokens: next.sort((a, b) => a - b) });
  };
  const globals = pressable("Global tokens", "tokens", [...Array(count).keys()].map(String), press, "token");
  const label = h("span", { class: "name", "aria-hidden": "true" }, "global tokens");
  return {
    elements: [window.element, h("div", { class: "globals" }, label, globals.element), causal.element, layers.element],
    show(state) {
      window.show(state.window);
      layers.show(state.num_layers);
      causal.show(state.is_causal);
      globals.show((i) => state.global_tokens.includes(i));
    },
  };
}

const numReached = (reached: boolean[][], { selected }: State): number =>
  reached[selected]!.filter(Boolean).length;

const reachLabel = ({ selected }: State): string => `keys that reach ${selected}`;

export default explorable<State>({
  name: "Sliding window and global tokens",
  shows: ["num_tokens", "window", "global_tokens", "is_causal", "num_layers", "selected"],
  answers: ["window", "global_tokens"],
  whole: ["window", "global_tokens", "num_tokens", "num_layers", "selected"],
  build,
  summary(state) {
    const mask = patternMask(pattern(state));
    const share = text.number((100 * pairs(mask)) / state.num_tokens ** 2, 0);
    const reached = numReached(reach(mask, state.num_layers), state);
    return `${pairs(mask)} pairs seen, ${share} per cent. ${reached} ${reachLabel(state)}.`;
  },
  lists: ["global_tokens"],
});
