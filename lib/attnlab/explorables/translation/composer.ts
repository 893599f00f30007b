// A sentence of the grammar, put together from lists; below each word, whether it may be attended to.
import { h, set } from "../ui/dom.ts";
import { button, toggle, type Control } from "../ui/fields.ts";
import { english, listAt, MOST_PHRASES, type Lexicon } from "./sentence.ts";

interface Card {
  element: HTMLElement;
  select: HTMLSelectElement | undefined;
  hide: Control<boolean>;
}

type Change = (part: { sentence?: string; hidden?: number[] }) => void;

export class Composer {
  readonly element = h("div", { class: "composer" });
  private readonly cards = h("div", { class: "cards", role: "group", "aria-label": "The sentence" });
  private readonly more = button("Add a phrase", () => this.longer());
  private readonly fewer = button("Remove the last phrase", () => this.shorter());
  private made: Card[] = [];
  private words: readonly string[] = [];
  private hidden: readonly number[] = [];
  private readonly lexicon: Lexicon;
  private readonly change: Change;

  constructor(lexicon: Lexicon, change: Change) {
    [this.lexicon, this.change] = [lexicon, change];
    this.element.append(this.cards, h("div", { class: "buttons" }, this.more, this.fewer));
  }

  update(words: readonly string[], hidden: readonly number[]): void {
    const isSameLength = words.length === this.words.length;
    [this.words, this.hidden] = [words, hidden];
    if (!isSameLength) {
      this.made = english(this.lexicon, words).map((_, i) => this.card(i));
      this.cards.replaceChildren(...this.made.map(({ element }) => element));
    }
    const read = english(this.lexicon, words);
    this.made.forEach(({ element, select, hide }, i) => {
      if (select) select.value = words[this.wordAt(i)]!;
      hide.show(hidden.includes(i));
      set(element.querySelector("input")!, { "aria-label": `hide token ${i + 1}, ${read[i]}` });
      element.classList.toggle("off", hidden.includes(i));
    });
    // Not disabled: a button that has the focus would lose it.
    set(this.more, { "aria-disabled": words.length >= 2 + 2 * MOST_PHRASES && "true" });
    set(this.fewer, { "aria-disabled": words.length === 2 && "true" });
  }

  /** The place among the words of what stands at a place of the sentence; "had been" is none. */
  private wordAt(place: number): number {
    const count = this.words.length;
    return place === count ? count - 1 : place;
  }

  private card(place: number): Card {
    const count = this.words.length;
    const hide = toggle("hide", (isHidden) => this.hide(place, isHidden));
    const isFixed = place === count - 1;
    const select = isFixed ? undefined : this.select(this.wordAt(place));
    const word = select ?? h("span", { class: "fixed" }, "had been");
    return { element: h("div", { class: "card" }, word, hide.element), select, hide };
  }

  private select(at: number): HTMLSelectElement {
    const count = this.words.length;
    const isNoun = at % 2 === 0 && at < count - 1;
    const list = listAt(this.lexicon, at, count);
    const options = list.map((word) => h("option", { value: word }, isNoun ? `the ${word}` : word));
    const what = at === count - 1 ? "participle" : at === 0 ? "subject" : isNoun ? "noun" : "preposition";
    const element = h("select", { "aria-label": `Word ${at + 1}: ${what}` }, ...options);
    element.addEventListener("change", () =>
      this.change({ sentence: this.words.map((word, i) => (i === at ? element.value : word)).join(" ") }),
    );
    return element;
  }

  private hide(place: number, isHidden: boolean): void {
    const others = this.hidden.filter((other) => other !== place);
    const hidden = isHidden ? [...others, place].sort((a, b) => a - b) : others;
    // One word at least has to be left.
    if (hidden.length <= this.words.length) this.change({ hidden });
    else this.made[place]!.hide.show(false);
  }

  private longer(): void {
    if (this.words.length >= 2 + 2 * MOST_PHRASES) return;
    const { prepositions, nouns } = this.lexicon;
    const at = this.words.length;
    const phrase = [prepositions[at % prepositions.length]!, nouns[(5 * at) % nouns.length]!];
    this.resize([...this.words.slice(0, -1), ...phrase, this.words.at(-1)!]);
  }

  private shorter(): void {
    if (this.words.length > 2) this.resize([...this.words.slice(0, -3), this.words.at(-1)!]);
  }

  private resize(words: string[]): void {
    this.change({ sentence: words.join(" "), hidden: [] });
  }
}
