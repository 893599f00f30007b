// A chapter's notebook filled with a page's answers. NOTEBOOK, DATA and ANSWERS come from
// test_hand_in.py, which grades what this writes to FILLED.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fill, type Notebook } from "../../lib/coursekit/browser/hand_in.ts";
import type { Memory } from "../../lib/coursekit/browser/store.ts";
import type { CodeData, ExerciseData, Question, QuizData } from "../../lib/coursekit/browser/types.ts";

const cell = (exercise: string, role: string, item?: string) => ({
  cell_type: "code",
  source: ["x = ...\n", "y = ..."],
  metadata: { coursekit: { exercise, role, ...(item ? { item } : {}) } },
});
const numeric = (name: string, answer: number | number[]): Question => ({
  kind: "numeric",
  name,
  points: 1,
  answer,
  tolerance: 0.001,
  mistakes: [],
  unit: "",
  drawn: "",
  success_message: "",
  failure_message: "",
});
const common = { version: "v", title: "", points: 1, earned: "" };
const quiz = (...questions: QuizData["questions"]): QuizData => ({
  ...common,
  id: "asked",
  kind: "quiz",
  misconceptions: {},
  questions,
});
const filled = (data: ExerciseData, memory: Partial<Memory>, role = "answer", item?: string) => {
  const notebook: Notebook = { nbformat: 4, cells: [{ source: "# Title" }, cell(data.id, role, item)] };
  const made = fill(notebook, [{ data, memory: { version: "v", ...memory } }]);
  assert.deepEqual(made.notebook.cells[0], notebook.cells[0]);
  return { source: made.notebook.cells[1]!.source, count: made.filled.length, missing: made.missing };
};

test("numbers go in as the page reads them, in any notation", () => {
  const pair = quiz(numeric("pair", [0.5, 0.25]));
  assert.equal(filled(pair, { answers: { pair: "1/2; ,25" } }).source, "pair = [0.5, 0.25]");
  const one = quiz(numeric("one", 2.718));
  assert.equal(filled(one, { answers: { one: "2,718" } }).source, "one = 2.718");
  assert.equal(filled(quiz(numeric("one", 2718)), { answers: { one: "2,718" } }).source, "one = 2718");
  assert.equal(filled(one, { answers: { one: 'what" \\' } }).source, 'one = "what\\" \\\\"');
});

test("answers to an older version of their exercise go in, and are named", () => {
  const asked = quiz(numeric("one", 2));
  const notebook: Notebook = { nbformat: 4, cells: [cell("asked", "answer")] };
  const made = (memory: Partial<Memory>) => fill(notebook, [{ data: asked, memory: { version: "v", ...memory } }]);
  assert.deepEqual(made({ answers: { one: "3" }, changed: true }).older, ["asked"]);
  assert.deepEqual(made({ answers: { one: "3" } }).older, []);
  assert.deepEqual(made({ changed: true }).older, []);
});

test("questions without an answer stay open, and a quiz without any keeps its cell", () => {
  const two = quiz(numeric("a", 1), numeric("b", 2));
  assert.equal(filled(two, { answers: { b: "2" } }).source, "a = ...\nb = 2");
  assert.deepEqual(filled(two, { answers: { a: "" } }), { source: ["x = ...\n", "y = ..."], count: 0, missing: [] });
});

test("code stands below what is imported for it; the starter is not an answer", () => {
  const code = { ...common, id: "written", kind: "code", setup: "import numpy as np", starter: "x = 1\n" } as CodeData;
  assert.equal(filled(code, { code: "x = 2\n" }).source, "import numpy as np\n\nx = 2");
  assert.equal(filled(code, { code: "def f():\n    pass\n" }).source, "import numpy as np\n\n\ndef f():\n    pass");
  assert.equal(filled(code, { code: "x = 1" }).count, 0);
  assert.deepEqual(filled(code, { code: "x = 2" }, "check").missing, ["written"]);
});

test("lines and pairs go in as the text that they are, whose scripts the page has not loaded", () => {
  const order = { kind: "parsons", name: "order", points: 1 };
  assert.equal(filled(quiz(order), { answers: { order: "b >a" } }).source, 'order = "b >a"');
});

test("prose goes into the cell of its question", () => {
  const why = quiz({ kind: "text", name: "why", points: 2 });
  assert.equal(filled(why, { answers: { why: " Because. " } }, "text", "why").source, "Because.");
});

const { NOTEBOOK, DATA, ANSWERS, FILLED } = process.env;
test("a whole chapter", { skip: NOTEBOOK === undefined }, () => {
  const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));
  const answers = read(ANSWERS!) as Record<string, Partial<Memory>>;
  const work = (read(DATA!) as ExerciseData[]).map((data) => ({
    data,
    memory: { version: data.version, ...answers[data.id] },
  }));
  const made = fill(read(NOTEBOOK!) as Notebook, work);
  assert.deepEqual(made.missing, []);
  assert.equal(made.filled.length, Object.keys(answers).length);
  writeFileSync(FILLED!, JSON.stringify(made.notebook));
});
