// What a place may look at, and what the loss asks there, under three objectives.
import { causal, either, everything } from "../masks.ts";

export interface Text {
  tokens: readonly string[];
  hidden: readonly number[];
  prefix: number;
}

export const OBJECTIVES = ["next", "hidden", "prefix"] as const;
export type Objective = (typeof OBJECTIVES)[number];

export function maskOf({ tokens, prefix }: Text, objective: string): boolean[][] {
  const count = tokens.length;
  if (objective === "hidden") return everything(count, count);
  const before = causal(count, count);
  if (objective === "next") return before;
  return either(before, before.map((row) => row.map((_, j) => j < prefix)));
}

/** The token that is asked for at each place, "" where nothing is. */
export function asked({ tokens, hidden, prefix }: Text, objective: string): string[] {
  if (objective === "hidden") return tokens.map((token, i) => (hidden.includes(i) ? token : ""));
  const first = objective === "prefix" ? prefix - 1 : 0;
  return tokens.map((_, i) => (i >= first ? (tokens[i + 1] ?? "") : ""));
}

/** What the model reads at each place: a gap where a token is hidden. */
export const read = ({ tokens, hidden }: Text, objective: string): string[] =>
  tokens.map((token, i) => (objective === "hidden" && hidden.includes(i) ? "[MASK]" : token));
