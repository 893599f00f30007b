// Run by test_circuit.py, which has torch train; model_calls.py has the model's other functions.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Adam } from "../../../lib/attnlab/explorables/circuit/adam.ts";
import { addGradients } from "../../../lib/attnlab/explorables/circuit/backward.ts";
import { read, readAll } from "../../../lib/attnlab/explorables/circuit/forward.ts";
import * as measures from "../../../lib/attnlab/explorables/circuit/measures.ts";
import { copyOf, fromBase64, unpack, zerosLike } from "../../../lib/attnlab/explorables/circuit/weights.ts";

interface Case {
  file: string;
  texts: number[][];
  loss: number;
  gradients: Record<string, number[]>;
}

const cases = JSON.parse(readFileSync(process.env["FIXTURES"]!, "utf8")) as Case[];
const all = cases.map((one) => ({ ...one, model: unpack(fromBase64(one.file)) }));
const sum = (list: readonly number[]): number => list.reduce((total, x) => total + x, 0);

function close(computed: ArrayLike<number>, expected: ArrayLike<number>, what: string): void {
  assert.equal(computed.length, expected.length, what);
  const size = Math.max(1e-3, ...Array.from(expected, Math.abs));
  Array.from(expected).forEach((x, i) => assert.ok(Math.abs(computed[i]! - x) <= 1e-8 * size, what));
}

test("a text alone gives what it gives among those that the means are of", () => {
  for (const { model, texts } of all) {
    const { passes, means } = readAll(model, texts, [[1, 2], [2, 1]]);
    close(read(model, texts[2]!, means).shares, passes[2]!.shares, "shares");
  }
});

test("gradients are torch's", () => {
  for (const { model, texts, loss, gradients } of all) {
    const found = zerosLike(model);
    const losses = texts.map((text) => {
      const pass = read(model, text);
      addGradients(model, pass, found, 1 / texts.length);
      return sum(measures.losses(pass)) / (text.length - 1);
    });
    close([sum(losses) / losses.length], [loss], "loss");
    for (const [name, expected] of Object.entries(gradients)) close(found[name]!, expected, name);
  }
});

test("a step of Adam along the gradient lowers the loss, and leaves the checkpoint as it was", () => {
  const { model, file, texts } = all[1]!;
  const [weights, gradients] = [copyOf(model), zerosLike(model)];
  const loss = (): number => sum(measures.losses(read(weights, texts[0]!)));
  const before = loss();
  addGradients(weights, read(weights, texts[0]!), gradients);
  new Adam(weights).step(weights, gradients, 0.001);
  assert.ok(loss() < before);
  assert.deepEqual(model, unpack(fromBase64(file)));
  assert.notDeepEqual(weights, model);
});
