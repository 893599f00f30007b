// Holds the page's verdicts equal to those of coursekit.kinds. Run by test_scripts.py, which writes
// the cases.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Kind } from "../../lib/coursekit/browser/kind.ts";
import type { Question, QuizData, Verdict } from "../../lib/coursekit/browser/types.ts";

interface Case {
  quiz: QuizData;
  question: Question;
  answer: unknown;
  verdict: Verdict;
}

const cases = JSON.parse(readFileSync(process.env["COURSEKIT_VERDICTS"]!, "utf8")) as Case[];

const kinds = new Map<string, Kind>();
for (const name of new Set(cases.map(({ question }) => question.kind))) {
  const file = new URL(`../../lib/coursekit/kinds/${name}/${name}.ts`, import.meta.url);
  kinds.set(name, ((await import(file.href)) as { kind: Kind }).kind);
}
const graded = ({ quiz, question, answer }: Case): Verdict => kinds.get(question.kind)!.grade!(quiz, question, answer);

test(`${cases.length} verdicts`, () => {
  for (const c of cases) {
    assert.deepEqual(graded(c), c.verdict, `${c.question.name}: ${JSON.stringify(c.answer)}`);
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
    assert.deepEqual([status, points, misconception], [
      c.verdict.status,
      c.verdict.points,
      c.verdict.misconception,
    ]);
  }
});

test("what is not a number is near to nothing", () => {
  const numeric = cases.find(({ question }) => question.kind === "numeric")!;
  const right = numeric.question["answer"];
  const answer = Array.isArray(right) ? right.map(() => Number.NaN) : Number.NaN;
  assert.equal(graded({ ...numeric, answer }).status, "failed");
});
