// An explorable's answer in the reader's code.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fillAnswer } from "../../lib/coursekit/kinds/figure/figure.ts";

test("replaces the assignment and keeps the rest", () => {
  const code = "# a note\nquery = [0.0, 1.0]\nprint(query)\n";
  const filled = fillAnswer(code, "query = [1.0, 0.5]");
  assert.equal(filled, "# a note\nquery = [1.0, 0.5]\nprint(query)\n");
});

test("replaces an assignment of several lines", () => {
  const code = "mask = [\n  [1, 0],  # [\n  [1, 1],\n]\nx = 1\n";
  assert.equal(fillAnswer(code, "mask = [[1]]"), "mask = [[1]]\nx = 1\n");
});

test("an assignment that is never closed takes its own line with it only", () => {
  assert.equal(fillAnswer("query = [1,\nx = 2\n", "query = [3]"), "query = [3]\nx = 2\n");
});

test("fills several names and appends what is not there", () => {
  const filled = fillAnswer("a = 1\nb = 2\n", "b = 3\nc = 4");
  assert.equal(filled, "a = 1\nb = 3\nc = 4\n");
});

test("does not take a comparison, an attribute or an indented line for the assignment", () => {
  const code = "query == 1\nquery.x = 2\ndef f():\n    query = 3\n";
  assert.equal(fillAnswer(code, "query = 4"), `${code}query = 4\n`);
});

test("an answer may have a line for each row", () => {
  const rows = "mask = [\n    [True],\n    [False],\n]";
  assert.equal(fillAnswer("mask = [\n  [1],\n]\nx = 1\n", `${rows}\nx = 2`), `${rows}\nx = 2\n`);
});
