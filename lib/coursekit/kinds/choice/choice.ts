// Multiple choice: the options of the page's list, each with a radio button.
import { h } from "../../browser/dom.ts";
import type { Asked, Field, Kind } from "../../browser/kind.ts";
import type { Question, QuizData, Verdict } from "../../browser/types.ts";
import { failed, passed } from "../../browser/verdicts.ts";

interface Option {
  key: string;
  correct: boolean;
  success_message: string;
  failure_message: string;
  misconception: string | null;
}

interface ChoiceQuestion extends Question {
  kind: "choice";
  options: Option[];
}

function grade(quiz: QuizData, question: ChoiceQuestion, answer: string): Verdict {
  const key = answer.trim().toLowerCase();
  const picked = question.options.find((option) => option.key === key);
  if (!picked) {
    const keys = question.options.map((option) => option.key).join(", ");
    return failed(quiz, question, `'${answer}' is none of the options; expected one of ${keys}.`);
  }
  if (picked.correct) return passed(quiz, question, picked.success_message);
  return failed(quiz, question, picked.failure_message, { misconception: picked.misconception });
}

function field({ quiz, question, place, statement }: Asked<ChoiceQuestion>): Field {
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
    unfold: "Show all answers",
    parts: [h("div", { role: "radiogroup", class: "ck-radios", "aria-labelledby": statement }, ...labels)],
    read: () => radios.find((radio) => radio.checked)?.value ?? "",
    restore: (answer) => {
      for (const radio of radios) radio.checked = radio.value === answer;
    },
    grade: (answer) => {
      if (answer === "") return { missing: "Choose an answer first." };
      return grade(quiz, question, answer);
    },
  };
}

export const kind: Kind<ChoiceQuestion> = { field, grade };
