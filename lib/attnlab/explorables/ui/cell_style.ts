// The style of a cell of a heat map: its background and the colour of its number.
import tokens from "../../drawing/tokens.css";
import { step, textColour, themesOf, type Kind } from "./scales.ts";

const themes = themesOf(tokens);

export function cellStyle(value: number, kind: Kind, limit = 1): string {
  const [hue, percent] = step(value, kind, limit);
  const text = textColour(themes, hue, percent);
  const background = `color-mix(in srgb, var(--attn-${hue}) ${percent}%, var(--attn-paper))`;
  return `background:${background};color:${text.startsWith("#") ? text : `var(--attn-${text})`}`;
}
