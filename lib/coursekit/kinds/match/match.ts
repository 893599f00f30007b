// Match: items are put to their partners with mouse, finger or keyboard.
import { button, h } from "../../browser/dom.ts";
import type { Asked, Field, Kind } from "../../browser/kind.ts";
import { fill, followPointer, glideAfter, movable, showSelected } from "../../browser/moving.ts";
import type { Question, QuizData, Verdict } from "../../browser/types.ts";
import { failed, passed } from "../../browser/verdicts.ts";
import { which } from "../../browser/which.ts";
import { neighbour, parsePairs, type Pairs, put, spokenPartner, written } from "./pairs.ts";

interface MatchQuestion extends Question {
  kind: "match";
  /** Numbers and letters, in the order in which they are shown. */
  left: string[];
  right: string[];
  /** "2c" is the pair of 2 and c. */
  answer: string[];
  /** Pairs, or a letter: its item with any wrong partner. */
  mistakes: { id: string; pairs: string[] }[];
  success_message: string;
  failure_message: string;
}

const HELP =
  "Press an item, then its partner. Or drag it there, or type the partner's letter; the arrow keys move it on.";

function grade(quiz: QuizData, question: MatchQuestion, pairs: Pairs): Verdict {
  const { left, answer, mistakes } = question;
  const made = left.filter((number) => pairs[number] !== undefined);
  const wrong = made.filter((number) => !answer.includes(number + pairs[number]));
  const right = made.length - wrong.length;
  if (right === left.length) return passed(quiz, question, question.success_message);
  const shown = (number: string) =>
    which(mistakes, (mistake) => [number + pairs[number], pairs[number]!].some((shows) => mistake.pairs.includes(shows)));
  const named = wrong.find((number) => shown(number) !== null);
  const without = left.length - made.length;
  const parts = [
    `${right} of the ${left.length} pairs ${right === 1 ? "is" : "are"} right.`,
    ...(without ? [`${without} ${without === 1 ? "is" : "are"} still to be made.`] : []),
    ...(named ? [`Look at ${named} again.`] : []),
    question.failure_message,
  ];
  const misconception = named ? shown(named) : null;
  return failed(quiz, question, parts.join(" ").trim(), { misconception, share: right / left.length });
}

function field({ quiz, question, place, statement }: Asked<MatchQuestion>): Field {
  const board = new Board(question, place, statement);
  return {
    label: "Check",
    parts: [board.root],
    read: () => written(board.pairs),
    restore: (answer) => board.restore(answer),
    grade: (answer) => {
      if (answer === "") return { missing: "Match an item first." };
      return grade(quiz, question, parsePairs(answer, question.left, question.right));
    },
  };
}

/** The items that are still to be matched, and below them their partners, each with its own. */
class Board {
  readonly root: HTMLElement;
  pairs: Pairs = {};
  readonly #question: MatchQuestion;
  readonly #items = new Map<string, HTMLElement>();
  readonly #places = new Map<string, HTMLElement>();
  readonly #pool = h("ul", { class: "ck-lines ck-pool", "aria-label": "Items to match" });
  readonly #partners = h("ul", { class: "ck-partners", "aria-label": "Their partners" });
  readonly #spoken = h("p", { class: "ck-spoken", role: "status", "aria-live": "polite" });
  readonly #takeOut = button("Take out", "ck-plain", () => this.#selected && this.#put(this.#selected, null));
  #selected = "";

  constructor(question: MatchQuestion, place: HTMLElement, statement: string) {
    this.#question = question;
    const [left, right] = ["left", "right"].map((side) => place.querySelector(`.ck-${side}-side`)!);
    question.left.forEach((number, i) => {
      const content = h("span", {}, ...textOf(left!.children[i]!));
      this.#items.set(number, movable(number, [content], () => this.#select(number), (event) => this.#key(number, event)));
    });
    question.right.forEach((letter, i) => this.#partner(letter, textOf(right!.children[i]!)));
    for (const given of [left!, right!, place.querySelector(".ck-before-list")!]) given.remove();
    this.root = h(
      "div",
      { class: "ck-match", role: "group", "aria-labelledby": statement },
      h("p", { class: "ck-note ck-how-to-move" }, HELP),
      this.#pool,
      this.#partners,
      h("div", { class: "ck-buttons ck-tools" }, this.#takeOut),
      this.#spoken,
    );
    followPointer<Pairs>(this.root, {
      save: () => this.pairs,
      move: ({ key }, x, y) => this.#put(key, this.#partnerAt(x, y)),
      undo: (pairs) => this.#change(pairs, this.#selected),
    });
    this.#show();
  }

  restore(answer: string): void {
    this.pairs = parsePairs(answer, this.#question.left, this.#question.right);
    this.#show();
  }

  #partner(letter: string, content: Node[]): void {
    const own = h("ul", { class: "ck-lines", "aria-label": `Matched to ${letter}` });
    const press = () => (this.#selected ? this.#put(this.#selected, letter) : this.#say("Press an item first."));
    const name = h("button", { type: "button", class: "ck-partner", onclick: press });
    name.append(h("span", { class: "ck-letter" }, letter), h("span", {}, ...content));
    this.#places.set(letter, own);
    this.#partners.append(h("li", { "data-partner": letter }, name, own));
  }

  /** The partner at a place of the window; null outside of all. */
  #partnerAt(x: number, y: number): string | null {
    const isThere = (item: Element) => {
      const { left, right, top, bottom } = item.getBoundingClientRect();
      return left <= x && x <= right && top <= y && y <= bottom;
    };
    const found = [...this.#partners.children].find(isThere) as HTMLElement | undefined;
    return found?.dataset["partner"] ?? null;
  }

  #select(number: string): void {
    this.#selected = number;
    this.#say(spokenPartner(this.pairs, number));
    this.#show();
  }

  #key(number: string, event: KeyboardEvent): void {
    const { right } = this.#question;
    const typed = event.key.toLowerCase();
    const by = ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key];
    let to: string | null;
    if (right.includes(typed)) to = typed;
    else if (by) to = neighbour(right, this.pairs[number], by);
    else if (event.key === "Delete" || event.key === "Backspace") to = null;
    else return;
    event.preventDefault();
    this.#put(number, to);
    this.#items.get(number)!.querySelector("button")!.focus();
  }

  #put(number: string, letter: string | null): void {
    this.#change(put(this.pairs, number, letter), number);
  }

  #change(pairs: Pairs, number: string): void {
    this.#selected = number;
    const same = written(pairs) === written(this.pairs);
    this.pairs = pairs;
    if (number) this.#say(spokenPartner(pairs, number));
    this.#show();
    if (!same) this.root.dispatchEvent(new Event("input", { bubbles: true }));
  }

  #say(text: string): void {
    this.#spoken.textContent = text;
  }

  #show(): void {
    const { left } = this.#question;
    const at = (letter?: string) => left.filter((n) => this.pairs[n] === letter).map((n) => this.#items.get(n)!);
    glideAfter(this.#items.values(), () => {
      for (const [letter, own] of this.#places) fill(own, at(letter));
      fill(this.#pool, at(undefined));
    });
    showSelected(this.#items, () => true, this.#selected);
    this.#takeOut.setAttribute("aria-disabled", String(!(this.#selected in this.pairs)));
  }
}

/** What a list's item says, without the paragraph around it. */
function textOf(item: Element): Node[] {
  const only = item.children.length === 1 && item.firstElementChild?.localName === "p";
  return [...(only ? item.firstElementChild! : item).childNodes];
}

export const kind: Kind<MatchQuestion> = { field, grade };
