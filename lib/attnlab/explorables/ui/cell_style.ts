// The style of a cell of a heat map: the colour of its number, and what numbers.css makes its ground of.
import { step, textColour, type Kind } from "./scales.ts";

export function cellStyle(value: number, kind: Kind, limit = 1): string {
  const [hue, percent] = step(value, kind, limit);
  const text = textColour(hue, percent);
  const cell = hue === "ink" ? "" : `--cell:var(--attn-${hue});`;
  return `${cell}--level:${percent}%;color:${text.startsWith("#") ? text : `var(--attn-${text})`}`;
}
