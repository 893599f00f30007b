// Weights as bars of ink, each with its number above.
import * as text from "../text.ts";
import { h, set } from "./dom.ts";

export class Bars {
  readonly bars: readonly HTMLElement[];

  constructor(count: number) {
    this.bars = Array.from({ length: count }, () => h("span", { class: "ink-bar" }));
  }

  /** The bars side by side. */
  picture(): { element: HTMLElement; update(weights: readonly number[], label: string): void } {
    const element = h("div", { class: "bars", role: "img" }, ...this.bars);
    return {
      element,
      update: (weights, label) => {
        this.update(weights);
        set(element, { "aria-label": label });
      },
    };
  }

  /** Lets the bars grow or shrink to new weights. */
  update(weights: readonly number[]): void {
    this.bars.forEach((bar, i) => {
      bar.style.setProperty("--weight", String(weights[i]));
      bar.textContent = text.number(weights[i]!);
    });
  }

  /** Gives the bars these heights at once: the next update begins there. */
  jump(shares: readonly number[]): void {
    this.bars.forEach((bar, i) => {
      bar.style.transition = "none";
      bar.style.setProperty("--weight", String(shares[i]));
      getComputedStyle(bar).borderBottomWidth; // the browser must see this height
      bar.style.transition = "";
    });
  }
}
