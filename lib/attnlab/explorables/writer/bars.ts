// The likeliest next words as bars; a press forces one.
import { h } from "../ui/dom.ts";
import { markOf } from "./words.ts";

const MOST = 5;
/** Below it, a bar could not be seen. */
const LEAST = 0.008;

export class Bars {
  readonly element = h("div", { class: "likely-part" });
  private readonly title = h("p", { class: "title" });
  private readonly list = h("ol", { class: "likely" });
  private readonly rest = h("p", { class: "rest" });
  private readonly buttons: HTMLButtonElement[];
  private tokens: number[] = [];

  /** @param force - called with the token of a bar that is pressed */
  constructor(force: (token: number) => void) {
    this.buttons = Array.from({ length: MOST }, (_, i) => {
      const parts = [h("span", { class: "next" }), h("span", { class: "track" }, h("i")), h("span", { class: "share" })];
      const button = h("button", { type: "button" }, ...parts);
      button.addEventListener("click", () => force(this.tokens[i]!));
      return button;
    });
    this.list.append(...this.buttons.map((button) => h("li", {}, button)));
    this.element.append(this.title, this.list, this.rest);
  }

  update(words: readonly string[], shares: readonly number[], title: string, isFixed: boolean): void {
    this.title.textContent = title;
    this.tokens = [...shares.keys()].sort((a, b) => shares[b]! - shares[a]!).slice(0, MOST);
    this.buttons.forEach((button, i) => {
      const token = this.tokens[i]!;
      const [word, track, number] = button.children as unknown as [HTMLElement, HTMLElement, HTMLElement];
      const mark = markOf(words, token);
      word.textContent = mark || words[token]!;
      word.className = mark ? "next sign" : "next";
      (track.firstChild as HTMLElement).style.transform = `scaleX(${Math.max(shares[token]!, LEAST)})`;
      number.textContent = shares[token]!.toFixed(2);
      button.classList.remove("picked");
      button.disabled = isFixed;
    });
    const rest = 1 - this.tokens.reduce((sum, token) => sum + shares[token]!, 0);
    this.rest.textContent = `The other ${shares.length - MOST} words: ${Math.max(0, rest).toFixed(2)} together`;
  }

  /** Shows which word was taken, until the next update. */
  pick(token: number): void {
    this.buttons[this.tokens.indexOf(token)]?.classList.add("picked");
  }
}
