// Run by test_chapter_figures.py, which makes the fixtures with NumPy.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as stack from "../../../lib/attnlab/explorables/layer_stack/arithmetic.ts";
import type { Mask, Matrix } from "../../../lib/attnlab/explorables/math.ts";
import * as pictures from "../../../lib/attnlab/explorables/picture_queries/arithmetic.ts";
import * as sink from "../../../lib/attnlab/explorables/sink/arithmetic.ts";
import * as masks from "../../../lib/attnlab/explorables/text_masks/arithmetic.ts";
import * as blocks from "../../../lib/attnlab/explorables/transformer_blocks/arithmetic.ts";

interface Fixtures {
  opened: {
    state: blocks.Inside;
    shape: number[];
    numbers: Matrix | Matrix[];
    mask: Mask | null;
    best: number;
  }[];
  looked: {
    state: { model: pictures.Detector; cells: Matrix; noise: Matrix; noisy: boolean; selected: number };
    weights: number[];
    share: number;
  }[];
  read: { state: masks.Text; masks: Mask[]; asked: string[][] }[];
  stacked: { state: stack.Stack; sizes: number[]; reach: number }[];
  drained: { state: { score: Matrix; sink: number; cap: number }; weights: Matrix }[];
}

const fixtures = JSON.parse(readFileSync(process.env["FIXTURES"]!, "utf8")) as Fixtures;

function close(computed: readonly number[], expected: readonly number[]): void {
  assert.equal(computed.length, expected.length);
  computed.forEach((x, i) => assert.ok(Math.abs(x - expected[i]!) <= 1e-9, `${x} is not ${expected[i]}`));
}

const flat = (numbers: Matrix | readonly Matrix[]): number[] => (numbers as number[][][]).flat(2);

test("Transformer: what is inside a block, its mask, and the next token", () => {
  assert.ok(fixtures.opened.length > 0);
  for (const { state, shape, numbers, mask, best } of fixtures.opened) {
    assert.deepEqual(blocks.shapeOf(state), shape);
    assert.equal(blocks.isAttention(state.selected), mask !== null);
    if (mask) assert.deepEqual(blocks.maskOf(state, state.selected), mask);
    close(flat(mask ? blocks.weightsOf(state) : blocks.vectorsOf(state)), flat(numbers));
    const shares = blocks.shares(state);
    assert.equal(shares.indexOf(Math.max(...shares)), best);
  }
});

test("sink: the weights that it leaves, and what it takes", () => {
  assert.ok(fixtures.drained.length > 0);
  for (const { state, weights } of fixtures.drained) {
    sink.allShares(state.score, state.sink, state.cap).forEach((shares, i) => {
      close(shares.slice(0, -1), weights[i]!);
      close([shares.reduce((sum, share) => sum + share, 0)], [1]);
    });
  }
});

test("text under three masks: what is seen and what is asked", () => {
  assert.ok(fixtures.read.length > 0);
  for (const { state, masks: expected, asked } of fixtures.read) {
    assert.deepEqual(masks.OBJECTIVES.map((name) => masks.maskOf(state, name)), expected);
    assert.deepEqual(masks.OBJECTIVES.map((name) => masks.asked(state, name)), asked);
  }
});

test("stack of layers: bytes of each cache, and the reach of the last output", () => {
  assert.ok(fixtures.stacked.length > 0);
  for (const { state, sizes, reach } of fixtures.stacked) {
    assert.deepEqual(stack.sizes(state), sizes);
    assert.equal(stack.reach(state), reach);
  }
});

test("picture: where a query looks, and whether the glyph is there", () => {
  assert.ok(fixtures.looked.length > 0);
  for (const { state, weights, share } of fixtures.looked) {
    const found = pictures.look(state.model, pictures.pixels(state.cells, state.noise, state.noisy), state.selected);
    close(found.weights, weights);
    close([found.share], [share]);
  }
});
