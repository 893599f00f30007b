// A lookup whose sharpness depends on the temperature: exact at 0, nearly the mean at 100.
import { mixture, softmax, type Vector } from "../math.ts";

/** Weights at a temperature; at 0, keys that tie for the best share the weight. */
export function weightsAt(scores: Vector, temperature: number): number[] {
  if (temperature > 0) return softmax(scores.map((score) => score / temperature));
  const best = Math.max(...scores);
  const ties = scores.filter((score) => score === best).length;
  return scores.map((score) => (score === best ? 1 / ties : 0));
}

/** The answer of the soft dictionary. */
export const lookUp = (scores: Vector, values: Vector, temperature: number): number =>
  mixture(
    weightsAt(scores, temperature),
    values.map((value) => [value]),
  )[0]!;

/** Steps of the slider: the first is 0, the others are evenly spaced in the logarithm. */
export const STEPS = 67;
export const HOTTEST = 100;
const COLDEST = 0.05;

const ratio = Math.log(HOTTEST / COLDEST) / (STEPS - 1);

/** The temperature at a position of the slider: rounded to two digits. */
export function temperatureAt(position: number): number {
  if (position <= 0) return 0;
  return Number((COLDEST * Math.exp(ratio * (position - 1))).toPrecision(2));
}

/** The position nearest to a temperature. */
export function positionOf(temperature: number): number {
  if (temperature < COLDEST / 2) return 0;
  const position = 1 + Math.log(temperature / COLDEST) / ratio;
  return Math.min(STEPS, Math.max(1, Math.round(position)));
}
