// Run by test_gradient_draws.py, which makes the fixtures with NumPy.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as estimator from "../../../lib/attnlab/explorables/gradient_draws/arithmetic.ts";

interface Drawn {
  of: estimator.Case;
  baseline: number;
  seed: number;
  draws: number;
  weights: number[];
  exact: number[];
  deviations: number[];
  of_one: number;
  counts: number[];
  last: number;
  estimate: number[];
  error: number;
}

const cases = JSON.parse(readFileSync(process.env["FIXTURES"]!, "utf8")) as Drawn[];

/** Equal up to the rounding of float64, relative to the size of the numbers. */
function close(computed: readonly number[], expected: readonly number[]): void {
  assert.equal(computed.length, expected.length);
  const size = Math.max(1, ...expected.map(Math.abs));
  computed.forEach((x, i) => assert.ok(Math.abs(x - expected[i]!) <= 1e-12 * size, `${x} ${expected[i]}`));
}

test("by enumeration: weights, gradient, deviations, error of one draw", () => {
  assert.ok(cases.length > 0);
  for (const { of, baseline, ...expected } of cases) {
    close(estimator.weightsOf(of), expected.weights);
    close(estimator.exactGradient(of), expected.exact);
    close(estimator.deviations(of, baseline), expected.deviations);
    close([estimator.errorOfOne(of, baseline)], [expected.of_one]);
  }
});

test("by draws: the same keys from the same seed, their estimate and its error", () => {
  for (const { of, baseline, seed, draws, ...expected } of cases) {
    const stops = estimator.stopsUpTo(draws);
    const drawn = estimator.drawKeys(of, seed, stops);
    const totals = drawn.map(({ counts }) => counts.reduce((sum, count) => sum + count, 0));
    assert.deepEqual(totals, stops);
    const all = drawn.at(-1)!;
    assert.deepEqual([all.counts, all.last], [expected.counts, expected.last]);
    close(estimator.meanEstimate(all, of, baseline), expected.estimate);
    close([estimator.errorOf(all, of, baseline)], [expected.error]);
  }
});

test("the curve has its points at rising numbers of draws, up to the last one", () => {
  assert.deepEqual(estimator.stopsUpTo(1), [1]);
  for (const most of [2, 10, 57, 30_000]) {
    const stops = estimator.stopsUpTo(most);
    assert.equal(stops[0], 1);
    assert.equal(stops.at(-1), most);
    assert.ok(stops.every((n, i) => i === 0 || n > stops[i - 1]!), stops.join(" "));
    assert.ok(stops.length < 60);
  }
});
