// Run by test_algorithms.py, which makes the fixtures with NumPy.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as axial from "../../../lib/attnlab/explorables/axial_grid/arithmetic.ts";
import * as lsh from "../../../lib/attnlab/explorables/lsh_circle/arithmetic.ts";
import * as online from "../../../lib/attnlab/explorables/online_softmax/arithmetic.ts";
import * as rotary from "../../../lib/attnlab/explorables/rotary_dial/arithmetic.ts";
import * as tiles from "../../../lib/attnlab/explorables/tiles/arithmetic.ts";

interface Fixtures {
  turned: { query: number; key: number; d_k: number; products: number[] }[];
  onePass: { score: number[]; value: number[]; block: number; kept: number[][] }[];
  hashed: { hashing: lsh.Hashing; queries: number[]; meetings: number[][]; recall: number[] }[];
  tiled: { tokens: number; tile: number; moved: [number, number]; on_chip: number }[];
  axial: { grid: axial.Grid; rows: [number, number][]; learned: [number, number] }[];
}

const fixtures = JSON.parse(readFileSync(process.env["FIXTURES"]!, "utf8")) as Fixtures;

/** Equal up to the rounding of float64, relative to the size of the numbers. */
function close(computed: readonly number[], expected: readonly number[]): void {
  assert.equal(computed.length, expected.length);
  const size = Math.max(1, ...expected.map(Math.abs));
  computed.forEach((x, i) => assert.ok(Math.abs(x - expected[i]!) <= 1e-12 * size, `${x} ${expected[i]}`));
}

test("rotary positions: the dot product of each hand, and both positions moved", () => {
  assert.ok(fixtures.turned.length > 0);
  for (const { query, key, d_k, products } of fixtures.turned) {
    close(rotary.products(query, key, d_k), products);
  }
  assert.deepEqual(rotary.movedTogether([20, 17], 63, 63), [63, 60]);
  assert.deepEqual(rotary.movedTogether([20, 17], 0, 63), [3, 0]);
  assert.deepEqual(rotary.movedTogether([17, 20], 62, 63), [60, 63]);
});

test("online softmax: what is kept after each block", () => {
  assert.ok(fixtures.onePass.length > 0);
  for (const { score, value, block, kept } of fixtures.onePass) {
    const steps = online.steps(score, value, block);
    assert.equal(steps.length, kept.length);
    steps.forEach(({ m, factor, l, o }, i) => close([m, factor, l, o], kept[i]!));
  }
});

test("hashing on the circle: meetings and recall", () => {
  assert.ok(fixtures.hashed.length > 0);
  for (const { hashing, queries, meetings, recall } of fixtures.hashed) {
    queries.forEach((query, i) => assert.deepEqual(lsh.meetings(query, hashing), meetings[i]));
    close(queries.map((query) => lsh.found(query, hashing).recall), recall);
  }
});

test("tiles: bytes moved, and bytes on the chip", () => {
  assert.ok(fixtures.tiled.length > 0);
  for (const { tokens, tile, moved, on_chip } of fixtures.tiled) {
    assert.deepEqual([tiles.movedByAll(tokens), tiles.movedByTiles(tokens, tile)], moved);
    assert.equal(tiles.onChip(tile), on_chip);
  }
});

test("axial positions: rows of the two tables, and numbers learned", () => {
  assert.ok(fixtures.axial.length > 0);
  for (const { grid, rows, learned } of fixtures.axial) {
    rows.forEach((pair, position) => {
      assert.deepEqual(axial.tableRows(position, grid), pair);
      assert.equal(axial.positionAt(...pair, grid), position);
    });
    assert.deepEqual([axial.inTwoTables(grid, 64), axial.inOneTable(grid, 64)], learned);
  }
});
