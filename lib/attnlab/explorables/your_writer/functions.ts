// The reader's functions by name: each glows when it runs, and tells how often it ran for a word.
import { h } from "../ui/dom.ts";
import type { Ran } from "./source.ts";

const GLOW = 320; // ms

export class Functions {
  readonly element = h("ol", { class: "functions", "aria-label": "Your functions, and how often each ran for the last word" });
  private readonly items = new Map<string, { item: HTMLElement; count: HTMLElement }>();
  private calls: Record<string, number> = {};
  private readonly optional: readonly string[];

  /** @param optional - those that are shown once the reader has written them */
  constructor(names: readonly string[], optional: readonly string[]) {
    this.optional = optional;
    for (const name of names) {
      const count = h("span", { class: "count" });
      const item = h("li", {}, h("code", {}, name), count);
      this.items.set(name, { item, count });
      this.element.append(item);
    }
  }

  show(all: boolean): void {
    for (const name of this.optional) this.items.get(name)!.item.hidden = !all;
  }

  /** Shows what has run; `isNew` begins to count for another word. */
  ran({ calls }: Ran, isNew: boolean): void {
    if (isNew) this.calls = {};
    for (const [name, times] of Object.entries(calls)) this.calls[name] = (this.calls[name] ?? 0) + times;
    for (const [name, { item, count }] of this.items) {
      const times = this.calls[name] ?? 0;
      count.textContent = times > 0 ? ` ${times}×` : "";
      item.classList.toggle("rests", times === 0);
      if (calls[name]) this.glow(item);
    }
  }

  private glow(item: HTMLElement): void {
    item.classList.add("glows");
    setTimeout(() => item.classList.remove("glows"), GLOW);
  }
}
