// The colour scales, as attnlab.drawing.scales has them; a test holds the two equal.
import { clamp } from "../math.ts";

export type Kind = "weights" | "scores";
export type Hue = "ink" | "positive" | "negative";
type Theme = Readonly<Record<string, string>>;
export type Themes = readonly [light: Theme, dark: Theme];

/** The width of a line that stands for a weight, in pixels. */
export const strokeOf = (weight: number): number => 0.8 + 5.5 * weight;

/** Where a value stands on its scale: the end that it leans to, and how far in per cent. */
export function step(value: number, kind: Kind, limit = 1): [Hue, number] {
  if (kind === "weights") return ["ink", Math.round(100 * clamp(value, 0, 1))];
  const share = limit > 0 ? Math.min(Math.abs(value) / limit, 1) : 0;
  return [value >= 0 ? "positive" : "negative", Math.round(100 * share)];
}

/** The colours of the light and of the dark theme by name, read from the text of tokens.css. */
export function themesOf(css: string): Themes {
  const rules = [...css.replace(/\/\*[\s\S]*?\*\//g, "").matchAll(/([^{}]+)\{([^{}]*)\}/g)];
  const colours = (isDark: boolean): Theme => {
    // The first rule of each theme defines its colours; later ones repeat it for other hosts.
    const rule = rules.find(([, selector]) => selector!.includes('data-theme="dark"') === isDark);
    return Object.fromEntries(
      [...(rule?.[2] ?? "").matchAll(/--attn-([a-z-]+):\s*(#[0-9a-f]{6});?/g)].map((match) => match.slice(1)),
    ) as Theme;
  };
  return [colours(false), colours(true)];
}

/** The colour of the number on a cell, a name or a plain colour: the more legible in each theme. */
export function textColour(themes: Themes, hue: Hue, percent: number): string {
  const [light, dark] = themes.map((theme) => {
    const background = mixed(theme["paper"]!, theme[hue]!, percent);
    return contrast("#000000", background) >= contrast("#ffffff", background) ? "#000000" : "#ffffff";
  });
  if (light === dark) return light!;
  return light === "#000000" ? "on-low" : "on-high";
}

const channels = (colour: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** As CSS `color-mix(in srgb, …)` does it, on the encoded channels. */
function mixed(start: string, end: string, percent: number): string {
  const ends = channels(end);
  const parts = channels(start).map((a, i) => Math.round(a + ((ends[i]! - a) * percent) / 100));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** The relative luminance, from 0 to 1 (WCAG 2.2). */
function luminance(colour: string): number {
  const [red, green, blue] = channels(colour).map((channel) => {
    const c = channel / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
