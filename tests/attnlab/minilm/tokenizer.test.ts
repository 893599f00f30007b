// The page's tokenizer makes of odd strings what the package tokenizers made of them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Tokenizer } from "../../../lib/attnlab/explorables/encoder/tokenizer.ts";

interface Fixture {
  vocabulary: string[];
  cases: [text: string, tokens: string[]][];
}

const file = new URL("odd_strings.json", import.meta.url);
const { vocabulary, cases } = JSON.parse(readFileSync(file, "utf-8")) as Fixture;
const tokenizer = new Tokenizer(vocabulary);

test("two hundred odd strings", () => {
  assert.ok(cases.length >= 200);
  for (const [text, tokens] of cases) {
    assert.deepEqual(tokenizer.encode(text).tokens, tokens, JSON.stringify(text));
  }
});

test("numbers are places in the vocabulary", () => {
  const { tokens, ids } = tokenizer.encode("the cat");
  assert.deepEqual(ids.map((id) => vocabulary[id]), tokens);
});
