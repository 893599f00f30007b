// Holds the page's verdicts equal to those of coursekit.questions. Run by test_scripts.py, which
// writes the cases.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gradeChoice, gradeNumeric, gradeParsons } from "../../lib/coursekit/web/grade.ts";
import type {
  ChoiceQuestion,
  NumericQuestion,
  ParsonsQuestion,
  QuizData,
  Verdict,
} from "../../lib/coursekit/web/types.ts";

type Case = { quiz: QuizData; verdict: Verdict } & (
  | { question: ChoiceQuestion; answer: string }
  | { question: NumericQuestion; answer: number | number[] }
  | { question: ParsonsQuestion; answer: string[] }
);

const cases = JSON.parse(readFileSync(process.env["COURSEKIT_VERDICTS"]!, "utf8")) as Case[];

const isChoice = (c: Case): c is Extract<Case, { question: ChoiceQuestion }> =>
  c.question.kind === "choice";
const isParsons = (c: Case): c is Extract<Case, { question: ParsonsQuestion }> =>
  c.question.kind === "parsons";

function graded(c: Case): Verdict {
  if (isChoice(c)) return gradeChoice(c.quiz, c.question, c.answer);
  if (isParsons(c)) return gradeParsons(c.quiz, c.question, c.answer);
  return gradeNumeric(c.quiz, c.question, c.answer);
}

test(`${cases.length} verdicts`, () => {
  for (const c of cases) {
    const verdict = graded(c);
    assert.deepEqual(verdict, c.verdict, `${c.question.name}: ${JSON.stringify(c.answer)}`);
  }
});

/** Every text of a value emptied, ids and keys left as they are. */
function wordless<T>(value: T, key = ""): T {
  if (typeof value === "string") return (/message|explanation|title/.test(key) ? "" : value) as T;
  if (Array.isArray(value)) return value.map((item) => wordless(item)) as T;
  if (typeof value !== "object" || value === null) return value;
  const pairs = Object.entries(value).map(([name, inner]) => [
    name,
    key === "misconceptions" ? "" : wordless(inner, name),
  ]);
  return Object.fromEntries(pairs) as T;
}

test("no wording decides", () => {
  for (const c of cases) {
    const quiz = wordless(c.quiz, "quiz");
    const question = wordless(c.question, "question");
    const silent = { ...c, quiz, question } as Case;
    const verdict = graded(silent);
    const { status, points, misconception } = verdict;
    assert.deepEqual([status, points, misconception], [
      c.verdict.status,
      c.verdict.points,
      c.verdict.misconception,
    ]);
  }
});

test("what is not a number is near to nothing", () => {
  const { quiz, question } = cases.find((c) => !isChoice(c))! as Extract<
    Case,
    { question: NumericQuestion }
  >;
  const nan = Array.isArray(question.answer) ? question.answer.map(() => Number.NaN) : Number.NaN;
  assert.equal(gradeNumeric(quiz, question, nan).status, "failed");
});
