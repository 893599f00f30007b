// Compares the writer's arithmetic with what test_writer.py computed with attnlab.gpt.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { tensorsOf } from "../../../lib/attnlab/explorables/encoder/tensors.ts";
import { Gpt, weightsOf } from "../../../lib/attnlab/explorables/writer/gpt.ts";
import { probabilities } from "../../../lib/attnlab/explorables/writer/source.ts";
import { shown } from "../../../lib/attnlab/explorables/writer/words.ts";
import { recordedRun, type Recorded } from "../../../lib/attnlab/explorables/writer/recorded.ts";

interface Fixtures {
  words: string[];
  /** The file with the weights as they are, and the one with 12 bits, in base64. */
  whole: string;
  small: string;
  fables: {
    tokens: number[];
    text: string;
    shares: number[][];
    /** Of the first ones only, by layer, head and query. */
    weights?: number[][][][];
  }[];
  recorded: Recorded;
}

const fixtures = JSON.parse(readFileSync(process.env["FIXTURES"]!, "utf8")) as Fixtures;
const modelOf = (file: string): Gpt => new Gpt(weightsOf(tensorsOf(Uint8Array.from(Buffer.from(file, "base64")).buffer)), 4);

/** How far two lists of numbers are apart. */
const far = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((most, x, i) => Math.max(most, Math.abs(x - b[i]!)), Math.abs(a.length - b.length));

test("with the same weights, probabilities and attention are NumPy's", () => {
  const gpt = modelOf(fixtures.whole);
  for (const { tokens, shares, weights } of fixtures.fables) {
    gpt.read(tokens, 0).forEach((reading, at) => {
      assert.ok(far(probabilities(reading, 1), shares[at]!) < 1e-5);
      if (!weights) return;
      reading.weights.forEach((heads, layer) =>
        heads.forEach((row, head) => assert.ok(far(row!, weights[layer]![head]![at]!.slice(0, at + 1)) < 1e-5)),
      );
    });
  }
});

test("in 12 bits, no probability is further off than 0.01", () => {
  const gpt = modelOf(fixtures.small);
  const all = fixtures.fables.flatMap(({ tokens, shares }) =>
    gpt.read(tokens, 0).map((reading, at) => far(probabilities(reading, 1), shares[at]!)),
  );
  assert.ok(Math.max(...all) < 0.01, `${Math.max(...all)}`);
});

test("a text that goes on, or branches, is read like a new one", () => {
  const [gpt, fresh] = [modelOf(fixtures.whole), modelOf(fixtures.whole)];
  const [{ tokens }, { tokens: other }] = fixtures.fables as [Fixtures["fables"][0], Fixtures["fables"][0]];
  gpt.read(tokens.slice(0, 20), 0);
  const branch = [...tokens.slice(0, 12), ...other.slice(12, 15)];
  const [next, after] = [gpt.read(tokens.slice(0, 21), 20), gpt.read(branch, 14)];
  assert.equal(next.length, 1);
  assert.deepEqual(next[0]!.logits, fresh.read(tokens.slice(0, 21), 0)[20]!.logits);
  assert.deepEqual(after[0]!.logits, fresh.read(branch, 0)[14]!.logits);
});

test("words stand as in the fable", () => {
  for (const { tokens, text } of fixtures.fables) {
    const made = shown(fixtures.words, tokens).map(({ text, isApart }) => (isApart ? ` ${text}` : text));
    assert.equal(made.slice(1).join(""), text);
  }
});

test("a recorded run says what was recorded", async () => {
  const { recorded, words } = fixtures;
  const run = recordedRun(words, [4, 4], recorded);
  const read = await run.read(recorded.tokens.slice(0, -1), 0);
  for (const [i, { next, head, weights }] of recorded.steps.entries()) {
    const shares = probabilities(read[i]!, recorded.temperature);
    for (const [token, share] of next) assert.ok(Math.abs(shares[token]! - share / 1000) < 0.003);
    const row = read[i]!.weights[head[0]]![head[1]]!;
    for (const [place, weight] of weights) assert.equal(row[place], weight / 100);
    const tokens = recorded.tokens.slice(0, i + 1);
    assert.equal(await run.choose(read[i]!, 0, 0, tokens), recorded.tokens[tokens.length]);
  }
  assert.equal(await run.choose(read[0]!, 0, 0, recorded.tokens), undefined);
});
