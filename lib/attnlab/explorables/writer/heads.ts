// Layer and head: a grid of all, ink for how hard each looks at one word, and which looks hardest.
import { ARROWS, h, set } from "../ui/dom.ts";
import type { Reading } from "./source.ts";

/** Layer and head, from 0. */
export type Head = readonly [number, number];

/** Heads rest on the first tokens when they look for nothing. */
const RESTING = 4;

/** The largest weight that a head gives one earlier word; the opening counts where nothing else is. */
const hardest = (row: ArrayLike<number>, isWord: readonly boolean[]): number => {
  const isEarly = row.length <= RESTING + 1;
  const counts = Array.from(row).slice(0, -1).filter((_, j) => isEarly || (j >= RESTING && isWord[j]));
  return Math.max(0, ...counts);
};

/** The head that looks hardest at one word; where none looks at any, the first head that is known. */
export function sharpest({ weights }: Reading, isWord: readonly boolean[]): Head {
  let [most, found] = [0, undefined as Head | undefined];
  weights.forEach((heads, layer) =>
    heads.forEach((row, head) => {
      if (!row) return;
      found ??= [layer, head];
      const weight = hardest(row, isWord);
      if (weight > most) [most, found] = [weight, [layer, head]];
    }),
  );
  return found ?? [0, 0];
}

export class Heads {
  readonly element = h("div", { class: "head-part" });
  private readonly title = h("p", { class: "title" });
  private readonly follow = h("button", { type: "button", class: "follow" }, "Follow the sharpest head");
  private readonly cells: HTMLButtonElement[][];

  /** @param choose - called with a head, or undefined to follow the sharpest */
  constructor([layers, heads]: readonly [number, number], choose: (head: Head | undefined) => void) {
    const cell = (layer: number, head: number): HTMLButtonElement => {
      const label = `Layer ${layer + 1}, head ${head + 1}`;
      const button = h("button", { type: "button", role: "radio", "aria-label": label, title: label });
      button.addEventListener("click", () => choose([layer, head]));
      return button;
    };
    this.cells = Array.from({ length: layers }, (_, l) => Array.from({ length: heads }, (_, i) => cell(l, i)));
    const rows = this.cells.flatMap((row, l) => [h("span", {}, `Layer ${l + 1}`), ...row]);
    const grid = h("div", { class: "heads", role: "radiogroup", "aria-label": "Layer and head" }, ...rows);
    grid.style.setProperty("--heads", String(heads));
    grid.addEventListener("keydown", (event) => this.move(event));
    this.follow.addEventListener("click", () =>
      choose(this.follow.getAttribute("aria-pressed") === "true" ? this.chosen : undefined),
    );
    const said = "The more ink, the more of its weight a head gives to one word.";
    const bar = h("div", { class: "head-bar" }, this.title, this.follow);
    this.element.append(bar, grid, h("p", { class: "rest" }, said));
  }

  private chosen: Head = [0, 0];

  update(reading: Reading, isWord: readonly boolean[], chosen: Head, isFollowing: boolean): void {
    this.chosen = chosen;
    this.title.textContent = `Layer ${chosen[0] + 1}, head ${chosen[1] + 1}`;
    set(this.follow, { "aria-pressed": String(isFollowing) });
    this.cells.forEach((row, layer) =>
      row.forEach((cell, head) => {
        const weights = reading.weights[layer]?.[head];
        const isOn = layer === chosen[0] && head === chosen[1];
        set(cell, { "aria-checked": String(isOn), tabindex: isOn ? 0 : -1, disabled: !weights });
        cell.style.setProperty("--weight", `${weights ? Math.round(100 * hardest(weights, isWord)) : 0}%`);
      }),
    );
  }

  private move(event: KeyboardEvent): void {
    const step = ARROWS[event.key];
    if (!step) return;
    event.preventDefault();
    const [layers, heads] = [this.cells.length, this.cells[0]!.length];
    const [layer, head] = this.chosen;
    const cell = this.cells[(layer + step[0] + layers) % layers]![(head + step[1] + heads) % heads]!;
    cell.click();
    cell.focus();
  }
}
