// The colour scales, as attnlab.drawing.scales has them; a test holds the two equal.
import { clamp } from "../math.ts";

export type Kind = "weights" | "scores";
export type Hue = "ink" | "positive" | "negative";

/** The per cent from which on a number on a cell changes its colour, in the light and in the dark theme. */
const TURNS: Readonly<Record<Hue, readonly [light: number, dark: number]>> = {
  ink: [61, 46],
  positive: [85, 65],
  negative: [Infinity, 63],
};

/** Where a value stands on its scale: the end that it leans to, and how far in per cent. */
export function step(value: number, kind: Kind, limit = 1): [Hue, number] {
  if (kind === "weights") return ["ink", Math.round(100 * clamp(value, 0, 1))];
  const share = limit > 0 ? Math.min(Math.abs(value) / limit, 1) : 0;
  return [value >= 0 ? "positive" : "negative", Math.round(100 * share)];
}

/** The colour of the number on a cell, a name or a plain colour: the more legible in each theme. */
export function textColour(hue: Hue, percent: number): string {
  const [light, dark] = TURNS[hue];
  const [isBlack, isBlackInDark] = [percent < light, percent >= dark];
  if (isBlack === isBlackInDark) return isBlack ? "#000000" : "#ffffff";
  return isBlack ? "on-low" : "on-high";
}
