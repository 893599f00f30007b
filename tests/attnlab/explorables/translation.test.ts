// Run by test_translation.py, which makes the fixtures with NumPy.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { translate } from "../../../lib/attnlab/explorables/translation/model.ts";
import { unpack } from "../../../lib/attnlab/explorables/translation/npz.ts";
import * as sentences from "../../../lib/attnlab/explorables/translation/sentence.ts";

interface Case {
  sentence: string;
  hidden: number[];
  uniform: boolean;
  english: string[];
  tokens: number[];
  translation: number[];
  words: number[];
  scores: number[][];
  weights: number[][];
  contexts: number[][];
  best: number[][];
  shares: number[][];
}

interface Fixtures {
  file: string;
  lexicon: sentences.Lexicon;
  arrays: Record<string, number[] | number[][]>;
  cases: Case[];
}

const { file, lexicon, arrays, cases } = JSON.parse(readFileSync(process.env["FIXTURES"]!, "utf8")) as Fixtures;
const bytes = Uint8Array.from(atob(file), (character) => character.charCodeAt(0));
const model = await unpack(bytes.buffer);

/** Equal up to the rounding of float64: far below the 4 decimals that are stored. */
function close(computed: readonly number[], expected: readonly number[], what: string): void {
  assert.equal(computed.length, expected.length, what);
  computed.forEach((x, i) => assert.ok(Math.abs(x - expected[i]!) <= 1e-9, `${what}: ${x} ${expected[i]}`));
}

test("the file has the weights that NumPy reads, to the bit", async () => {
  assert.deepEqual(Object.keys(model).sort(), Object.keys(arrays).sort());
  for (const [name, expected] of Object.entries(arrays)) {
    assert.deepEqual(model[name], Array.isArray(expected[0]) ? expected : [expected], name);
  }
  await assert.rejects(unpack(new ArrayBuffer(30)), /30 bytes that are not an npz file/);
  await assert.rejects(unpack(new ArrayBuffer(3)), /3 bytes that are not an npz file/);
});

test("words, scores, weights, contexts and probabilities", () => {
  assert.ok(cases.length > 25);
  for (const { tokens, hidden, uniform, sentence, ...expected } of cases) {
    const steps = translate(model, tokens, hidden, uniform);
    assert.deepEqual(steps.map(({ word }) => word), expected.words, sentence);
    steps.forEach((step, i) => {
      close(step.scores, expected.scores[i]!, "scores");
      close(step.weights, expected.weights[i]!, "weights");
      close(step.context, expected.contexts[i]!, "context");
      assert.deepEqual(step.best.map(([word]) => word), expected.best[i]);
      close(step.best.map(([, share]) => share), expected.shares[i]!, "shares");
    });
  }
});

test("tokens, text and translation of a sentence", () => {
  for (const { sentence, english, tokens, translation } of cases) {
    const words = sentences.parsed(lexicon, sentence)!;
    assert.deepEqual(sentences.english(lexicon, words), english);
    assert.deepEqual(sentences.tokensOf(lexicon, words), tokens);
    assert.deepEqual(sentences.translation(lexicon, words), translation);
  }
});

test("what is not in the grammar is no sentence", () => {
  const long = `apple ${"under tree ".repeat(9)}picked`;
  for (const other of ["", "apple", "apple under picked", "cat picked", "apple tree house picked", "apple under", long]) {
    assert.equal(sentences.parsed(lexicon, other), undefined, other);
  }
  assert.equal(sentences.parsed(lexicon, " apple  picked ")?.length, 2);
});
