// Holds the page's verdicts equal to those of coursekit.questions. Run by test_scripts.py, which
// writes the cases.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gradeChoice, gradeNumeric } from "../../lib/coursekit/web/grade.ts";
import type { ChoiceQuestion, NumericQuestion, Verdict } from "../../lib/coursekit/web/types.ts";

type Case =
  | { question: ChoiceQuestion; given: string; verdict: Verdict }
  | { question: NumericQuestion; given: number | number[]; verdict: Verdict };

const cases = JSON.parse(readFileSync(process.env["COURSEKIT_VERDICTS"]!, "utf8")) as Case[];

test(`${cases.length} verdicts`, () => {
  for (const { question, given, verdict } of cases) {
    const seen =
      question.type === "choice"
        ? gradeChoice(question, given as string)
        : gradeNumeric(question, given as number | number[]);
    assert.deepEqual(seen, verdict, `${question.name}: ${JSON.stringify(given)}`);
  }
});

test("what is not a number is near to nothing", () => {
  const numeric = cases.find((c) => c.question.type === "numeric")!.question as NumericQuestion;
  const nan = Array.isArray(numeric.answer) ? numeric.answer.map(() => Number.NaN) : Number.NaN;
  assert.notEqual(gradeNumeric(numeric, nan).message, "");
});
