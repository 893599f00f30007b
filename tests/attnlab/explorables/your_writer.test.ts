// What is asked of a notebook's kernel finds its answer; a text comes apart into lines.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LocalModel } from "../../../lib/attnlab/explorables/host.ts";
import { inLines } from "../../../lib/attnlab/explorables/your_writer/keep.ts";
import { type Asking, kernelAsk, Yours } from "../../../lib/attnlab/explorables/your_writer/source.ts";

const made = () => new LocalModel<Asking>({ asked: {}, answered: {} });

test("answers find their questions, whatever their order", async () => {
  const model = made();
  const ask = kernelAsk(model);
  const replies = [ask({ beginning: "a" }), ask({ beginning: "b" }), ask({ beginning: "c" })];
  assert.deepEqual(model.get("asked"), { number: 3, asked: { beginning: "c" } });
  model.set("answered", { number: 3, answered: { token: 33 } });
  model.set("answered", { number: 1, answered: { token: 11 } });
  model.set("answered", { number: 2, error: "In your attend: ValueError: no" });
  assert.deepEqual(await replies[0], { token: 11 });
  assert.deepEqual(await replies[2], { token: 33 });
  await assert.rejects(replies[1]!, /In your attend/);
});

test("it tells what ran, and weights that Python does not know are none", async () => {
  const seen: unknown[] = [];
  const ask = async (asked: object) => ({
    readings: [{ logits: [1], weights: null }],
    token: 5,
    calls: { gpt: 1 },
    seconds: 0.5,
    asked,
  });
  const sizes = { vocabulary: ["<pad>"], heads: [4, 4] as const, most: 9 };
  const source = new Yours(sizes, ask, (...told) => seen.push(told));
  source.cached = true;
  assert.deepEqual(await source.read([1, 5], 1), [{ logits: [1], weights: [] }]);
  assert.equal(await source.choose({ logits: [1], weights: [] }, 0.8, 0.5, [1, 5]), 5);
  const ran = { calls: { gpt: 1 }, seconds: 0.5 };
  assert.deepEqual(seen, [[ran, true, 0], [ran, true, 1]]);
});

test("lines hold all words and fit", () => {
  const lines = inLines("once there was an old fox", (line) => line.length <= 10);
  assert.deepEqual(lines, ["once there", "was an old", "fox"]);
  assert.deepEqual(inLines("unbreakable", () => false), ["unbreakable"]);
});
