// The style of a cell of a heat map: the colour of its number, and what numbers.css makes its ground of.
import tokens from "../../drawing/tokens.css";
import { step, textColour, themesOf, type Kind } from "./scales.ts";

const themes = themesOf(tokens);

export function cellStyle(value: number, kind: Kind, limit = 1): string {
  const [hue, percent] = step(value, kind, limit);
  const text = textColour(themes, hue, percent);
  const cell = hue === "ink" ? "" : `--cell:var(--attn-${hue});`;
  return `${cell}--level:${percent}%;color:${text.startsWith("#") ? text : `var(--attn-${text})`}`;
}
