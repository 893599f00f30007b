// Run by test_circuit.py, which makes the fixtures with NumPy and torch.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Adam } from "../../../lib/attnlab/explorables/circuit/adam.ts";
import { addGradients } from "../../../lib/attnlab/explorables/circuit/backward.ts";
import { read, readAll } from "../../../lib/attnlab/explorables/circuit/forward.ts";
import * as measures from "../../../lib/attnlab/explorables/circuit/measures.ts";
import { measure, testTexts } from "../../../lib/attnlab/explorables/circuit/readings.ts";
import { copyOf, fromBase64, unpack, zerosLike } from "../../../lib/attnlab/explorables/circuit/weights.ts";

interface Case {
  file: string;
  condition: string;
  weights: Record<string, number[]>;
  texts: number[][];
  periods: number[];
  first: number[][];
  previous: number[];
  induction: number[];
  off: [number[], number][];
  short: [number[], number[][]][];
  trained: { texts: number[][]; loss: number; gradients: Record<string, number[]> };
}

const cases = JSON.parse(readFileSync(process.env["FIXTURES"]!, "utf8")) as Case[];
const models = cases.map(({ file }) => unpack(fromBase64(file)));
const all = cases.map((one, i) => ({ ...one, model: models[i]! }));

function close(computed: ArrayLike<number>, expected: ArrayLike<number>, what: string): void {
  assert.equal(computed.length, expected.length, what);
  const size = Math.max(1e-3, ...Array.from(expected, Math.abs));
  for (let i = 0; i < expected.length; i++) {
    const [x, y] = [computed[i]!, expected[i]!];
    assert.ok(Math.abs(x - y) <= 1e-8 * size, `${what}: ${x} ${y}`);
  }
}

test("a file has the weights that NumPy reads", () => {
  assert.equal(all.length, 2);
  for (const { model, weights } of all) {
    assert.deepEqual(Object.keys(model), Object.keys(weights));
    for (const [name, expected] of Object.entries(weights)) close(model[name]!, expected, name);
  }
  assert.throws(() => unpack(new ArrayBuffer(3)), /a checkpoint of 3 bytes; expected 13632/);
});

test("test texts are the same", () => {
  for (const { condition, texts, periods } of all) {
    assert.deepEqual(testTexts(condition), { texts, periods });
  }
});

test("weights of the heads, and their scores", () => {
  for (const { model, texts, first, previous, induction, short } of all) {
    const pass = read(model, texts[0]!);
    const heads = pass.layers.flatMap(({ weights }) => weights);
    heads.forEach((weights, i) => {
      close(weights, first[i]!, `head ${i}`);
      close([measures.previousTokenScore(weights, texts[0]!.length)], [previous[i]!], "previous");
      close([measures.inductionScore(weights, texts[0]!)!], [induction[i]!], "induction");
    });
    for (const [text, expected] of short) {
      const found = read(model, text).layers.flatMap(({ weights }) => weights);
      found.forEach((weights, i) => close(weights, expected[i]!, "a short text"));
    }
    assert.equal(measures.inductionScore(heads[0]!.subarray(0, 9), [1, 2, 3]), undefined);
  }
});

test("the loss, with heads on and off", () => {
  for (const { model, condition, off } of all) {
    for (const [numbers, loss] of off) {
      close([measure(model, condition, numbers).loss], [loss], `without ${numbers}`);
    }
  }
});

test("a text alone gives what it gives among those that the means are of", () => {
  for (const { model, texts } of all) {
    const { passes, means } = readAll(model, texts, [[1, 2], [2, 1]]);
    close(read(model, texts[3]!, means).shares, passes[3]!.shares, "shares");
  }
});

test("gradients are torch's", () => {
  for (const { model, trained } of all) {
    const sum = zerosLike(model);
    const losses = trained.texts.map((text) => {
      const pass = read(model, text);
      addGradients(model, pass, sum, 1 / trained.texts.length);
      return measures.losses(pass).reduce((total, x) => total + x, 0) / (text.length - 1);
    });
    close([losses.reduce((total, x) => total + x, 0) / losses.length], [trained.loss], "loss");
    for (const [name, expected] of Object.entries(trained.gradients)) close(sum[name]!, expected, name);
  }
});

test("a step of Adam along the gradient lowers the loss, and leaves the checkpoint as it was", () => {
  const { model, trained } = all[1]!;
  const [weights, sum] = [copyOf(model), zerosLike(model)];
  const text = trained.texts[0]!;
  const loss = (): number => measures.losses(read(weights, text)).reduce((total, x) => total + x, 0);
  const before = loss();
  addGradients(weights, read(weights, text), sum);
  new Adam(weights).step(weights, sum, 0.001);
  assert.ok(loss() < before);
  assert.deepEqual(model, models[1]);
  assert.notDeepEqual(weights, model);
});
