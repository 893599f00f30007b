// What the head browser computes from a reading: rows, shares and effects.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as reading from "../../../lib/attnlab/explorables/head_browser/reading.ts";

// Two tokens, one head: the first looks at itself, the second at the first.
const map = Float32Array.of(1, 0, 0.75, 0.25);
const layer = { weights: map, scores: Float32Array.of(0, 0, 0, 0) };
const whole: reading.Reading = { text: "a", tokens: ["a", "b"], numHeads: 1, layers: [layer] };

test("rows of a head", () => {
  const both = Float32Array.of(...map, 0.5, 0.5, 0.25, 0.75);
  assert.deepEqual([...reading.rowOf(both, 1, 2, 1)], [0.25, 0.75]);
  assert.deepEqual([...reading.mapOf(both, 0, 2)], [...map]);
});

test("shares are means over the queries that have such a key", () => {
  const { before, itself, after, first, last } = reading.sharesOf(map, 2);
  assert.deepEqual([before, itself, after, first, last], [0.75, 0.625, 0, 0.875, 0.125]);
});

test("stored scores become weights", () => {
  const scores = Buffer.from(Int16Array.of(0, 800, 1600, 0).buffer).toString("base64");
  const data = { tokens: ["a", "b"], scores, unit: 800, effects: [[0.5]], token_effects: [[[0, 1]]] };
  const { weights } = reading.readingOf("a", data).layers[0]!;
  const expected = [1 / (1 + Math.E), Math.E / (1 + Math.E), Math.E ** 2 / (1 + Math.E ** 2)];
  expected.forEach((weight, i) => assert.ok(Math.abs(weights[i]! - weight) < 1e-6));
});

test("an effect is 1 minus the cosine", () => {
  const before = { ...whole, x: Float32Array.of(1, 0, 0, 2) };
  const after = { ...whole, x: Float32Array.of(0, 3, 0, 1) };
  const found = reading.effect(before, after, { off: [[0, 0]], cut: [] })!;
  assert.deepEqual(found.tokens, [1, 0]);
  assert.ok(Math.abs(found.whole - (1 - 2 / Math.sqrt(5))) < 1e-9);
  assert.equal(reading.effect(whole, undefined, { off: [[0, 0]], cut: [] }), undefined);
  const stored = { ...whole, effects: [[0.5]], tokenEffects: [[[0, 1]]] };
  assert.deepEqual(reading.effect(stored, undefined, { off: [[0, 0]], cut: [] }), { whole: 0.5, tokens: [0, 1] });
  assert.equal(reading.effect(stored, undefined, { off: [[0, 0]], cut: [1] }), undefined);
});

test("the weight beside an effect", () => {
  assert.deepEqual(reading.weightsLost(whole, { off: [[0, 0]], cut: [] }), [1, 0.75]);
  assert.deepEqual(reading.weightsLost(whole, { off: [], cut: [1] }), [0, 0.25]);
});
