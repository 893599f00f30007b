// A quiz: each question has its answer, its Check and its feedback, all without Python.
import { button, h, liveRegion, mark, prose } from "./dom.ts";
import { gradeChoice, gradeNumeric } from "./grade.ts";
import { expected, readNumbers } from "./numbers.ts";
import type { Store } from "./store.ts";
import type { ChoiceQuestion, NumericQuestion, Question, QuizData, TextQuestion, Verdict } from "./types.ts";

/** What to show of an answer, and whether it was one: a note asks for an answer and judges none. */
interface Judged {
  nodes: Node[];
  verdict: "right" | "wrong" | "none";
}

/** One question on the page: how to read and restore its answer, and what to say of it. */
interface Field {
  parts: Node[];
  read: () => string;
  restore: (given: string) => void;
  judge: (given: string) => Judged;
  label: string;
}

export class QuizBlock {
  readonly #block: HTMLElement;
  readonly #data: QuizData;
  readonly #store: Store;
  readonly #done = new Map<string, boolean>();

  constructor(block: HTMLElement, data: QuizData, store: Store) {
    this.#block = block;
    this.#data = data;
    this.#store = store;
    for (const question of data.questions) this.#build(question);
  }

  #build(question: Question): void {
    const place = this.#block.querySelector<HTMLElement>(`[data-question="${question.name}"]`)!;
    const field = this.#field(question, place);
    const feedback = liveRegion("ck-feedback");
    const check = (remember: boolean) => {
      const given = field.read();
      const { nodes, verdict } = field.judge(given);
      feedback.replaceChildren(...nodes);
      this.#done.set(question.name, verdict === "right");
      if (remember) this.#remember(question.name, given, true);
      if (remember && verdict !== "none") this.#judged(question.name);
    };
    const press = button(field.label, "ck-main", () => check(true));
    const answered = h("div", { class: "ck-work" }, ...field.parts, press, feedback);
    place.insertBefore(answered, place.querySelector(".ck-rubric"));
    const memory = this.#store.read(this.#data.id, this.#data.version);
    const given = memory.given?.[question.name];
    if (given !== undefined) field.restore(given);
    if (given !== undefined && memory.checked?.includes(question.name)) check(false);
    answered.addEventListener("input", () => {
      feedback.replaceChildren(); // it spoke of another answer
      this.#done.set(question.name, false);
      this.#remember(question.name, field.read(), false);
    });
    answered.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
      event.preventDefault();
      check(true);
    });
  }

  #field(question: Question, place: HTMLElement): Field {
    const statement = `exercise-${this.#data.id}-${question.name}-statement`;
    switch (question.type) {
      case "choice":
        return choiceField(question, place, statement, this.#explained);
      case "numeric":
        return numericField(question, statement, this.#explained);
      case "text":
        return textField(question, place, statement);
    }
  }

  #explained = ({ message, misconception }: Verdict): Node[] => {
    const why = misconception === null ? undefined : this.#data.misconceptions[misconception];
    return [
      h("p", { class: "ck-seen" }, ...mark(false), ...prose(message)),
      ...(why ? [h("p", { class: "ck-why" }, ...prose(why))] : []),
    ];
  };

  #remember(name: string, answer: string, checked: boolean): void {
    const { id, version, questions } = this.#data;
    const memory = this.#store.read(id, version);
    const others = (memory.checked ?? []).filter((n) => n !== name);
    this.#store.write(id, version, {
      given: { ...memory.given, [name]: answer },
      checked: checked ? [...others, name] : others,
      done: memory.done === true || questions.every((q) => this.#done.get(q.name) === true),
    });
  }

  /** A prediction counts as made when every question has been answered once. */
  #judged(name: string): void {
    const { id, version, questions } = this.#data;
    const judged = [...new Set([...(this.#store.read(id, version).judged ?? []), name])];
    this.#store.write(id, version, { judged, tried: judged.length === questions.length });
  }
}

type Explained = (verdict: Verdict) => Node[];

const right = (text: string) => [
  h("p", { class: "ck-right" }, ...mark(true), ...prose(text || "That is right.")),
];
const note = (text: string) => [h("p", { class: "ck-note" }, ...prose(text))];

function choiceField(question: ChoiceQuestion, place: HTMLElement, statement: string, explained: Explained): Field {
  const list = place.querySelector(".ck-options")!;
  const radios: HTMLInputElement[] = [];
  const labels = [...list.children].map((item, i) => {
    const radio = h("input", { type: "radio", name: statement, value: question.options[i]!.key });
    radios.push(radio);
    const only = item.children.length === 1 && item.firstElementChild?.localName === "p";
    const text = only ? item.firstElementChild! : item;
    return h("label", { class: "ck-option" }, radio, h("span", {}, ...text.childNodes));
  });
  list.remove();
  return {
    label: "Check",
    parts: [h("div", { role: "radiogroup", class: "ck-radios", "aria-labelledby": statement }, ...labels)],
    read: () => radios.find((radio) => radio.checked)?.value ?? "",
    restore: (given) => {
      for (const radio of radios) radio.checked = radio.value === given;
    },
    judge: (given) => {
      if (given === "") return { nodes: note("Choose an answer first."), verdict: "none" };
      const verdict = gradeChoice(question, given);
      if (verdict.message !== "") return { nodes: explained(verdict), verdict: "wrong" };
      const feedback = question.options.find((option) => option.right)!.feedback;
      return { nodes: right(feedback), verdict: "right" };
    },
  };
}

function numericField(question: NumericQuestion, statement: string, explained: Explained): Field {
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
    restore: (given) => {
      input.value = given;
    },
    judge: (given) => {
      const reading = readNumbers(given, count);
      if ("problem" in reading) return { nodes: note(reading.problem), verdict: "none" };
      const numbers = Array.isArray(question.answer) ? reading.numbers : reading.numbers[0]!;
      let verdict = gradeNumeric(question, numbers);
      if (verdict.message !== "" && reading.other !== undefined) {
        const second = gradeNumeric(question, reading.other);
        if (second.message === "" || (second.misconception && !verdict.misconception)) verdict = second;
      }
      if (verdict.message !== "") return { nodes: explained(verdict), verdict: "wrong" };
      return { nodes: right(question.right), verdict: "right" };
    },
  };
}

/** Prose is graded by a person: here it is kept, and held against the rubric by its writer. */
function textField(question: TextQuestion, place: HTMLElement, statement: string): Field {
  const rubric = place.querySelector<HTMLDetailsElement>(".ck-rubric")!;
  rubric.hidden = true;
  const area = h("textarea", { class: "ck-prose", rows: "6", "aria-labelledby": statement });
  return {
    label: "Compare with the rubric",
    parts: [area],
    read: () => area.value,
    restore: (given) => {
      area.value = given;
    },
    judge: (given) => {
      const written = given.trim().split(/\s+/).filter((word) => word !== "").length >= 5;
      rubric.hidden = !written;
      rubric.open = written;
      if (!written) return { nodes: note("Write your answer first, a sentence at least."), verdict: "none" };
      const worth = `${question.points} point${question.points === 1 ? "" : "s"}`;
      return { nodes: note(`Your text is kept in this browser. A person grades it (${worth}); which of these does it say?`), verdict: "right" };
    },
  };
}
