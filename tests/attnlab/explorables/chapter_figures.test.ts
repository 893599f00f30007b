// Run by test_chapter_figures.py, which makes the fixtures with torch and NumPy.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as stack from "../../../lib/attnlab/explorables/layer_stack/arithmetic.ts";
import type { Matrix } from "../../../lib/attnlab/explorables/math.ts";
import * as sink from "../../../lib/attnlab/explorables/sink/arithmetic.ts";
import * as blocks from "../../../lib/attnlab/explorables/transformer_blocks/arithmetic.ts";

interface Fixtures {
  opened: { state: blocks.Inside; shape: number[]; expected: Matrix | Matrix[]; best: number }[];
  stacked: { state: stack.Stack; sizes: number[]; reaches: number[] }[];
  drained: { state: { score: Matrix; sink: number; cap: number }; weights: Matrix }[];
}

const fixtures = JSON.parse(readFileSync(process.env["FIXTURES"]!, "utf8")) as Fixtures;

function close(computed: readonly number[], expected: readonly number[], within = 1e-9): void {
  assert.equal(computed.length, expected.length);
  computed.forEach((x, i) => assert.ok(Math.abs(x - expected[i]!) <= within, `${x} is not ${expected[i]}`));
}

test("Transformer: what a block has inside, and the token that comes next", () => {
  assert.equal(fixtures.opened.length, 5);
  for (const { state, shape, expected, best } of fixtures.opened) {
    assert.deepEqual(blocks.shapeOf(state), shape);
    const { selected } = state;
    const numbers = blocks.isAttention(selected) ? blocks.weightsOf(state, selected) : blocks.vectorsOf(state);
    // Two decimals are stored, and a network's part is the difference of two such numbers.
    close((numbers as number[][][]).flat(2), (expected as number[][][]).flat(2), 0.011);
    const shares = blocks.shares(state);
    assert.equal(shares.indexOf(Math.max(...shares)), best);
  }
});

test("Transformer: a stream is what its sublayers have added to the embedding", () => {
  const { state } = fixtures.opened[3]!;
  const part = (selected: string, layer: number): Matrix => blocks.vectorsOf({ ...state, selected, layer });
  assert.deepEqual(part("decoder.stream.0", 1), part("decoder.embedding", 1));
  assert.deepEqual(part("decoder.stream.0", 2), part("decoder.stream.3", 1));
  const network = part("decoder.network", 2);
  const end = part("decoder.stream.2", 2).map((row, i) => row.map((x, j) => x + network[i]![j]!));
  close(part("decoder.stream.3", 2).flat(), end.flat());
});

test("sink: the weights that it leaves, and what it takes", () => {
  assert.equal(fixtures.drained.length, 5);
  for (const { state, weights } of fixtures.drained) {
    state.score.forEach((row, i) => {
      const shares = sink.shares(row, state.sink, state.cap);
      close(shares.slice(0, -1), weights[i]!);
      close([shares.reduce((sum, share) => sum + share, 0)], [1]);
    });
  }
});

test("stack of layers: bytes of each cache, and what the last output reaches", () => {
  assert.equal(fixtures.stacked.length, 5);
  for (const { state, sizes, reaches } of fixtures.stacked) {
    assert.deepEqual(stack.sizes(state), sizes);
    assert.deepEqual(stack.reaches(state), reaches);
  }
});
