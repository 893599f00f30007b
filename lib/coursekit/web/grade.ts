// Checks quiz answers without Python. The same verdicts as coursekit.bank.quiz_checks, message
// for message; tests/coursekit_web hold the two equal.
import type { ChoiceQuestion, NumericQuestion, Verdict } from "./types.ts";

const RIGHT: Verdict = { message: "", misconception: null };

export function gradeChoice(question: ChoiceQuestion, given: string): Verdict {
  const key = given.trim().toLowerCase();
  const picked = question.options.find((option) => option.key === key);
  if (!picked) {
    const keys = question.options.map((option) => option.key).join(", ");
    const message = `'${given}' is none of the options; expected one of ${keys}.`;
    return { message, misconception: null };
  }
  if (picked.right) return RIGHT;
  return { message: picked.feedback, misconception: picked.misconception };
}

export function gradeNumeric(question: NumericQuestion, given: number | number[]): Verdict {
  const { answer, tolerance, mistakes } = question;
  if (shape(given) !== shape(answer)) {
    const wanted = Array.isArray(answer) ? `${answer.length} numbers` : "one number";
    const message = `Your answer has shape ${shape(given)}; expected ${wanted}.`;
    return { message, misconception: null };
  }
  // The margin keeps an answer at the edge of the tolerance in, whatever its last bit.
  const near = (value: number | number[]) => largestGap(given, value) <= tolerance + 1e-9;
  if (near(answer)) return RIGHT;
  const found = mistakes.find((mistake) => near(mistake.value));
  return found
    ? { message: "Not quite.", misconception: found.id }
    : { message: "That is not it.", misconception: null };
}

/** As NumPy writes it. */
function shape(value: number | number[]): string {
  return Array.isArray(value) ? `(${value.length},)` : "()";
}

/** NaN anywhere makes the gap NaN, which is near to nothing. */
function largestGap(given: number | number[], value: number | number[]): number {
  const seen = [given].flat();
  const other = Array.isArray(value) ? value : seen.map(() => value);
  if (other.length !== seen.length) return Number.NaN;
  return Math.max(...seen.map((x, i) => Math.abs(x - other[i]!)));
}
