// What is heard of a verdict's mark.
import assert from "node:assert/strict";
import { test } from "node:test";
import { spoken } from "../../lib/coursekit/web/dom.ts";

test("says whether an answer is right where its message does not", () => {
  assert.equal(spoken(true, "The weights are e/(e+1)."), "Right: ");
  assert.equal(spoken(false, "Rows are queries."), "Not yet: ");
  assert.equal(spoken(false, "Nothing was scaled."), "Not yet: ");
  assert.equal(spoken(false, ""), "Not yet: ");
});

test("does not repeat what the message says", () => {
  for (const message of ["Not quite.", "That is not it.", "Not yet: line b."]) {
    assert.equal(spoken(false, message), "");
  }
  for (const message of ["That is right.", "Right: both."]) assert.equal(spoken(true, message), "");
});
