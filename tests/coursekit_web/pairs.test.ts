// What a match's answer is: which letter each number has.
import assert from "node:assert/strict";
import { test } from "node:test";
import { neighbour, parsePairs, put, spokenPartner, written } from "../../lib/coursekit/kinds/match/pairs.ts";

const LEFT = ["1", "2", "3"];
const RIGHT = ["a", "b", "c"];

test("a number has one letter, and a letter may have several numbers", () => {
  const pairs = put(put(put({}, "2", "b"), "1", "b"), "2", "c");
  assert.equal(written(pairs), "1b 2c");
  assert.equal(written(put(pairs, "1", "c")), "1c 2c");
  assert.equal(written(put(pairs, "2", null)), "1b");
  assert.deepEqual(put({}, "2", null), {});
});

test("arrows go from letter to letter and stop at the ends", () => {
  assert.equal(neighbour(RIGHT, undefined, 1), "a");
  assert.equal(neighbour(RIGHT, undefined, -1), "c");
  assert.equal(neighbour(RIGHT, "b", 1), "c");
  assert.equal(neighbour(RIGHT, "b", -1), "a");
  assert.equal(neighbour(RIGHT, "c", 1), "c");
  assert.equal(neighbour(RIGHT, "a", -1), "a");
});

test("a kept answer is read again, without what the question does not have any more", () => {
  assert.deepEqual(parsePairs("1b 2a", LEFT, RIGHT), { 1: "b", 2: "a" });
  assert.deepEqual(parsePairs("1b 4a 2z x  3", LEFT, RIGHT), { 1: "b" });
  assert.deepEqual(parsePairs("", LEFT, RIGHT), {});
});

test("a number's partner is said in words", () => {
  assert.equal(spokenPartner({ 1: "b" }, "1"), "1 belongs to b.");
  assert.equal(spokenPartner({ 1: "b" }, "2"), "2 has no partner yet.");
});
