// A quiz: each question has its answer, its Check and its feedback, all without Python.
import { button, h, liveRegion, prose } from "./dom.ts";
import type { Field, Graded } from "./field.ts";
import { gradeChoice, gradeNumeric, waiting } from "./grade.ts";
import { notLoaded } from "./load.ts";
import { expected, readNumbers } from "./numbers.ts";
import { pictureOf } from "./picture.ts";
import { verdictLine } from "./results.ts";
import type { Store } from "./store.ts";
import type { ChoiceQuestion, NumericQuestion, ParsonsQuestion, Question, QuizData, Status, TextQuestion, Verdict } from "./types.ts";

/** What parsons.ts offers, once its script has run. */
export interface ParsonsModule {
  parsonsField(quiz: QuizData, question: ParsonsQuestion, place: HTMLElement, statement: string): Field;
}

declare global {
  interface Window {
    coursekitParsons?: ParsonsModule;
  }
}

export class QuizBlock {
  readonly #block: HTMLElement;
  readonly #data: QuizData;
  readonly #store: Store;
  readonly #done = new Map<string, boolean>();

  /** A quiz with a Parsons problem is made after parsons.ts has been loaded, or was not to be had. */
  constructor(block: HTMLElement, data: QuizData, store: Store) {
    this.#block = block;
    this.#data = data;
    this.#store = store;
    for (const question of data.questions) this.#build(question);
  }

  #build(question: Question): void {
    const place = this.#block.querySelector<HTMLElement>(`[data-question="${question.name}"]`)!;
    const field = this.#field(question, place);
    if (!field) {
      place.append(h("p", { class: "ck-note" }, notLoaded("This question", "reload the page")));
      return;
    }
    const feedback = liveRegion("ck-feedback");
    const picture = "picture" in question ? pictureOf(question.picture!) : undefined;
    const show = (graded: Graded | null) => {
      place.dataset["state"] = (graded && "status" in graded && STATES[graded.status]) || "";
      feedback.replaceChildren(...(graded ? shown(graded) : []));
      fold(place.dataset["state"] === "right");
      picture?.show(graded, field.numbers?.(field.read()));
      field.show?.(graded);
    };
    const fold = (isFolded: boolean) => {
      const hides = isFolded && field.unfold !== undefined;
      place.classList.toggle("ck-folded", hides);
      press.textContent = hides ? field.unfold! : field.label; // the focus stays on it
    };
    const check = (remember: boolean) => {
      const answer = field.read();
      const graded = field.grade(answer);
      show(graded);
      this.#done.set(question.name, isDone(graded));
      if (remember) this.#remember(question.name, answer, true);
      if (remember && "status" in graded) this.#tried(question.name);
    };
    const press = button(field.label, "ck-main", () => (place.matches(".ck-folded") ? fold(false) : check(true)));
    const drawing = picture ? [picture.place] : [];
    // One that has its room before the answer stands above it; nothing else may move what is pressed.
    const [above, below] = picture?.hasRoom ? [drawing, []] : [[], drawing];
    const answered = h("div", { class: "ck-work" }, ...above, ...field.parts, press, feedback, ...below);
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

  #field(question: Question, place: HTMLElement): Field | undefined {
    const statement = `exercise-${this.#data.id}-${question.name}-statement`;
    switch (question.kind) {
      case "choice":
        return choiceField(this.#data, question, place, statement);
      case "numeric":
        return numericField(this.#data, question, statement);
      case "parsons":
        return window.coursekitParsons?.parsonsField(this.#data, question, place, statement);
      case "text":
        return textField(this.#data, question, place, statement);
    }
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

function choiceField(
  quiz: QuizData,
  question: ChoiceQuestion,
  place: HTMLElement,
  statement: string,
): Field {
  const list = place.querySelector(".ck-options")!;
  const radios: HTMLInputElement[] = [];
  const labels = [...list.children].map((item, i) => {
    const radio = h("input", { type: "radio", name: statement, value: question.options[i]!.key });
    radios.push(radio);
    const only = item.children.length === 1 && item.firstElementChild?.localName === "p";
    const text = only ? item.firstElementChild! : item;
    const said = h("span", { class: "ck-swept" }, ...text.childNodes);
    return h("label", { class: "ck-option" }, radio, h("span", {}, said));
  });
  list.remove();
  return {
    label: "Check",
    unfold: "Show all answers",
    parts: [h("div", { role: "radiogroup", class: "ck-radios", "aria-labelledby": statement }, ...labels)],
    read: () => radios.find((radio) => radio.checked)?.value ?? "",
    restore: (answer) => {
      for (const radio of radios) radio.checked = radio.value === answer;
    },
    grade: (answer) => {
      if (answer === "") return { missing: "Choose an answer first." };
      return gradeChoice(quiz, question, answer);
    },
  };
}

function numericField(quiz: QuizData, question: NumericQuestion, statement: string): Field {
  const count = Array.isArray(question.answer) ? question.answer.length : 1;
  const input = h("input", {
    type: "text",
    class: "ck-number",
    autocomplete: "off",
    spellcheck: "false",
    "aria-labelledby": statement,
    placeholder: count === 1 ? "a number" : Array.from({ length: Math.min(count, 4) }, () => "…").join(", "),
    title: `${expected(count)[0]!.toUpperCase()}${expected(count).slice(1)}`,
    size: String(Math.min(8 + 6 * count, 32)),
  });
  const unit = question.unit ? [h("span", { class: "ck-unit" }, question.unit)] : [];
  return {
    label: "Check",
    parts: [h("span", { class: "ck-answer" }, input, ...unit)],
    read: () => input.value,
    restore: (answer) => {
      input.value = answer;
    },
    numbers: (answer) => {
      const reading = readNumbers(answer, count, question.unit);
      return "numbers" in reading && Array.isArray(question.answer) ? reading.numbers : undefined;
    },
    grade: (answer) => {
      const reading = readNumbers(answer, count, question.unit);
      if ("problem" in reading) return { missing: reading.problem };
      const numbers = Array.isArray(question.answer) ? reading.numbers : reading.numbers[0]!;
      const first = gradeNumeric(quiz, question, numbers);
      if (reading.other === undefined) return first;
      return better(first, gradeNumeric(quiz, question, reading.other));
    },
  };
}

/** Of two readings of the same answer the one that is correct, or else a known mistake. */
function better(first: Verdict, second: Verdict): Verdict {
  if (first.status === "passed" || second.status === "passed") {
    return first.status === "passed" ? first : second;
  }
  return first.misconception === null ? second : first;
}

/** Prose is graded by a person: here it is kept, and its writer compares it with the rubric. */
function textField(
  quiz: QuizData,
  question: TextQuestion,
  place: HTMLElement,
  statement: string,
): Field {
  const rubric = place.querySelector<HTMLDetailsElement>(".ck-rubric")!;
  rubric.hidden = true;
  const area = h("textarea", { class: "ck-prose", rows: "6", "aria-labelledby": statement });
  return {
    label: "Compare with the rubric",
    parts: [area],
    read: () => area.value,
    restore: (answer) => {
      area.value = answer;
    },
    grade: (answer) => {
      const isWritten = answer.trim().split(/\s+/).filter((word) => word !== "").length >= 5;
      rubric.hidden = !isWritten;
      rubric.open = isWritten;
      if (!isWritten) return { missing: "Write your answer first, a sentence at least." };
      const worth = `${question.points} point${question.points === 1 ? "" : "s"}`;
      return waiting(
        quiz,
        question,
        `Your text is kept in this browser. A person grades it (${worth}); which of these does it say?`,
      );
    },
  };
}
