// The text that the model reads: a row of tokens to tap, and buttons that change it.
import { h, set } from "../ui/dom.ts";
import { button } from "../ui/fields.ts";
import { NUM_TOKENS } from "./readings.ts";

export const WORDS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuv";
const OFFERED = "KQDMSFWBACEG";
const FEWEST = 2;

export class TextForm {
  readonly element = h("div");
  private readonly row = h("div", { class: "tokens", role: "group", "aria-label": "The text; choose a query" });
  private readonly more: HTMLButtonElement[];
  private readonly fewer: HTMLButtonElement;
  private readonly again: HTMLButtonElement;
  private now: readonly string[] = [];
  private readonly choose: (query: number) => void;

  constructor(change: (tokens: string[]) => void, choose: (query: number) => void) {
    this.choose = choose;
    this.more = [...OFFERED].map((word) => {
      const element = button(word, () => change([...this.now, word]));
      set(element, { class: "token", "aria-label": `Append ${word}` });
      return element;
    });
    this.fewer = button("Remove the last", () => change(this.now.slice(0, -1)));
    this.again = button("Repeat it all", () => change([...this.now, ...this.now]));
    const start = button("Start anew", () => change([...this.now.slice(0, FEWEST)]));
    const palette = h("div", { class: "tokens", role: "group", "aria-label": "Append a token" }, ...this.more);
    const names = ["Text: tap a token to mark its row", "Append:"].map((text) => h("p", { class: "title" }, text));
    const changes = h("div", { class: "tokens" }, this.fewer, this.again, start);
    this.element.append(names[0]!, this.row, names[1]!, palette, changes);
  }

  update(tokens: readonly string[], query: number): void {
    if (tokens.join("") !== this.now.join("") || this.row.childElementCount === 0) {
      this.now = tokens;
      this.row.replaceChildren(...tokens.map((token, i) => this.token(token, i)));
    }
    [...this.row.children].forEach((element, i) => set(element, { "aria-pressed": String(i === query) }));
    for (const element of this.more) element.disabled = tokens.length >= NUM_TOKENS;
    this.fewer.disabled = tokens.length <= FEWEST;
    this.again.disabled = 2 * tokens.length > NUM_TOKENS;
  }

  private token(token: string, i: number): HTMLButtonElement {
    const element = button(token, () => this.choose(i));
    set(element, { class: "token", "aria-label": `${token}, token ${i + 1}` });
    return element;
  }
}
