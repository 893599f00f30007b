// Random texts in which a row of words comes again and again, the same as in numpy_continuer.
import { NUM_WORDS } from "./weights.ts";

export const NUM_TOKENS = 48;
/** The periods in training, as in attnlab.data.repeats. */
export const PERIODS: Readonly<Record<string, readonly number[]>> = {
  "one period": [16],
  "many periods": Array.from({ length: 17 }, (_, i) => 8 + i),
};

export interface Texts {
  texts: number[][];
  periods: number[];
}

/** So many texts, each with a period drawn from `periods`. */
export function draw(next: () => number, size: number, periods: readonly number[]): Texts {
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
