// A text that a reader types, in the model's words: attnlab.gpt.to_tokens, with or without blanks
// around punctuation, with or without capitals.
import { BEGIN } from "../writer/source.ts";

/** The tokens of a text after the mark at its beginning, or the first word that the model lacks. */
export function tokensOf(text: string, words: readonly string[]): number[] | string {
  const numbers = new Map(words.map((word, token) => [word, token]));
  const tokens = [BEGIN as number];
  for (const word of text.replace(/"([^"]*)("|$)/g, "“$1”").match(/\p{L}+|\S/gu) ?? []) {
    const lower = word.toLowerCase();
    const forms = [word, lower, lower[0]!.toUpperCase() + lower.slice(1)];
    const token = forms.map((form) => numbers.get(form)).find((found) => found !== undefined);
    if (token === undefined) return word;
    tokens.push(token);
  }
  return tokens;
}

/** The words that are spelled most like another one, the nearest first. */
export function nearest(word: string, words: readonly string[], count = 3): string[] {
  const pairs = (text: string): string[] => Array.from(text.toLowerCase(), (letter, i) => (text[i - 1] ?? " ").toLowerCase() + letter);
  const own = pairs(word);
  const likeness = (other: string): number => {
    const theirs = pairs(other);
    return (2 * own.filter((pair) => theirs.includes(pair)).length) / (own.length + theirs.length);
  };
  const known = words.filter((each) => /^\p{L}/u.test(each)).map((each) => [likeness(each), each] as const);
  return known.sort(([a], [b]) => b - a).slice(0, count).map(([, each]) => each);
}
