// The arithmetic of a match: which letter each number has.

export type Pairs = Readonly<Record<string, string>>;

/** The pairs with a number put to a letter, from wherever it was, or to none (null). */
export function put(pairs: Pairs, number: string, letter: string | null): Pairs {
  const { [number]: _, ...others } = pairs;
  return letter === null ? others : { ...others, [number]: letter };
}

/** The next letter (1) or the one before (-1); from none, the first or the last. */
export function neighbour(letters: string[], letter: string | undefined, by: 1 | -1): string {
  const at = letter === undefined ? (by === 1 ? -1 : letters.length) : letters.indexOf(letter);
  return letters[Math.min(Math.max(at + by, 0), letters.length - 1)]!;
}

/** As text, by number: "1b 3a". */
export const written = (pairs: Pairs): string =>
  Object.keys(pairs).sort().map((number) => number + pairs[number]).join(" ");

/** Pairs that were kept as text; what this question does not have is left out. */
export function parsePairs(text: string, left: string[], right: string[]): Pairs {
  const known = text.split(" ").filter((pair) => left.includes(pair.slice(0, -1)) && right.includes(pair.slice(-1)));
  return Object.fromEntries(known.map((pair) => [pair.slice(0, -1), pair.slice(-1)]));
}

/** Where a number is, in words. */
export const spokenPartner = (pairs: Pairs, number: string): string =>
  pairs[number] === undefined ? `${number} has no partner yet.` : `${number} belongs to ${pairs[number]}.`;
