// What is computed of the weights that are shown: the reader's text, and the loss of the test texts.
import { remembered } from "../math.ts";
import { randomNumbers } from "../random.ts";
import { readAll, type Head, type Means } from "./forward.ts";
import { lossInRepeats } from "./measures.ts";
import { NUM_WORDS, type Weights } from "./weights.ts";

// As in attnlab.models.formation.
const [TEST_SEED, NUM_TESTS] = [7, 32];
export const NUM_TOKENS = 48;
/** The periods in training, as in attnlab.data.repeats. */
const PERIODS: Readonly<Record<string, readonly number[]>> = {
  "one period": [16],
  "many periods": Array.from({ length: 17 }, (_, i) => 8 + i),
};

interface Texts {
  texts: number[][];
  periods: number[];
}

export const HEAD_NUMBERS = [11, 12, 21, 22] as const;
export const headOf = (number: number): Head => [Math.floor(number / 10), number % 10];
export const headName = (number: number): string => {
  const [layer, head] = headOf(number);
  return `layer ${layer} head ${head}`;
};

/** The texts on which a model is measured, the same at every checkpoint. */
export const testTexts = remembered((condition: string) =>
  draw(randomNumbers(TEST_SEED), NUM_TESTS, PERIODS[condition]!),
);

/** So many texts in which a row of words comes again and again, the same as in numpy_continuer. */
function draw(next: () => number, size: number, periods: readonly number[]): Texts {
  const drawn: Texts = { texts: [], periods: [] };
  for (let n = 0; n < size; n++) {
    const period = periods[Math.floor(next() * periods.length)]!;
    const words = Array.from({ length: NUM_WORDS }, (_, i) => i);
    for (let i = NUM_WORDS - 1; i > 0; i--) {
      const j = Math.floor(next() * (i + 1));
      [words[i], words[j]] = [words[j]!, words[i]!];
    }
    drawn.texts.push(Array.from({ length: NUM_TOKENS }, (_, i) => words[i % period]!));
    drawn.periods.push(period);
  }
  return drawn;
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
