// Tokens as a text that one reads: attnlab.gpt.to_text, word by word.
import { BEGIN, END, PAD } from "./source.ts";

const CLOSING = new Set([",", ".", "?", ":", "”"]);
const NAMES: Readonly<Record<string, string>> = {
  ",": "comma",
  ".": "full stop",
  "?": "question mark",
  ":": "colon",
  "“": "opening quote",
  "”": "closing quote",
};

export interface Shown {
  readonly text: string;
  /** Whether a blank stands before it. */
  readonly isApart: boolean;
}

/** Each token as it stands in the text; the mark at the beginning is shown, too. */
export function shown(words: readonly string[], tokens: readonly number[]): Shown[] {
  let [starts, before] = [true, ""];
  return tokens.map((token) => {
    if (token === PAD || token === BEGIN || token === END) {
      return { text: token === BEGIN ? "start" : "", isApart: false };
    }
    const word = words[token]!;
    const isCapital = starts && isWord(word);
    if (isCapital) starts = false;
    starts ||= word === ".";
    const isApart = before !== "" && before !== "“" && !CLOSING.has(word);
    before = word;
    return { text: isCapital ? word[0]!.toUpperCase() + word.slice(1) : word, isApart };
  });
}

/** Whether it is a word and no punctuation. */
export const isWord = (word: string): boolean => /^\p{L}/u.test(word);

/** The name of a punctuation mark or of the mark at the end; "" of a word. */
export const markOf = (words: readonly string[], token: number): string =>
  token === END ? "end mark" : token === BEGIN ? "start mark" : (NAMES[words[token]!] ?? "");

/** A token in a sentence: “lived”, the comma. */
export function spoken(words: readonly string[], token: number, text = words[token]!): string {
  const mark = markOf(words, token);
  return mark ? `the ${mark}` : `“${text}”`;
}
