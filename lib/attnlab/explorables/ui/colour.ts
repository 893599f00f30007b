// Colours of cells, as attnlab.drawing.scales has them (a test holds the two equal).
import { clamp } from "../math.ts";

export type Hue = "ink" | "positive" | "negative";

/** Where a value stands on its scale: the end that it leans to, and how far in per cent. */
export function step(value: number, kind: "weights" | "scores", limit = 1): [Hue, number] {
  if (kind === "weights") return ["ink", Math.round(100 * clamp(value, 0, 1))];
  const share = limit > 0 ? Math.min(Math.abs(value) / limit, 1) : 0;
  return [value >= 0 ? "positive" : "negative", Math.round(100 * share)];
}

/** From the first per cent on, black is the better number in both themes; from the second, high. */
const TURNS: Record<Hue, [number, number]> = {
  ink: [46, 61],
  positive: [64, 85],
  negative: [62, 101],
};

/** The colour of the number on a cell: a token's name, or a colour. */
export function textToken(hue: Hue, percent: number): "on-low" | "#000000" | "on-high" {
  const [black, high] = TURNS[hue];
  return percent < black ? "on-low" : percent < high ? "#000000" : "on-high";
}

/** The style of a cell. */
export function cellStyle(value: number, kind: "weights" | "scores", limit = 1): string {
  const [hue, percent] = step(value, kind, limit);
  const text = textToken(hue, percent);
  const background = `color-mix(in srgb, var(--attn-${hue}) ${percent}%, var(--attn-paper))`;
  return `background:${background};color:${text.startsWith("#") ? text : `var(--attn-${text})`}`;
}
