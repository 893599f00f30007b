// The page that a mistyped address means.
import assert from "node:assert/strict";
import { test } from "node:test";
import { edits, nearest, wordsOf } from "../../lib/coursekit/browser/nearest.ts";

const names = ["masking", "positions", "multi-head", "build-a-gpt", "build-a-gpt-torch", "api"];

const means = (path: string, name: string | undefined) =>
  test(`${path} means ${name}`, () => {
    assert.equal(nearest(wordsOf(path), names), name);
  });

means("/course/maskng.html", "masking");
means("/masking", "masking");
means("/masking/", "masking");
means("/a/b/Masking.ipynb", "masking");
means("/multi_head.htm", "multi-head");
means("/multi%20head", "multi-head");
means("/mask", "masking");
means("/position", "positions");
means("/build-a-gtp.html", "build-a-gpt");
means("/build-a-gpt-troch.html", "build-a-gpt-torch");
means("/softmax", undefined);
means("/", undefined);
means("/ap1", "api");
means("/50%", undefined);

test("edits are counted as by Levenshtein", () => {
  assert.equal(edits("kitten", "sitting"), 3);
  assert.equal(edits("", "abc"), 3);
  assert.equal(edits("abc", "abc"), 0);
});
