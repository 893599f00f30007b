// Sentences of the grammar: a subject, prepositions each with a noun, "had been", a participle.

export interface Lexicon {
  nouns: readonly string[];
  prepositions: readonly string[];
  verbs: readonly string[];
  /** The tokens of the translation: begin, end, nouns, prepositions, auxiliaries, participles. */
  target: readonly string[];
  feminine: readonly string[];
}

/** Training had up to six phrases. */
export const MOST_PHRASES = 8;
const FIRST_NOUN = 2;
const END = 1;

/** The word list that a place of a sentence takes its word from. */
export function listAt(lexicon: Lexicon, place: number, count: number): readonly string[] {
  if (place === count - 1) return lexicon.verbs;
  return place % 2 === 0 ? lexicon.nouns : lexicon.prepositions;
}

/** The words of a sentence, or undefined if the grammar does not have it. */
export function parsed(lexicon: Lexicon, sentence: string): string[] | undefined {
  const words = sentence.trim().split(/\s+/);
  const count = words.length;
  const isLong = count < 2 || count % 2 === 1 || count > 2 + 2 * MOST_PHRASES;
  return isLong || words.some((word, i) => !listAt(lexicon, i, count).includes(word)) ? undefined : words;
}

/** The tokens that the encoder reads, as text: "had been" comes before the participle. */
export function english(lexicon: Lexicon, words: readonly string[]): string[] {
  const read = words.map((word, i) => (lexicon.nouns.includes(word) && i % 2 === 0 ? `the ${word}` : word));
  return [...read.slice(0, -1), "had been", read.at(-1)!];
}

/** The numbers of the tokens that the encoder reads. */
export function tokensOf(lexicon: Lexicon, words: readonly string[]): number[] {
  const { nouns, verbs, prepositions } = lexicon;
  const firsts = new Map([[nouns, 0], [verbs, nouns.length], [prepositions, nouns.length + verbs.length]]); // prettier-ignore
  const tokens = words.map((word, i) => {
    const list = listAt(lexicon, i, words.length);
    return firsts.get(list)! + list.indexOf(word);
  });
  const hadBeen = nouns.length + verbs.length + prepositions.length;
  return [...tokens.slice(0, -1), hadBeen, tokens.at(-1)!];
}

/** The right translation, as tokens. */
export function translation(lexicon: Lexicon, words: readonly string[]): number[] {
  const { nouns, verbs, prepositions, feminine, target } = lexicon;
  const auxiliary = FIRST_NOUN + nouns.length + prepositions.length;
  const tokens = words.slice(0, -1).map((word, i) =>
    i % 2 === 0 ? FIRST_NOUN + nouns.indexOf(word) : FIRST_NOUN + nouns.length + prepositions.indexOf(word),
  );
  const participle = 2 * verbs.indexOf(words.at(-1)!) + Number(feminine.includes(words[0]!));
  return [...tokens, auxiliary, target.length - 2 * verbs.length + participle, END];
}
