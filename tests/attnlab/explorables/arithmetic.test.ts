// Run by test_arithmetic.py, which makes the fixtures with NumPy.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { rowOf } from "../../../lib/attnlab/explorables/attention_row/arithmetic.ts";
import { attend } from "../../../lib/attnlab/explorables/context_vector/arithmetic.ts";
import { fits, isNumbers } from "../../../lib/attnlab/explorables/host.ts";
import * as masks from "../../../lib/attnlab/explorables/masks.ts";
import * as paint from "../../../lib/attnlab/explorables/mask_paint/arithmetic.ts";
import { dot, softmax, type Mask, type Matrix } from "../../../lib/attnlab/explorables/math.ts";
import { stepsOf, type Sentence } from "../../../lib/attnlab/explorables/pipeline/arithmetic.ts";
import * as reach from "../../../lib/attnlab/explorables/reach/arithmetic.ts";
import * as saturation from "../../../lib/attnlab/explorables/saturation/arithmetic.ts";
import * as compared from "../../../lib/attnlab/explorables/score_functions/arithmetic.ts";
import { weightsOf } from "../../../lib/attnlab/explorables/self_cross/arithmetic.ts";
import * as soft from "../../../lib/attnlab/explorables/soft_dictionary/arithmetic.ts";
import { answerCode, literal, number, short } from "../../../lib/attnlab/explorables/text.ts";
import { textColour, themesOf, type Hue } from "../../../lib/attnlab/explorables/ui/scales.ts";
import * as windows from "../../../lib/attnlab/explorables/window_mask/arithmetic.ts";

interface Fixtures {
  attended: {
    query: number[];
    key: number[][];
    value: number[][];
    scaled: boolean;
    scores: number[];
    weights: number[];
    context: number[];
  }[];
  rows: {
    query: number[];
    key: Matrix;
    value: Matrix;
    sharpness: number;
    scores: number[];
    weights: number[];
    output: number[];
  }[];
  lookedUp: { score: number[]; value: number[]; temperature: number; weights: number[]; answer: number }[];
  masked: { score: Matrix; mask: Mask; weights: number[][] }[];
  sentences: { query: Matrix; key: Matrix; weights: number[][] }[];
  windows: { pattern: windows.Pattern; layers: number; mask: Mask; reach: Mask }[];
  reaches: {
    tokens: string[];
    phrases: number;
    stack: reach.Stack;
    sentence: string[];
    cone: boolean[][];
    needed: number;
  }[];
  pipelines: { state: Sentence; tokens: string[]; mask: Mask; weights: number[][]; output: number[][] }[];
  compared: { inputs: compared.Inputs; scores: Record<string, number[]> }[];
  saturated: {
    state: { draws: number[]; exponent: number };
    weights: number[][];
    norms: [number[], number[]];
  }[];
  presets: { sizes: [number, number, number]; padding: Mask; causal: Mask; both: Mask }[];
  colours: { hue: Hue; percent: number; text: string }[];
  numbers: [number, number, string][];
  shorts: [number, string][];
  literals: { value: unknown; whole: boolean; python: string }[];
}

const TOKENS = new URL("../../../lib/attnlab/drawing/tokens.css", import.meta.url);
const fixtures = JSON.parse(readFileSync(process.env["FIXTURES"]!, "utf8")) as Fixtures;

/** Equal up to the rounding of float64, relative to the size of the numbers. */
function close(computed: readonly number[], expected: readonly number[]): void {
  assert.equal(computed.length, expected.length);
  const size = Math.max(1, ...expected.map(Math.abs));
  computed.forEach((x, i) => assert.ok(Math.abs(x - expected[i]!) <= 1e-12 * size, `${x} ${expected[i]}`));
}

test("one row of a sentence: scores, weights, output", () => {
  assert.ok(fixtures.rows.length > 0);
  for (const { query, key, value, sharpness, ...expected } of fixtures.rows) {
    const computed = rowOf(query, key, value, sharpness);
    close(computed.scores, expected.scores);
    close(computed.weights, expected.weights);
    close(computed.output, expected.output);
  }
});

test("one query: scores, weights, context", () => {
  assert.ok(fixtures.attended.length > 0);
  for (const { query, key, value, scaled, scores, weights, context } of fixtures.attended) {
    const computed = attend(query, key, value, scaled);
    close(computed.scores, scores);
    close(computed.weights, weights);
    close(computed.context, context);
  }
});

test("soft dictionary", () => {
  assert.ok(fixtures.lookedUp.some(({ temperature }) => temperature === 0));
  for (const { score, value, temperature, weights, answer } of fixtures.lookedUp) {
    close(soft.weightsAt(score, temperature), weights);
    close([soft.lookUp(score, value, temperature)], [answer]);
  }
});

test("temperatures of the slider rise, and lead back to their positions", () => {
  const all = Array.from({ length: soft.STEPS + 1 }, (_, position) => soft.temperatureAt(position));
  assert.equal(all[0], 0);
  assert.equal(all.at(-1), soft.HOTTEST);
  assert.ok(all.every((t, i) => i === 0 || t > all[i - 1]!), all.join(" "));
  assert.deepEqual(all.map(soft.positionOf), [...all.keys()]);
});

test("masked softmax, fully masked rows included", () => {
  assert.ok(fixtures.masked.some(({ mask }) => mask.some((row) => !row.some(Boolean))));
  for (const { score, mask, weights } of fixtures.masked) {
    paint.maskedWeights(score, mask).forEach((row, i) => close(row, weights[i]!));
  }
});

test("many queries over the keys of a sentence", () => {
  assert.ok(fixtures.sentences.length > 0);
  for (const { query, key, weights } of fixtures.sentences) {
    weightsOf(query, key).forEach((row, i) => close(row, weights[i]!));
  }
});

test("windows, global tokens, and how far they reach", () => {
  assert.ok(fixtures.windows.some(({ pattern }) => pattern.globals.length > 0));
  for (const { pattern, layers, mask, reach } of fixtures.windows) {
    const computed = windows.patternMask(pattern);
    assert.deepEqual(computed, mask);
    assert.deepEqual(windows.reach(computed, layers), reach);
    assert.equal(windows.pairs(computed), mask.flat().filter(Boolean).length);
  }
});

test("reach of convolutions and of attention is that of attn's masks", () => {
  assert.ok(fixtures.reaches.some(({ cone }) => !cone[0]![0]) && fixtures.reaches.some(({ cone }) => cone[0]![0]));
  for (const { tokens, phrases, stack, sentence, cone, needed } of fixtures.reaches) {
    assert.deepEqual(reach.shortened(tokens, phrases), sentence);
    assert.deepEqual(reach.cone(sentence.length, stack), cone);
    assert.equal(reach.needed(sentence.length, stack.kernel), needed);
  }
});

test("presets are attn's masks", () => {
  for (const { sizes: [rows, columns, length], padding, causal, both } of fixtures.presets) {
    assert.deepEqual(masks.padding(rows, columns, length), padding);
    assert.deepEqual(masks.causal(rows, columns), causal);
    assert.deepEqual(masks.both(masks.causal(rows, columns), padding), both);
    assert.ok(masks.everything(rows, columns).flat().every(Boolean));
  }
});

test("numbers on cells have the colour that Python gives them", () => {
  assert.equal(fixtures.colours.length, 303);
  const themes = themesOf(readFileSync(TOKENS, "utf8"));
  for (const { hue, percent, text } of fixtures.colours) assert.equal(textColour(themes, hue, percent), text);
});

test("numbers are written as Python's tables write them", () => {
  for (const [x, decimals, text] of fixtures.numbers) assert.equal(number(x, decimals), text);
  for (const [x, text] of fixtures.shorts) assert.equal(short(x), text);
  assert.equal(short(Infinity), "∞");
});

test("answers are Python", () => {
  for (const { value, whole, python } of fixtures.literals) assert.equal(literal(value, whole), python);
  assert.equal(answerCode({ window: 2, share: 2 }, ["window"]), "window = 2\nshare = 2.0");
  assert.equal(answerCode({ a: [1, 2.5], mask: [[true]] }), "a = [1.0, 2.5]\nmask = [\n    [True],\n]");
});

test("vectors of unequal length are refused, and nothing overflows", () => {
  assert.throws(() => dot([1, 2], [1]), RangeError);
  assert.deepEqual(softmax([1e4, -1e4]), [1, 0]);
  assert.deepEqual(softmax([-Infinity, 0]), [0, 1]);
});

test("a state from outside must have the shape of the present one", () => {
  assert.ok(fits([0, -2], [1, 0]));
  for (const bad of [[1], [1, NaN], [1, "2"], "1, 2", null, 3, [[1, 2]]]) assert.ok(!fits(bad, [1, 0]));
  assert.ok(fits([[true]], [[false]]));
  assert.ok(!fits([[1]], [[false]]));
  assert.ok(isNumbers([3, 5]) && isNumbers([]));
  for (const bad of [["x"], [NaN], 3, null]) assert.ok(!isNumbers(bad));
});

test("pipeline: words, mask, weights and output of a sentence", () => {
  assert.ok(fixtures.pipelines.length > 0);
  for (const { state, tokens, mask, weights, output } of fixtures.pipelines) {
    const steps = stepsOf(state);
    assert.deepEqual([steps.tokens, steps.mask], [tokens, mask]);
    steps.weights.forEach((row, i) => close(row, weights[i]!));
    steps.output.forEach((row, i) => close(row, output[i]!));
  }
});

test("score functions: the scores of all five, and a tie", () => {
  assert.ok(fixtures.compared.length > 0);
  for (const { inputs, scores } of fixtures.compared) {
    const computed = compared.scoresBy(inputs);
    assert.deepEqual(Object.keys(computed), Object.keys(scores));
    for (const [name, row] of Object.entries(scores)) close(computed[name]!, row);
    const still = compared.scoresBy({ ...inputs, query: [0, 0] });
    assert.deepEqual(still["cosine"], [0, 0, 0, 0]);
  }
  assert.deepEqual([[1, 3, 2], [2, 1, 2]].map(compared.favourite), [1, undefined]);
});

test("saturation: weights without and with the scale, and their gradients", () => {
  assert.ok(fixtures.saturated.length > 0);
  for (const { state, weights, norms } of fixtures.saturated) {
    const computed = saturation.weightsAt(state.draws, state.exponent);
    computed.forEach((row, i) => close(row, weights[i]!));
    const found = saturation.gradients(state.draws, state.exponent);
    (["scores", "query"] as const).forEach((by, i) => close(found.map((row) => row[by]), norms[i]!));
  }
});
