// Draw a picture, and see where the query for each kind of glyph looks in it.
import type { Host } from "../host.ts";
import type { Matrix, Vector } from "../math.ts";
import * as text from "../text.ts";
import { h } from "../ui/dom.ts";
import { button, choice, toggle } from "../ui/fields.ts";
import { mount, type Common, type Context, type Spec } from "../ui/frame.ts";
import { td } from "../ui/value_table.ts";
import { look, pixels, type Detector } from "./arithmetic.ts";
import { Canvas } from "./canvas.ts";
import style from "./picture_queries.css";

export interface State extends Common {
  cells: Matrix;
  noise: Matrix;
  noisy: boolean;
  kinds: readonly string[];
  bitmaps: Matrix;
  model: Detector;
  selected: number;
}

const SIDE = 4;

function build(context: Context<State>): { parts: Node[]; update(state: State): void } {
  const state = context.state;
  const kind = choice("Look for", state().kinds, (selected) => context.change({ selected }));
  const canvas = new Canvas(state().noise, (cells) => context.change({ cells }));
  const add = button("", () => context.change({ cells: withGlyph(state()) }));
  const clear = button("Clear the picture", () =>
    context.change({ cells: state().cells.map((cell) => cell.map(() => 0)) }),
  );
  const noise = toggle("noise, as in training", (noisy) => context.change({ noisy }));
  const title = h("p", { class: "title" });
  const map = h("div", { class: "map" });
  const share = h("p", { class: "share" });
  return {
    parts: [
      kind.element,
      h(
        "div",
        { class: "panels" },
        h("div", { class: "panel" }, h("p", { class: "title" }, "Draw in it"), canvas.element),
        h("div", { class: "panel" }, title, map, share),
      ),
      h("div", { class: "buttons" }, add, clear, noise.element),
    ],
    update(now) {
      const name = now.kinds[now.selected]!;
      const found = seen(now);
      const best = found.weights.indexOf(Math.max(...found.weights));
      kind.show(now.selected);
      noise.show(now.noisy);
      canvas.update(now.cells, now.noisy, best, found.weights[best]!);
      add.textContent = `Add: ${name}`;
      title.textContent = `Weights of the query “${name}”`;
      map.replaceChildren(table(found.weights));
      share.textContent = `Is there one? The model says ${text.number(found.share)}.`;
    },
  };
}

const seen = ({ model, cells, noise, noisy, selected }: State): { weights: number[]; share: number } =>
  look(model, pixels(cells, noise, noisy), selected);

/** The weights of the cells, placed as the cells are. */
function table(weights: Vector): HTMLTableElement {
  const rows = Array.from({ length: SIDE }, (_, i) => {
    const cells = weights.slice(i * SIDE, (i + 1) * SIDE);
    const drawn = cells.map((value) => td({ text: text.number(value), heat: { value, kind: "weights" } }));
    return h("tr", {}, ...drawn);
  });
  return h("table", { class: "cells", "aria-label": "Weights of the cells" }, h("tbody", {}, ...rows));
}

/** The picture with the selected glyph in its first empty cell, or in place of the last one. */
function withGlyph({ cells, bitmaps, selected }: State): number[][] {
  const empty = cells.findIndex((cell) => cell.every((pixel) => pixel === 0));
  const at = empty < 0 ? cells.length - 1 : empty;
  return cells.map((cell, i) => [...(i === at ? bitmaps[selected]! : cell)]);
}

const spec: Spec<State> = {
  shows: ["cells", "noise", "noisy", "kinds", "bitmaps", "model", "selected"],
  answers: ["selected"],
  whole: ["selected"],
  style,
  build,
  summary(state) {
    const { weights, share } = seen(state);
    const best = weights.indexOf(Math.max(...weights));
    const [row, column] = [Math.floor(best / SIDE) + 1, (best % SIDE) + 1];
    return `The query ${state.kinds[state.selected]} looks most at row ${row}, column ${column}, with weight ${text.number(weights[best]!)}. The model gives ${text.number(share)} to its being there.`;
  },
};

export const render = (host: Host<State>): (() => void) => mount(host, spec);
export default { render };
