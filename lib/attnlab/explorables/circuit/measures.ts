// What is measured of the model: its loss in the repeats, and where its heads look.
import { NUM_WORDS } from "./weights.ts";
import type { Pass } from "./forward.ts";

/** The cross-entropy of each next token in nats: one less than tokens. */
export const losses = ({ text, shares }: Pass): number[] =>
  text.slice(1).map((next, t) => -Math.log(shares[t * NUM_WORDS + next]!));

/** The mean loss where the next token can be known: from the second time on. */
export function lossInRepeats(passes: readonly Pass[], periods: readonly number[]): number {
  const known = passes.flatMap((pass, i) => losses(pass).slice(periods[i]));
  return known.reduce((sum, x) => sum + x, 0) / known.length;
}

/** The mean weight on the token before; the first token has none and does not count. */
export function previousTokenScore(weights: Float64Array, tokens: number): number {
  let sum = 0;
  for (let i = 1; i < tokens; i++) sum += weights[i * tokens + i - 1]!;
  return sum / (tokens - 1);
}

/**
 * The mean weight on what followed earlier occurrences of the query's token, over the queries whose
 * token occurred before; undefined if none did.
 */
export function inductionScore(weights: Float64Array, text: readonly number[]): number | undefined {
  const shares = text.flatMap((word, i) => {
    const found = followers(text, word, i);
    return found.length > 0 ? [found.reduce((sum, j) => sum + weights[i * text.length + j]!, 0)] : [];
  });
  return shares.length > 0 ? shares.reduce((sum, x) => sum + x, 0) / shares.length : undefined;
}

/** The positions, up to that of the query, behind an earlier occurrence of its word. */
export function followers(text: readonly number[], word: number, query: number): number[] {
  return text.slice(0, query).flatMap((other, j) => (other === word ? [j + 1] : []));
}

/** The likeliest next word after a token, and its share. */
export function predicted({ shares }: Pass, token: number): { word: number; share: number } {
  const row = shares.subarray(token * NUM_WORDS, (token + 1) * NUM_WORDS);
  const share = Math.max(...row);
  return { word: row.indexOf(share), share };
}
