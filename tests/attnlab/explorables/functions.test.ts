// Run by test_typescript.py, which makes the calls and computes with NumPy what they have to give.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { stopsUpTo } from "../../../lib/attnlab/explorables/gradient_draws/arithmetic.ts";
import { fits, isNumbers } from "../../../lib/attnlab/explorables/host.ts";
import { dot, softmax } from "../../../lib/attnlab/explorables/math.ts";
import { favourite } from "../../../lib/attnlab/explorables/score_functions/arithmetic.ts";
import * as soft from "../../../lib/attnlab/explorables/soft_dictionary/arithmetic.ts";
import { answerCode, short } from "../../../lib/attnlab/explorables/text.ts";
import { textColour, type Hue } from "../../../lib/attnlab/explorables/ui/scales.ts";

interface Made {
  /** A module and its function: `tiles/arithmetic.onChip`. */
  of: string;
  /** Among them `{ $shared: name }` stands for a shared value, `{ $made: call }` for a result. */
  given: unknown[];
  /** The one part of the result that is meant. */
  part?: string | null;
}
interface Call extends Made {
  /** Of an object, the parts that are compared. */
  gives: unknown;
  /** How far numbers may be off, relative to the size of the largest beside them. */
  within: number;
  /** A part of the message of an error. */
  refuses: string;
}
interface Fixtures {
  calls: Call[];
  shared: Record<string, unknown>;
  colours: { hue: Hue; percent: number; text: string }[];
}

const LIB = "../../../lib/attnlab";
const fixtures = JSON.parse(readFileSync(process.env["FIXTURES"]!, "utf8")) as Fixtures;

function agree(computed: unknown, expected: unknown, within: number): void {
  if (typeof expected === "number") return agree([computed], [expected], within);
  if (expected === null || typeof expected !== "object") return assert.equal(computed ?? null, expected);
  if (!Array.isArray(expected)) {
    for (const [name, part] of Object.entries(expected)) {
      agree((computed as Record<string, unknown>)[name], part, within);
    }
    return;
  }
  const list = computed as unknown[];
  assert.equal(list.length, expected.length);
  const size = Math.max(1, ...expected.filter((x) => typeof x === "number").map(Math.abs));
  expected.forEach((part: unknown, i) => {
    if (typeof part !== "number") agree(list[i], part, within);
    else assert.ok(Math.abs((list[i] as number) - part) <= within * size, `${list[i]} is not ${part}`);
  });
}

async function result({ of, given }: Made): Promise<unknown> {
  const [module, name] = of.split(".") as [string, string];
  const found = (await import(`${LIB}/explorables/${module}.ts`)) as Record<string, (...given: unknown[]) => unknown>;
  return found[name]!(...(await Promise.all(given.map(value))));
}

const shared = new Map<string, Promise<unknown>>();

async function value(given: unknown): Promise<unknown> {
  const { $shared: name, $made: call } = (given ?? {}) as { $shared?: string; $made?: Made };
  if (call) return call.part ? ((await result(call)) as Record<string, unknown>)[call.part] : result(call);
  if (name === undefined) return given;
  if (!shared.has(name)) shared.set(name, value(fixtures.shared[name]));
  return shared.get(name);
}

for (const name of new Set(fixtures.calls.map(({ of }) => of))) {
  test(name, async () => {
    for (const each of fixtures.calls.filter(({ of }) => of === name)) {
      if (each.refuses) await assert.rejects(result(each), new RegExp(each.refuses));
      else agree(await result(each), each.gives, each.within);
    }
  });
}

test("numbers on cells have the colour that Python gives them", () => {
  assert.equal(fixtures.colours.length, 303);
  for (const { hue, percent, text } of fixtures.colours) assert.equal(textColour(hue, percent), text);
});

test("temperatures of the slider rise, and lead back to their positions", () => {
  const all = Array.from({ length: soft.STEPS + 1 }, (_, position) => soft.temperatureAt(position));
  assert.equal(all[0], 0);
  assert.equal(all.at(-1), soft.HOTTEST);
  assert.ok(all.every((t, i) => i === 0 || t > all[i - 1]!), all.join(" "));
  assert.deepEqual(all.map(soft.positionOf), [...all.keys()]);
});

test("the curve of draws has its points at rising numbers, up to the last one", () => {
  assert.deepEqual(stopsUpTo(1), [1]);
  for (const most of [2, 10, 57, 30_000]) {
    const stops = stopsUpTo(most);
    assert.deepEqual([stops[0], stops.at(-1)], [1, most]);
    assert.ok(stops.every((n, i) => i === 0 || n > stops[i - 1]!), stops.join(" "));
    assert.ok(stops.length < 60);
  }
});

test("answers are Python", () => {
  assert.equal(answerCode({ window: 2, share: 2 }, ["window"]), "window = 2\nshare = 2.0");
  assert.equal(answerCode({ a: [1, 2.5], mask: [[true]] }), "a = [1.0, 2.5]\nmask = [\n    [True],\n]");
  assert.equal(short(Infinity), "∞");
});

test("vectors of unequal length are refused, nothing overflows, and a tie has no favourite", () => {
  assert.throws(() => dot([1, 2], [1]), RangeError);
  assert.deepEqual(softmax([1e4, -1e4]), [1, 0]);
  assert.deepEqual(softmax([-Infinity, 0]), [0, 1]);
  assert.deepEqual([[1, 3, 2], [2, 1, 2]].map(favourite), [1, undefined]);
});

test("a state from outside must have the shape of the present one", () => {
  assert.ok(fits([0, -2], [1, 0]));
  for (const bad of [[1], [1, NaN], [1, "2"], "1, 2", null, 3, [[1, 2]]]) assert.ok(!fits(bad, [1, 0]));
  assert.ok(fits([[true]], [[false]]));
  assert.ok(!fits([[1]], [[false]]));
  assert.ok(isNumbers([3, 5]) && isNumbers([]));
  for (const bad of [["x"], [NaN], 3, null]) assert.ok(!isNumbers(bad));
});
