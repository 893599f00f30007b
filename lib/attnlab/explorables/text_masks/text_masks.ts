// One text, three masks: choose a place, and see what it may look at and what the loss asks there.
import type { Host } from "../host.ts";
import type { Mask } from "../math.ts";
import * as text from "../text.ts";
import { h, s, set } from "../ui/dom.ts";
import { choice } from "../ui/fields.ts";
import { mount, type Common, type Context, type Spec } from "../ui/frame.ts";
import { asked, maskOf, OBJECTIVES, read } from "./arithmetic.ts";
import style from "./text_masks.css";

export interface State extends Common {
  tokens: readonly string[];
  hidden: readonly number[];
  prefix: number;
  objective: string;
  selected: number;
}

const LABELS: Readonly<Record<string, string>> = {
  next: "the next token, under a causal mask",
  hidden: "the hidden token, under no mask",
  prefix: "the next token after a visible prefix",
};
const [ROW, SIDE, CELL] = [44, 92, 8];

function build(context: Context<State>): { parts: Node[]; update(state: State): void } {
  const state = context.state();
  const objective = choice(
    "The loss asks for",
    OBJECTIVES.map((name) => LABELS[name]!),
    (i) => context.change({ objective: OBJECTIVES[i]! }),
  );
  const glyphs = OBJECTIVES.map((name) => glyph(maskOf(state, name)));
  for (const [i, label] of [...objective.element.querySelectorAll("label")].entries()) {
    label.insertBefore(glyphs[i]!.element, label.lastChild);
  }
  const places = new Places(state.tokens.length, (selected) => context.change({ selected }));
  const said = h("p", { class: "said" });
  return {
    parts: [h("div", { class: "objectives" }, objective.element), places.element, said],
    update(now) {
      objective.show(OBJECTIVES.findIndex((name) => name === now.objective));
      for (const { row } of glyphs) row.setAttribute("y", String(now.selected * CELL - 1));
      places.update(now);
      said.textContent = saidOf(now);
    },
  };
}

/** A mask as a small picture, with a frame around one row. */
function glyph(mask: Mask): { element: SVGSVGElement; row: SVGRectElement } {
  const side = mask.length * CELL;
  const cells = mask.flatMap((line, i) =>
    line.map((seen, j) =>
      s("rect", { class: seen ? "seen" : "unseen", x: j * CELL, y: i * CELL, width: CELL - 1.5, height: CELL - 1.5 }),
    ),
  );
  const row = s("rect", { class: "row", x: -1, width: side + 0.5, height: CELL + 0.5 });
  const viewBox = `-2 -2 ${side + 3} ${side + 3}`;
  return { element: s("svg", { class: "glyph", viewBox, "aria-hidden": "true" }, ...cells, row), row };
}

/** The text as a column of buttons, arcs from the chosen place, and what is asked at each. */
class Places {
  readonly element = h("div", { class: "places" });
  private readonly arcs: SVGSVGElement;
  private readonly buttons: HTMLButtonElement[];
  private readonly targets: HTMLElement[];

  constructor(count: number, choose: (place: number) => void) {
    const viewBox = `0 0 ${SIDE} ${count * ROW}`;
    this.arcs = s("svg", { class: "arcs", viewBox, width: SIDE, height: count * ROW, "aria-hidden": "true" });
    this.buttons = Array.from({ length: count }, (_, i) => {
      const button = h("button", { type: "button", class: "place" });
      button.addEventListener("click", () => choose(i));
      return button;
    });
    this.targets = this.buttons.map(() => h("span", { class: "target" }));
    const lines = this.buttons.map((button, i) => h("li", {}, button, this.targets[i]!));
    this.element.append(this.arcs, h("ol", {}, ...lines));
  }

  update(state: State): void {
    const [words, wanted] = [read(state, state.objective), asked(state, state.objective)];
    const seen = maskOf(state, state.objective)[state.selected]!;
    this.buttons.forEach((button, i) => {
      const isChosen = i === state.selected;
      set(button, {
        class: `place${seen[i] ? "" : " masked"}`,
        "aria-pressed": isChosen ? "true" : "false",
        "aria-label": `${words[i]}, ${seen[i] ? "seen" : "hidden"} from the chosen place`,
      });
      button.replaceChildren(h("span", {}, words[i]!));
      this.targets[i]!.textContent = wanted[i] ? `asks for ${wanted[i]}` : "";
      set(this.targets[i]!, { class: isChosen ? "target chosen" : "target" });
    });
    const at = (place: number): number => (place + 0.5) * ROW;
    const arcs = seen.flatMap((isSeen, i) => {
      if (!isSeen || i === state.selected) return [];
      const reach = SIDE - 12 - Math.min(SIDE - 18, 14 + 11 * Math.abs(i - state.selected));
      const d = `M${SIDE} ${at(state.selected)}C${reach} ${at(state.selected)} ${reach} ${at(i)} ${SIDE - 8} ${at(i)}`;
      return [s("path", { class: "arc", d }), s("rect", { class: "end", x: SIDE - 8, y: at(i) - 4, width: 8, height: 8 })];
    });
    const own = s("circle", { class: "start", cx: SIDE - 5, cy: at(state.selected), r: 5 });
    this.arcs.replaceChildren(...arcs, own);
  }
}

function saidOf(state: State): string {
  const seen = maskOf(state, state.objective)[state.selected]!;
  const words = read(state, state.objective);
  const token = asked(state, state.objective)[state.selected];
  const named = seen.every(Boolean) ? "the whole text" : text.words(words.filter((_, i) => seen[i]));
  const loss = token
    ? `The loss asks for “${token}” here.`
    : "The loss asks nothing here.";
  return `“${words[state.selected]}” may look at ${named}. ${loss}`;
}

const spec: Spec<State> = {
  shows: ["tokens", "hidden", "prefix", "objective", "selected"],
  answers: ["objective", "selected"],
  whole: ["selected"],
  style,
  build,
  summary: saidOf,
};

export const render = (host: Host<State>): (() => void) => mount(host, spec);
export default { render };
