// What is computed of the weights that are shown: the reader's text, and the loss of the test texts.
import { randomNumbers } from "../random.ts";
import { readAll, type Head, type Means } from "./forward.ts";
import { lossInRepeats } from "./measures.ts";
import { draw, PERIODS, type Texts } from "./texts.ts";
import type { Weights } from "./weights.ts";

// As in attnlab.models.formation.
const [TEST_SEED, NUM_TESTS] = [7, 32];

export const HEAD_NUMBERS = [11, 12, 21, 22] as const;
export const headOf = (number: number): Head => [Math.floor(number / 10), number % 10];
export const headName = (number: number): string => {
  const [layer, head] = headOf(number);
  return `layer ${layer} head ${head}`;
};

const tests = new Map<string, Texts>();

/** The texts on which a model is measured, the same at every checkpoint. */
export function testTexts(condition: string): Texts {
  const known = tests.get(condition) ?? draw(randomNumbers(TEST_SEED), NUM_TESTS, PERIODS[condition]!);
  tests.set(condition, known);
  return known;
}

export interface Measured {
  /** The loss in the repeats of the test texts, in nats. */
  loss: number;
  means: Means;
}

/** The loss of the test texts without the heads in `off`, and what these heads give instead. */
export function measure(weights: Weights, condition: string, off: readonly number[]): Measured {
  const { texts, periods } = testTexts(condition);
  const { passes, means } = readAll(weights, texts, off.map(headOf));
  return { loss: lossInRepeats(passes, periods), means };
}
