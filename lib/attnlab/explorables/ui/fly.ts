// Motion that explains: copies of cells fly into the cell that is computed from them.
import { h } from "./dom.ts";

/** The page's time for a change of state, in ms; 0 where the reader wants no motion. */
export const motion = (element: Element): number =>
  Number.parseFloat(getComputedStyle(element).getPropertyValue("--attn-motion")) || 0;

/** Sends copies of cells into a cell. All stand in `stage`, which is positioned. */
export function fly(stage: HTMLElement, cells: readonly HTMLElement[], into: HTMLElement, ms: number): void {
  if (ms === 0) return;
  const origin = stage.getBoundingClientRect();
  const end = into.getBoundingClientRect();
  for (const cell of cells) {
    const start = cell.getBoundingClientRect();
    const copy = h("span", { class: "flying", "aria-hidden": "true" });
    copy.textContent = cell.textContent;
    copy.style.left = `${start.left - origin.left}px`;
    copy.style.top = `${start.top - origin.top}px`;
    copy.style.width = `${start.width}px`;
    copy.style.lineHeight = `${start.height}px`;
    stage.append(copy);
    const [x, y] = [end.left - start.left, end.top - start.top];
    const path = [{ transform: "none" }, { transform: `translate(${x}px, ${y}px)`, opacity: 0.2 }];
    copy.animate(path, { duration: ms, easing: "ease-in" }).finished.then(
      () => copy.remove(),
      () => copy.remove(), // the page went on without the animation
    );
  }
}
