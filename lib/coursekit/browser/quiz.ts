// A quiz: each question has its answer, its Check and its feedback, all without Python.
import { button, h, liveRegion, prose } from "./dom.ts";
import type { Graded } from "./kind.ts";
import { kindOf } from "./kinds.ts";
import { notLoaded } from "./load.ts";
import { verdictLine } from "./results.ts";
import type { Store } from "./store.ts";
import type { Question, QuizData, Status, Verdict } from "./types.ts";

export class QuizBlock {
  readonly #block: HTMLElement;
  readonly #data: QuizData;
  readonly #store: Store;
  readonly #graded: (verdict: Verdict) => void;
  readonly #done = new Map<string, boolean>();

  /**
   * `graded` hears of every answer that the reader has checked. The kinds of the questions have been
   * loaded before, or were not to be had.
   */
  constructor(block: HTMLElement, data: QuizData, store: Store, graded: (verdict: Verdict) => void) {
    this.#block = block;
    this.#data = data;
    this.#store = store;
    this.#graded = graded;
    for (const question of data.questions) this.#build(question);
  }

  #build(question: Question): void {
    const place = this.#block.querySelector<HTMLElement>(`[data-question="${question.name}"]`)!;
    const statement = `exercise-${this.#data.id}-${question.name}-statement`;
    const field = kindOf(question)?.field({ quiz: this.#data, question, place, statement });
    if (!field) {
      place.append(h("p", { class: "ck-note" }, notLoaded("This question", "reload the page")));
      return;
    }
    const feedback = liveRegion("ck-feedback");
    const show = (graded: Graded | null) => {
      place.dataset["state"] = (graded && "status" in graded && STATES[graded.status]) || "";
      feedback.replaceChildren(...(graded ? shown(graded) : []));
      field.show?.(graded);
      relabel();
    };
    const isRight = () => place.dataset["state"] === "right";
    const relabel = () => {
      press.textContent = isRight() ? (field.unfold ?? "Checked") : field.label;
      press.setAttribute("aria-disabled", String(isRight() && !field.unfold)); // the focus stays
    };
    const check = (remember: boolean) => {
      const answer = field.read();
      const graded = field.grade(answer);
      show(graded);
      this.#done.set(question.name, isDone(graded));
      if (remember) this.#remember(question.name, answer, true);
      if (!remember || !("status" in graded)) return;
      this.#tried(question.name);
      this.#graded(graded);
    };
    const press = button(field.label, "ck-main", () => {
      if (!isRight()) return check(true);
      if (field.unfold) place.dataset["state"] = "";
      relabel();
    });
    const answered = h("div", { class: "ck-work" }, ...field.parts, press, feedback);
    place.insertBefore(answered, place.querySelector(".ck-rubric"));
    const memory = this.#store.read(this.#data.id, this.#data.version);
    const answer = memory.answers?.[question.name];
    if (answer !== undefined) field.restore(answer);
    if (answer !== undefined && memory.checked?.includes(question.name)) check(false);
    else show(null);
    answered.addEventListener("input", () => {
      show(null); // what was shown spoke of another answer
      this.#done.set(question.name, false);
      this.#remember(question.name, field.read(), false);
    });
    answered.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
      event.preventDefault();
      check(true);
    });
  }

  #remember(name: string, answer: string, checked: boolean): void {
    const { id, version, questions } = this.#data;
    const memory = this.#store.read(id, version);
    const others = (memory.checked ?? []).filter((n) => n !== name);
    this.#store.write(id, version, {
      answers: { ...memory.answers, [name]: answer },
      checked: checked ? [...others, name] : others,
      done: memory.done === true || questions.every((q) => this.#done.get(q.name) === true),
    });
  }

  /** A prediction counts as made when every question has been answered once. */
  #tried(name: string): void {
    const { id, version, questions } = this.#data;
    const answered = [...new Set([...(this.#store.read(id, version).answered ?? []), name])];
    const tried = answered.length === questions.length;
    this.#store.write(id, version, { answered, tried, changed: undefined });
  }
}

/** How a question looks. */
const STATES: Partial<Record<Status, string>> = { passed: "right", failed: "wrong" };

/** Whether nothing is left for the reader to do: prose then waits for a person. */
function isDone(graded: Graded): boolean {
  return "status" in graded && (graded.status === "passed" || graded.status === "manual");
}

function shown(graded: Graded): Node[] {
  if ("missing" in graded) return [note(graded.missing)];
  if (graded.status === "manual") return [note(graded.message)];
  const part = graded.status === "failed" && graded.points > 0;
  const earned = part ? [note(`${graded.points} of ${graded.max_points} points so far.`)] : [];
  return [verdictLine(graded), ...earned];
}

const note = (text: string) => h("p", { class: "ck-note" }, ...prose(text));
