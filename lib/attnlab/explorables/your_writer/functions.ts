// The reader's functions by name: each glows when it runs, and tells how often it ran for a word.
import { h } from "../ui/dom.ts";

const GLOW = 320; // ms

export class Functions {
  readonly element = h("ol", { class: "functions", "aria-label": "Your functions, and how often each ran for the last word" });
  private readonly items: { item: HTMLElement; count: HTMLElement }[];

  constructor(names: readonly string[]) {
    this.items = names.map((name) => {
      const count = h("span", { class: "count" });
      return { item: h("li", {}, h("code", {}, name), count), count };
    });
    this.element.append(...this.items.map(({ item }) => item));
  }

  /** Shows how often each has run. */
  ran(calls: readonly number[]): void {
    this.items.forEach(({ item, count }, i) => {
      const isUsed = calls[i]! > 0;
      count.textContent = isUsed ? ` ${calls[i]}×` : "";
      item.classList.toggle("rests", !isUsed);
      item.classList.toggle("glows", isUsed);
      setTimeout(() => item.classList.remove("glows"), GLOW);
    });
  }
}
