// Layer and head: a grid of all, ink for how hard each looks at one word, and which looks hardest.
import { ARROWS, h, set } from "../ui/dom.ts";
import { toggle } from "../ui/fields.ts";
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

/** `choose` is called with a head, or undefined to follow the sharpest. */
export function headsOf([layers, heads]: readonly [number, number], choose: (head: Head | undefined) => void) {
  let chosen: Head = [0, 0];
  const title = h("p", { class: "title" });
  const follow = toggle("Follow the sharpest head", (isOn) => choose(isOn ? undefined : chosen));
  const nameOf = (layer: number, head: number): string => `Layer ${layer + 1}, head ${head + 1}`;
  const cellOf = (layer: number, head: number): HTMLButtonElement => {
    const label = nameOf(layer, head);
    const button = h("button", { type: "button", role: "radio", "aria-label": label, title: label });
    button.addEventListener("click", () => choose([layer, head]));
    return button;
  };
  const cells = Array.from({ length: layers }, (_, l) => Array.from({ length: heads }, (_, i) => cellOf(l, i)));
  const rows = cells.flatMap((row, l) => [h("span", {}, `Layer ${l + 1}`), ...row]);
  const grid = h("div", { class: "heads", role: "radiogroup", "aria-label": "Layer and head" }, ...rows);
  grid.style.setProperty("--heads", String(heads));
  grid.addEventListener("keydown", (event) => {
    const step = ARROWS[event.key];
    if (!step) return;
    event.preventDefault();
    const cell = cells[(chosen[0] + step[0] + layers) % layers]![(chosen[1] + step[1] + heads) % heads]!;
    cell.click();
    cell.focus();
  });
  const said = h("p", { class: "shape" }, "The more ink, the more of its weight a head gives to one word.");
  return {
    element: h("div", {}, h("div", { class: "head-bar flow" }, title, follow.element), grid, said),
    update(reading: Reading, isWord: readonly boolean[], head: Head, isFollowing: boolean): void {
      chosen = head;
      title.textContent = nameOf(...head);
      follow.show(isFollowing);
      cells.forEach((row, layer) =>
        row.forEach((cell, i) => {
          const weights = reading.weights[layer]?.[i];
          const isOn = layer === head[0] && i === head[1];
          set(cell, { "aria-checked": String(isOn), tabindex: isOn ? 0 : -1, disabled: !weights });
          cell.style.setProperty("--weight", `${weights ? Math.round(100 * hardest(weights, isWord)) : 0}%`);
        }),
      );
    },
  };
}
