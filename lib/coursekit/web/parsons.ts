// A Parsons problem: lines are put in order with mouse, finger or keyboard. A script of its own, for
// the few pages that have one.
import { button, h } from "./dom.ts";
import { followPointer } from "./drag.ts";
import type { Field } from "./field.ts";
import { gradeParsons } from "./grade.ts";
import { faultAt } from "./grade_parsons.ts";
import { depthOf, indented, letterOf, moved, parseLines, putAt, spokenPlace, takeOut } from "./lines.ts";
import type { ParsonsModule } from "./quiz.ts";
import type { ParsonsQuestion, QuizData } from "./types.ts";

const HELP = "Press a line to use it. Then drag it, or move it with the buttons or the arrow keys.";

function parsonsField(
  quiz: QuizData,
  question: ParsonsQuestion,
  place: HTMLElement,
  statement: string,
): Field {
  const board = new Board(question, place.querySelector(".ck-given")!, statement);
  return {
    label: "Check",
    unfold: "Show all lines",
    parts: [board.root],
    read: () => board.placed.join(" "),
    restore: (answer) => board.restore(answer),
    show: (graded) => {
      const isWrong = graded !== null && "status" in graded && graded.status === "failed";
      board.mark(isWrong ? faultAt(question, board.placed) : null);
    },
    grade: (answer) => {
      if (answer === "") return { missing: "Put a line into your answer first." };
      return gradeParsons(quiz, question, answer.split(" "));
    },
  };
}

/** The lines on the page: those to choose from, and below them the answer. */
class Board {
  readonly root: HTMLElement;
  placed: string[] = [];
  readonly #letters: string[];
  readonly #deepest: number;
  readonly #items = new Map<string, HTMLElement>();
  readonly #pool = h("ul", { class: "ck-lines ck-pool" });
  readonly #answer = h("ol", { class: "ck-lines ck-placed" });
  readonly #spoken = h("p", { class: "ck-spoken", role: "status", "aria-live": "polite" });
  readonly #tools = h("div", { class: "ck-buttons ck-tools", role: "group" });
  #selected = "";

  constructor(question: ParsonsQuestion, given: Element, statement: string) {
    this.#letters = question.lines.map(({ key }) => key);
    this.#deepest = Math.max(...question.orders.flat().map(depthOf));
    question.lines.forEach(({ key }, i) => {
      this.#items.set(key, this.#item(key, [...given.children[i]!.querySelector("code")!.childNodes]));
    });
    given.remove();
    this.#pool.setAttribute("aria-label", "Lines to choose from");
    this.#answer.setAttribute("aria-label", "Your answer");
    this.#tools.setAttribute("aria-label", "Move the selected line");
    const title = (text: string) => h("p", { class: "ck-lines-title", "aria-hidden": "true" }, text);
    this.root = h(
      "div",
      { class: "ck-parsons", role: "group", "aria-labelledby": statement },
      h("p", { class: "ck-note" }, HELP),
      title("Lines to choose from"), this.#pool,
      title("Your answer"), this.#answer,
      this.#tools, this.#spoken,
    );
    this.#fillTools();
    followPointer(this.root, this.#answer, {
      depth: (letter) => this.#depth(letter),
      put: (letter, at, depth) => this.#drag(letter, at, depth),
      save: () => this.placed,
      undo: (placed) => this.#change(placed, this.#selected),
    });
    this.#show();
  }

  restore(answer: string): void {
    this.placed = parseLines(answer, this.#letters, this.#deepest);
    this.#show();
  }

  /** Marks the line at a place of the answer: the first that cannot stand there. */
  mark(at: number | null): void {
    const wrong = at === null ? "" : letterOf(this.placed[at]!);
    for (const [letter, item] of this.#items) item.classList.toggle("ck-off", letter === wrong);
  }

  #item(letter: string, code: Node[]): HTMLElement {
    const line = h(
      "button",
      { type: "button", class: "ck-line", onclick: () => this.#press(letter) },
      h("span", { class: "ck-letter" }, letter),
      h("code", {}, ...code),
    );
    line.addEventListener("keydown", (event) => this.#key(letter, event));
    const grip = h("span", { class: "ck-grip", "aria-hidden": "true" }, "⠿");
    return h("li", { "data-line": letter }, grip, line);
  }

  #fillTools(): void {
    const tool = (label: string, change: (letter: string) => string[]) => {
      const press = () => this.#selected && this.#change(change(this.#selected), this.#selected);
      this.#tools.append(button(label, "ck-plain", press));
    };
    tool("Up", (letter) => moved(this.placed, letter, -1));
    tool("Down", (letter) => moved(this.placed, letter, 1));
    if (this.#deepest > 0) {
      tool("Indent", (letter) => indented(this.placed, letter, 1, this.#deepest));
      tool("Outdent", (letter) => indented(this.placed, letter, -1, this.#deepest));
    }
    tool("Take out", (letter) => takeOut(this.placed, letter));
  }

  #isPlaced(letter: string): boolean {
    return this.placed.some((entry) => letterOf(entry) === letter);
  }

  #depth(letter: string): number {
    return depthOf(this.placed.find((entry) => letterOf(entry) === letter) ?? letter);
  }

  #press(letter: string): void {
    if (!this.#isPlaced(letter)) {
      this.#change(putAt(this.placed, letter, this.placed.length, 0), letter);
      this.#focus(letter);
      return;
    }
    this.#selected = letter;
    this.#spoken.textContent = spokenPlace(this.placed, letter);
    this.#show();
  }

  #key(letter: string, event: KeyboardEvent): void {
    if (!this.#isPlaced(letter) || event.ctrlKey || event.altKey || event.metaKey) return;
    const changes: Record<string, () => string[]> = {
      ArrowUp: () => moved(this.placed, letter, -1),
      ArrowDown: () => moved(this.placed, letter, 1),
      ArrowRight: () => indented(this.placed, letter, 1, this.#deepest),
      ArrowLeft: () => indented(this.placed, letter, -1, this.#deepest),
      Delete: () => takeOut(this.placed, letter),
      Backspace: () => takeOut(this.placed, letter),
    };
    const change = changes[event.key];
    if (!change) return;
    event.preventDefault();
    this.#change(change(), letter);
    this.#focus(letter);
  }

  /** Puts a line where the pointer is: at a place of the answer, or back (null). */
  #drag(letter: string, at: number | null, depth: number): void {
    if (at === null) this.#change(takeOut(this.placed, letter), letter);
    else this.#change(putAt(this.placed, letter, at, Math.min(depth, this.#deepest)), letter);
  }

  #change(placed: string[], letter: string): void {
    this.#selected = letter;
    const same = placed.join(" ") === this.placed.join(" ");
    this.placed = placed;
    this.#spoken.textContent = spokenPlace(placed, letter);
    this.#show();
    if (!same) this.root.dispatchEvent(new Event("input", { bubbles: true }));
  }

  #focus(letter: string): void {
    this.#items.get(letter)!.querySelector("button")!.focus();
  }

  #show(): void {
    const used = this.placed.map(letterOf);
    const before = new Map([...this.#items].map(([letter, item]) => [letter, item.offsetTop]));
    if (!used.includes(this.#selected)) this.#selected = "";
    fill(this.#answer, used.map((letter) => this.#items.get(letter)!));
    const rest = this.#letters.filter((letter) => !used.includes(letter));
    fill(this.#pool, rest.map((letter) => this.#items.get(letter)!));
    for (const [letter, item] of this.#items) {
      item.style.setProperty("--ck-depth", String(this.#depth(letter)));
      const line = item.querySelector("button")!;
      if (used.includes(letter)) line.setAttribute("aria-pressed", String(letter === this.#selected));
      else line.removeAttribute("aria-pressed");
      glide(item, before.get(letter)! - item.offsetTop);
    }
    for (const tool of this.#tools.querySelectorAll("button")) {
      tool.setAttribute("aria-disabled", String(this.#selected === ""));
    }
  }
}

/** Gives a list these items; one that stands right is not touched, so that it keeps its focus. */
function fill(list: HTMLElement, items: HTMLElement[]): void {
  items.forEach((item, i) => {
    if (list.children[i] !== item) list.insertBefore(item, list.children[i] ?? null);
  });
  while (list.children.length > items.length) list.lastElementChild!.remove();
}

/** Shows where a line came from, in the time that motion may take: none where it is reduced. */
function glide(item: HTMLElement, from: number): void {
  const duration = Number.parseFloat(getComputedStyle(item).getPropertyValue("--ck-motion"));
  if (from === 0 || !(duration > 0) || item.classList.contains("ck-dragged")) return;
  item.animate([{ transform: `translateY(${from}px)` }, { transform: "none" }], { duration });
}

const module: ParsonsModule = { parsonsField };

window.coursekitParsons = module;
