// Questions that are answered by a number or a list of numbers, in any notation.
import { h } from "../../browser/dom.ts";
import { drawn, emptyRow, rowOf } from "../../browser/drawn.ts";
import type { Asked, Field, Graded, Kind } from "../../browser/kind.ts";
import type { Drawing, Question, QuizData, Verdict } from "../../browser/types.ts";
import { failed, passed } from "../../browser/verdicts.ts";
import { which } from "../../browser/which.ts";
import { counted, expected, readNumbers } from "./numbers.ts";

interface NumericQuestion extends Question {
  kind: "numeric";
  answer: number | number[];
  tolerance: number;
  mistakes: { id: string; value: number | number[] }[];
  unit: string;
  /** The form of a picture of the right answer; empty for none. */
  drawn: string;
  success_message: string;
  failure_message: string;
}

function grade(quiz: QuizData, question: NumericQuestion, numbers: number | number[]): Verdict {
  const { answer, tolerance, mistakes } = question;
  if (shape(numbers) !== shape(answer)) {
    const expected = Array.isArray(answer) ? `${answer.length} numbers` : "one number";
    return failed(quiz, question, `Your answer has shape ${shape(numbers)}; expected ${expected}.`);
  }
  // The margin keeps an answer at the edge of the tolerance in, whatever its last bit.
  const near = (value: number | number[]) => largestGap(numbers, value) <= tolerance + 1e-9;
  if (near(answer)) return passed(quiz, question, question.success_message);
  const mistake = which(mistakes, ({ value }) => near(value));
  const drawing = drawingOf(question, numbers);
  if (mistake !== null) return failed(quiz, question, "Not quite.", { misconception: mistake, drawing });
  const decimals = decimalsLost(numbers, answer, tolerance);
  if (decimals > 0) {
    return failed(quiz, question, `Close: if you have rounded, give ${countedDecimals(decimals)}.`, { drawing });
  }
  return failed(quiz, question, question.failure_message, { drawing });
}

/** An answer as a picture, where it has one. */
function drawingOf({ drawn, answer, tolerance }: NumericQuestion, numbers: number | number[]): Drawing | undefined {
  const right = [answer].flat();
  const given = [numbers].flat();
  return rowOf(drawn, given, (at) => !(Math.abs(given[at]! - right[at]!) <= tolerance + 1e-9));
}

/** As NumPy writes it. */
function shape(value: number | number[]): string {
  return Array.isArray(value) ? `(${value.length},)` : "()";
}

/** NaN anywhere makes the gap NaN, which is near to nothing. */
function largestGap(numbers: number | number[], value: number | number[]): number {
  const all = [numbers].flat();
  const other = Array.isArray(value) ? value : all.map(() => value);
  if (other.length !== all.length) return Number.NaN;
  return Math.max(...all.map((x, i) => Math.abs(x - other[i]!)));
}

/** How many decimals would do, where an answer is right but for fewer of them; else 0. */
function decimalsLost(numbers: number | number[], right: number | number[], tolerance: number): number {
  const enough = tolerance > 0 ? Math.ceil(-Math.log10(2 * tolerance) - 1e-9) : 0;
  const gap = largestGap(numbers, right);
  if (!(gap <= 0.1 * Math.max(...[right].flat().map(Math.abs)))) return 0;
  const fits = (number: number, from: number) =>
    Math.abs(number - from) <= tolerance ||
    Array.from({ length: enough }, (_, decimals) => decimals).some((decimals) => {
      const digits = number * 10 ** decimals;
      const isShort = Math.abs(digits - Math.round(digits)) < 1e-6;
      return isShort && Math.abs(number - from) <= 0.5 / 10 ** decimals + 1e-9;
    });
  const from = [right].flat();
  return [numbers].flat().every((number, i) => fits(number, from[i]!)) ? enough : 0;
}

const countedDecimals = (count: number) => counted(count, "decimal");

function field({ quiz, question, statement }: Asked<NumericQuestion>): Field {
  const count = Array.isArray(question.answer) ? question.answer.length : 1;
  const input = h("input", {
    type: "text",
    class: "ck-number",
    autocomplete: "off",
    spellcheck: "false",
    "aria-labelledby": statement,
    placeholder: count === 1 ? "a number" : Array.from({ length: Math.min(count, 4) }, () => "…").join(", "),
    title: `${expected(count)[0]!.toUpperCase()}${expected(count).slice(1)}`,
    size: String(Math.min(4 + 5 * count, 28)),
  });
  const picture = h("div", {});
  const unit = question.unit ? [h("span", { class: "ck-unit" }, question.unit)] : [];
  return {
    label: "Check",
    parts: [picture, h("span", { class: "ck-answer" }, input, ...unit)],
    read: () => input.value,
    restore: (answer) => {
      input.value = answer;
    },
    show: (graded) => {
      const made = pictured(question, graded);
      picture.replaceChildren(...(made ? [drawn(made)] : []));
    },
    grade: (answer) => {
      const reading = readNumbers(answer, count, question.unit);
      if ("problem" in reading) return { missing: reading.problem };
      const numbers = Array.isArray(question.answer) ? reading.numbers : reading.numbers[0]!;
      const first = grade(quiz, question, numbers);
      if (reading.other === undefined) return first;
      return better(first, grade(quiz, question, reading.other));
    },
  };
}

/** What stands above the field: shares of a whole also before the answer, as empty columns. */
function pictured({ drawn, answer }: NumericQuestion, graded: Graded | null): Drawing | undefined {
  if (graded && "drawing" in graded) return graded.drawing;
  if (drawn !== "bars" && drawn !== "share") return undefined;
  if (graded && "status" in graded) return graded.status === "passed" ? rowOf(drawn, [answer].flat(), () => false) : undefined;
  return emptyRow(drawn, [answer].flat().length);
}

/** Of two readings of the same answer the one that is correct, or else a known mistake. */
function better(first: Verdict, second: Verdict): Verdict {
  if (first.status === "passed" || second.status === "passed") {
    return first.status === "passed" ? first : second;
  }
  return first.misconception === null ? second : first;
}

/** An answer as Python. What cannot be read as numbers goes in as the text that it is. */
function written(quiz: QuizData, question: NumericQuestion, text: string): string {
  const isList = Array.isArray(question.answer);
  const reading = readNumbers(text, isList ? (question.answer as number[]).length : 1, question.unit);
  if ("problem" in reading) return JSON.stringify(text);
  if (isList) return `[${reading.numbers.map(python).join(", ")}]`;
  return python(righter(quiz, question, reading.numbers[0]!, reading.other));
}

/** Of two readings of one number the page takes the right one; so does what is handed in. */
function righter(quiz: QuizData, question: NumericQuestion, first: number, other?: number): number {
  const isRight = (number: number) => grade(quiz, question, number).status === "passed";
  return other !== undefined && !isRight(first) && isRight(other) ? other : first;
}

const python = (number: number): string => {
  if (Number.isFinite(number)) return String(number);
  return `float("${Number.isNaN(number) ? "nan" : number > 0 ? "inf" : "-inf"}")`;
};

export const kind: Kind<NumericQuestion> = { field, grade, written };
