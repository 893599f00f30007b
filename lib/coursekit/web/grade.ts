// Checks quiz answers without Python. The same verdicts as those of coursekit.questions, word for
// word; tests/coursekit_web hold the two equal.
import { orderFault } from "./grade_parsons.ts";
import { counted } from "./numbers.ts";
import type { ChoiceQuestion, NumericQuestion, ParsonsQuestion, Question, QuizData, Verdict } from "./types.ts";
import { which } from "./which.ts";

export function gradeChoice(quiz: QuizData, question: ChoiceQuestion, answer: string): Verdict {
  const key = answer.trim().toLowerCase();
  const picked = question.options.find((option) => option.key === key);
  if (!picked) {
    const keys = question.options.map((option) => option.key).join(", ");
    return failed(quiz, question, `'${answer}' is none of the options; expected one of ${keys}.`);
  }
  if (picked.correct) return passed(quiz, question, picked.success_message);
  return failed(quiz, question, picked.failure_message, picked.misconception);
}

export function gradeNumeric(
  quiz: QuizData,
  question: NumericQuestion,
  numbers: number | number[],
): Verdict {
  const { answer, tolerance, mistakes } = question;
  if (shape(numbers) !== shape(answer)) {
    const expected = Array.isArray(answer) ? `${answer.length} numbers` : "one number";
    return failed(quiz, question, `Your answer has shape ${shape(numbers)}; expected ${expected}.`);
  }
  // The margin keeps an answer at the edge of the tolerance in, whatever its last bit.
  const near = (value: number | number[]) => largestGap(numbers, value) <= tolerance + 1e-9;
  if (near(answer)) return passed(quiz, question, question.success_message);
  const mistake = which(mistakes, ({ value }) => near(value));
  if (mistake !== null) return failed(quiz, question, "Not quite.", mistake);
  const decimals = decimalsLost(numbers, answer, tolerance);
  if (decimals > 0) {
    return failed(quiz, question, `Close: if you have rounded, give ${countedDecimals(decimals)}.`);
  }
  return failed(quiz, question, question.failure_message);
}

export function gradeParsons(quiz: QuizData, question: ParsonsQuestion, placed: string[]): Verdict {
  const fault = orderFault(question, placed);
  if (!fault) return passed(quiz, question, question.success_message);
  const points = Math.round(100 * question.points * fault.credit) / 100;
  return { ...failed(quiz, question, fault.message, fault.misconception), points };
}

function passed(quiz: QuizData, question: Question, message: string): Verdict {
  return { ...ungraded(quiz, question), status: "passed", points: question.points, message };
}

function failed(
  quiz: QuizData,
  question: Question,
  message: string,
  misconception: string | null = null,
): Verdict {
  const explanation = misconception === null ? "" : (quiz.misconceptions[misconception] ?? "");
  return { ...ungraded(quiz, question), status: "failed", message, misconception, explanation };
}

/** The verdict on prose: a person grades it. */
export function waiting(quiz: QuizData, question: Question, message: string): Verdict {
  return { ...ungraded(quiz, question), status: "manual", message };
}

function ungraded(quiz: QuizData, question: Question): Verdict {
  return {
    exercise: quiz.id,
    check: question.name,
    status: "not_run",
    points: 0,
    max_points: question.points,
    hidden: false,
    message: "",
    misconception: null,
    explanation: "",
  };
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
