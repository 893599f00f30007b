// The arithmetic of a Parsons problem's answer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { indented, moved, parseLines, putAt, spokenPlace, takeOut } from "../../lib/coursekit/kinds/parsons/lines.ts";

test("a line is put at a place, which counts without it", () => {
  assert.deepEqual(putAt([], "c", 0, 0), ["c"]);
  assert.deepEqual(putAt(["a", ">b", "c"], "c", 0, 1), [">c", "a", ">b"]);
  assert.deepEqual(putAt(["a", ">b", "c"], "a", 2, 0), [">b", "c", "a"]);
});

test("a line moves as far as the answer goes, and keeps its indentation", () => {
  assert.deepEqual(moved(["a", ">b", "c"], "b", -1), [">b", "a", "c"]);
  assert.deepEqual(moved(["a", ">b"], "b", 1), ["a", ">b"]);
  assert.deepEqual(moved(["a"], "z", 1), ["a"]);
});

test("a line is indented within its limits", () => {
  assert.deepEqual(indented(["a", "b"], "b", 1, 1), ["a", ">b"]);
  assert.deepEqual(indented(["a", ">b"], "b", 1, 1), ["a", ">b"]);
  assert.deepEqual(indented(["a"], "a", -1, 1), ["a"]);
});

test("a line is taken out", () => assert.deepEqual(takeOut(["a", ">b"], "b"), ["a"]));

test("of a kept answer only lines of this question remain, each once", () => {
  assert.deepEqual(parseLines("a >>b z a x1", ["a", "b"], 1), ["a", ">b"]);
  assert.deepEqual(parseLines("", ["a"], 1), []);
});

test("a place is said in words", () => {
  assert.equal(spokenPlace(["a", ">b"], "b"), "Line b is line 2 of 2 in your answer, indented once.");
  assert.equal(spokenPlace(["a"], "b"), "Line b is not in your answer.");
});
