// A Parsons problem: lines are put in order with mouse, finger or keyboard.
import { button, h } from "../../browser/dom.ts";
import type { Asked, Field, Graded, Kind } from "../../browser/kind.ts";
import { fill, followPointer, glideAfter, movable, showSelected } from "../../browser/moving.ts";
import type { QuizData, Verdict } from "../../browser/types.ts";
import { failed, passed } from "../../browser/verdicts.ts";
import { depthOf, indented, letterOf, moved, parseLines, putAt, spokenPlace, takeOut } from "./lines.ts";
import { orderFault, type ParsonsQuestion } from "./orders.ts";

const HELP = "Press a line to use it. Then drag it, or move it with the buttons or the arrow keys.";
/** Pixels of one level of indentation. */
const LEVEL = 28;

function grade(quiz: QuizData, question: ParsonsQuestion, placed: string[]): Verdict {
  const fault = orderFault(question, placed);
  if (!fault) return passed(quiz, question, question.success_message);
  return failed(quiz, question, fault.message, fault);
}

function field({ quiz, question, place, statement }: Asked<ParsonsQuestion>): Field {
  const board = new Board(question, place.querySelector(".ck-given")!, statement);
  return {
    label: "Check",
    unfold: "Show all lines",
    show: (graded) => board.mark(graded),
    parts: [board.root],
    read: () => board.placed.join(" "),
    restore: (answer) => board.restore(answer),
    grade: (answer) => {
      if (answer === "") return { missing: "Put a line into your answer first." };
      return grade(quiz, question, answer.split(" "));
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
      const code = h("code", {}, ...given.children[i]!.querySelector("code")!.childNodes);
      this.#items.set(key, movable(key, [code], () => this.#press(key), (event) => this.#key(key, event)));
    });
    given.remove();
    this.#pool.setAttribute("aria-label", "Lines to choose from");
    this.#answer.setAttribute("aria-label", "Your answer");
    this.#tools.setAttribute("aria-label", "Move the selected line");
    const title = (text: string) => h("p", { class: "ck-lines-title", "aria-hidden": "true" }, text);
    this.root = h(
      "div",
      { class: "ck-parsons", role: "group", "aria-labelledby": statement },
      h("p", { class: "ck-note ck-how-to-move" }, HELP),
      title("Lines to choose from"), this.#pool,
      title("Your answer"), this.#answer,
      this.#tools, this.#spoken,
    );
    this.#fillTools();
    followPointer<string[]>(this.root, {
      save: () => this.placed,
      move: ({ item, key, saved, right }, _, y) => {
        const before = depthOf(saved.find((entry) => letterOf(entry) === key) ?? key);
        this.#drag(key, placeAt(this.root, this.#answer, item, y), Math.max(0, before + Math.round(right / LEVEL)));
      },
      undo: (placed) => this.#change(placed, this.#selected),
    });
    this.#show();
  }

  restore(answer: string): void {
    this.placed = parseLines(answer, this.#letters, this.#deepest);
    this.#show();
  }

  /** Marks the first line that cannot stand where it does. */
  mark(graded: Graded | null): void {
    const rows = (graded && "drawing" in graded && graded.drawing?.rows) || [];
    for (const item of this.#items.values()) item.classList.remove("ck-off");
    this.placed.forEach((entry, i) => this.#items.get(letterOf(entry))!.classList.toggle("ck-off", rows[i]?.[0]![1] === true));
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
    if (!this.#isPlaced(letter)) return;
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
    if (!used.includes(this.#selected)) this.#selected = "";
    glideAfter(this.#items.values(), () => {
      fill(this.#answer, used.map((letter) => this.#items.get(letter)!));
      const rest = this.#letters.filter((letter) => !used.includes(letter));
      fill(this.#pool, rest.map((letter) => this.#items.get(letter)!));
      for (const [letter, item] of this.#items) item.style.setProperty("--ck-depth", String(this.#depth(letter)));
    });
    showSelected(this.#items, (letter) => used.includes(letter), this.#selected);
    for (const tool of this.#tools.querySelectorAll("button")) {
      tool.setAttribute("aria-disabled", String(this.#selected === ""));
    }
  }
}

/** The place in the answer at this height, counted without the dragged line; null above it. */
function placeAt(root: HTMLElement, answer: HTMLElement, item: HTMLElement, y: number): number | null {
  const height = y - root.getBoundingClientRect().top; // offsets do not see that a line glides
  if (height < answer.offsetTop) return null;
  const others = [...answer.children].filter((other) => other !== item) as HTMLElement[];
  return others.filter((other) => other.offsetTop + other.offsetHeight / 2 < height).length;
}

export const kind: Kind<ParsonsQuestion> = { field, grade };
