// Progress as a file: what comes back from it, and what is refused.
import assert from "node:assert/strict";
import { test } from "node:test";
import { merged, readProgress, written, type Progress } from "../../lib/coursekit/web/progress_file.ts";
import type { Memory } from "../../lib/coursekit/web/store.ts";

const memory: Memory = {
  version: "v1",
  code: "x = 1",
  passed: "x = 1",
  values: { query: [1, 0.5] },
  answers: { q: "a" },
  checked: ["q"],
  answered: ["q"],
  hints: 2,
  tried: true,
  shown: true,
  done: true,
  at: 5,
};
const kept: Progress = [["one", memory]];

test("what is written is read again, without verdicts", () => {
  const verdicts = [] as Memory["verdicts"];
  const text = written("walks", [["one", { ...memory, verdicts }]]);
  assert.ok(!text.includes("verdicts"));
  assert.deepEqual(readProgress(text, "walks"), kept);
});

test("what is not ours is refused in one sentence that says what it is", () => {
  const file = JSON.parse(written("walks", kept)) as Record<string, unknown>;
  const refused: [string, string][] = [
    ["{", "not JSON"],
    ["[]", "not a file of progress"],
    ["null", "not a file of progress"],
    [JSON.stringify({ nbformat: 4, cells: [] }), "not a file of progress"],
    [JSON.stringify({ ...file, exercises: [] }), "not a file of progress"],
    [JSON.stringify({ ...file, version: 2 }), "version 2"],
    [JSON.stringify({ ...file, course: "looms" }), '"looms"'],
  ];
  for (const [text, words] of refused) {
    const read = readProgress(text, "walks");
    assert.ok("problem" in read && read.problem.includes(words), JSON.stringify(read));
    assert.ok(!read.problem.includes("\n"));
  }
});

test("an answer to an older version is still one in another browser", () => {
  const older: Memory = { version: "2", code: "x", changed: true, at: 5 };
  assert.deepEqual(readProgress(written("walks", [["one", older]]), "walks"), [["one", older]]);
});

test("what a file has besides the exercises costs none of them", () => {
  const file = JSON.parse(written("walks", kept)) as Record<string, unknown>;
  const cards = { "one/slip": { box: 1, due: "2026-11-30", met: ["slip"] } };
  assert.deepEqual(readProgress(JSON.stringify({ ...file, cards }), "walks"), kept);
});

test("parts of a wrong type are left out, the rest is taken", () => {
  const strange = { ...memory, code: 3, answers: { q: 4 }, checked: "q", hints: 1.5, at: "now", done: "yes", more: 1 };
  const text = JSON.stringify({
    format: "coursekit-progress",
    version: 1,
    course: "walks",
    exercises: { one: strange, two: null, three: { code: "x" } },
  });
  const { version, passed, values, answered, tried, shown } = memory;
  assert.deepEqual(readProgress(text, "walks"), [["one", { version, passed, values, answered, tried, shown }]]);
});

test("of two answers the later one counts, and done stays done", () => {
  const mine: Memory = { version: "v1", code: "mine", hints: 3, done: true, at: 5 };
  const later: Memory = { version: "v1", code: "later", hints: 1, at: 6 };
  const both = { version: "v1", code: "later", hints: 3, done: true, at: 6 };
  assert.deepEqual(merged(mine, later), both);
  assert.deepEqual(merged(later, mine), both);
  assert.deepEqual(merged(undefined, later), later);
});

test("an answer to another version of the exercise brings nothing but itself", () => {
  const old: Memory = { version: "v0", code: "old", done: true, at: 5 };
  const now: Memory = { version: "v1", code: "now", at: 6 };
  assert.deepEqual(merged(old, now), now);
  assert.deepEqual(merged(now, old), now);
});

test("an old page's later answer does not take the place of one to the newer exercise", () => {
  const old: Memory = { version: "9", code: "old", at: 7 };
  const now: Memory = { version: "10", code: "now", done: true, at: 5 };
  assert.deepEqual(merged(old, now), now);
  assert.deepEqual(merged(now, old), now);
});
