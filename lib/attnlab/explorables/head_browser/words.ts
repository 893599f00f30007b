// Sentences about heads, tokens and changes.
import * as text from "../text.ts";
import { type Head, mapOf, type Reading, sharesOf } from "./reading.ts";

/** `layer 4, head 2`; both counted from 1, as in the book. */
export const headName = ([layer, head]: Head): string => `layer ${layer + 1}, head ${head + 1}`;

/** Where a head's weight goes. */
export function sharesInWords(reading: Reading | undefined, head: Head): string {
  const layer = reading?.layers[head[0]];
  if (!reading || !layer) return `Layer ${head[0] + 1} is not there yet.`;
  const count = reading.tokens.length;
  const { before, itself, after, first, last } = sharesOf(mapOf(layer.weights, head[1], count), count);
  const parts = [
    ["the token before", before],
    ["itself", itself],
    ["the next token", after],
    ["[CLS]", first],
    ["[SEP]", last],
  ] as const;
  const told = parts.map(([where, share]) => `${where} ${text.number(share)}`).join(" · ");
  return `Mean weight in ${headName(head)}, on: ${told}.`;
}

/** What is off and what is cut. */
export function changesInWords(tokens: readonly string[], off: readonly Head[], cut: readonly number[]): string {
  const heads = off.map(headName);
  const words = cut.map((position) => `“${tokens[position] ?? position}”`);
  return [heads.length > 0 && `Off: ${text.words(heads)}.`, words.length > 0 && `Cut: ${text.words(words)}.`]
    .filter(Boolean)
    .join(" ");
}
