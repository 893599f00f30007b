// Holds the page's verdicts equal to those of coursekit.questions. Run by test_scripts.py, which
// writes the cases.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gradeChoice, gradeNumeric, gradeParsons } from "../../lib/coursekit/web/grade.ts";
import type { NumericQuestion, QuizData, Verdict } from "../../lib/coursekit/web/types.ts";

interface Case {
  quiz: QuizData;
  question: QuizData["questions"][number];
  answer: unknown;
  verdict: Verdict;
}

const cases = JSON.parse(readFileSync(process.env["COURSEKIT_VERDICTS"]!, "utf8")) as Case[];

function graded({ quiz, question, answer }: Case): Verdict {
  if (question.kind === "choice") return gradeChoice(quiz, question, answer as string);
  if (question.kind === "parsons") return gradeParsons(quiz, question, answer as string[]);
  return gradeNumeric(quiz, question as NumericQuestion, answer as number | number[]);
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
    const { status, points, misconception } = graded({ ...c, quiz, question });
    const { verdict } = c;
    assert.deepEqual({ ...verdict, status, points, misconception }, verdict);
  }
});

test("what is not a number is near to nothing", () => {
  const asked = cases.find((c) => c.question.kind === "numeric")!;
  const right = (asked.question as NumericQuestion).answer;
  const answer = Array.isArray(right) ? right.map(() => Number.NaN) : Number.NaN;
  assert.equal(graded({ ...asked, answer }).status, "failed");
});
