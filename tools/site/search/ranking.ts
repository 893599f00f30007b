// What a search finds, and in which order: MiniSearch, with the words of this kind of book.
import MiniSearch, { type SearchResult } from "minisearch";
import { stemmer } from "stemmer";

/** As `sections.py` has it. */
export type Section = readonly [
  kind: string,
  anchor: string,
  title: string,
  text: string,
  terms: string,
  heldBack: string,
];

export interface Index {
  /** The pages in reading order, each by its file name. */
  readonly pages: readonly (readonly [file: string, sections: readonly Section[]])[];
  /** Other words for what the pages say: a phrase, and what to look for as well. */
  readonly synonyms: Readonly<Record<string, string>>;
}

export interface Found {
  kind: string;
  title: string;
  /** The title of the page, if that is not what was found. */
  page: string;
  address: string;
  text: string;
  /** The words of the text that made it be found. */
  words: string[];
}

/** A page leads to all that it says; a documented name is mostly what others have explained. */
const WEIGHTS: Readonly<Record<string, number>> = { page: 1.6, section: 1, term: 0.6, exercise: 0.2, name: 0.3 };
/** What is explained first is found first: the last page weighs less by this. */
const LATER = 0.6;
/** How much the first page counts, which tells of all the others. */
const FIRST = 0.7;
/** And on a page the last section by this: it builds on the first. */
const LATER_ON_PAGE = 0.3;
/** Words that are in every text, and say nothing of what is looked for. */
const EMPTY = new Set(
  "a about after an and are at be before by can do does for from how i in is it its my of on or that the to vs what when which why with".split(
    " ",
  ),
);
/** How much less the words of the book's own title count: all pages are about them. */
const SUBJECT = 0.2;
/** Headings that chapters share, such as "Exercises", say nothing of what is there. */
const SHARED = { pages: 3, weight: 0.5 };
/** What is meant by a word that is nowhere is the nearest one; how often pages have it is worth this power. */
const OFTEN = 0.02;
/** What a first way through may leave out comes after what it needs. */
const DEEPER = { title: /^Deeper: /, weight: 0.7 };
/** As many as are shown. */
export const MOST = 12;
/** How much less a place counts that has only some of the words: the power of their share. */
const ALL_WORDS = 3;
/** How much more a place counts that has the words as its title, or introduces them, in this order. */
const NAMED = 1.2;
/** How much the best places of a page count for each of its places, and how many of them. */
const TOPIC = 1.2;
const PLACES = 4;

/** One way to write what can be written in many: QKᵀ and QK^T are QKT, √d is sqrt d. */
export const plain = (text: string): string =>
  text.replaceAll("√", " sqrt ").replaceAll(/(?<=\p{L})\^(?=\p{L})/gu, "").normalize("NFKC").replaceAll(/[‐-―]/g, "-").toLowerCase();

/** `@` is the product of matrices. */
const WORD = /[\p{L}\p{N}_]+|@/gu;

export const words = (text: string): string[] => plain(text).match(WORD) ?? [];

export interface Search {
  /** The best places for a query, best first. */
  find(query: string): Found[];
  /** The query with words of the pages in place of unknown ones that are near; undefined where it is that already. */
  nearest(query: string): string | undefined;
}

/** The words that say what is looked for. */
const content = (text: string): string[] => words(text).filter((word) => !EMPTY.has(word));

/** Where a phrase, of stems, begins and ends in a query, which may have empty words between them. */
function place(asked: readonly string[], phrase: readonly string[]): [from: number, to: number] | undefined {
  for (const from of asked.keys()) {
    let to = from;
    const isHere = phrase.every((stem) => {
      while (to > from && EMPTY.has(asked[to]!) && asked[to] !== stem) to++;
      return stemmer(asked[to++] ?? "") === stem;
    });
    if (isHere) return [from, to];
  }
  return undefined;
}

/** What pages write with a hyphen or with capitals inside: how they write it, by its letters alone. */
type Compounds = ReadonlyMap<string, readonly string[]>;

const COMPOUND = /\p{L}+(?:[-‐-―]\p{L}+)+|\p{Lu}\p{Ll}+(?:\p{Lu}\p{Ll}+)+/gu;
const MOST_PARTS = 3;

function compoundsOf(all: readonly Entry[]): Compounds {
  const found = new Map<string, readonly string[]>();
  for (const { kind, title, text, heldBack } of all) {
    if (kind === "name") continue; // a library's names follow rules of their own
    for (const [compound] of `${title} ${text} ${heldBack}`.matchAll(COMPOUND)) {
      const parts = words(compound);
      // Most write it with a hyphen where both forms are there.
      if (parts.length > 1 || !found.has(parts[0]!)) found.set(parts.join(""), parts);
    }
  }
  return found;
}

/** A query with its compounds as the pages write them: website is web-site, data frame DataFrame. */
function asWritten(query: string, compounds: Compounds): string {
  const asked = words(query);
  const said: string[] = [];
  for (let at = 0; at < asked.length; ) {
    const sizes = [...Array(MOST_PARTS).keys()].map((i) => MOST_PARTS - i);
    const size = sizes.find((n) => compounds.has(asked.slice(at, at + n).join(""))) ?? 1;
    const letters = asked.slice(at, at + size).join("");
    said.push(...(compounds.get(letters) ?? [letters]));
    at += size;
  }
  return said.join(" ");
}

/** A query, and the same with each phrase, in any form of its words, as the pages call it. */
function wordings(query: string, synonyms: Index["synonyms"], compounds: Compounds): string[] {
  const other = words(query);
  for (const [phrase, said] of Object.entries(synonyms)) {
    const [from, to] = place(other, words(phrase).map(stemmer)) ?? [0, 0];
    if (to > from) other.splice(from, to - from, ...words(said));
  }
  return [query, other.join(" "), asWritten(query, compounds)];
}

type Entry = Found & { id: number; terms: string; heldBack: string; weight: number };

const fuzzy = (share: number) => (term: string) => term.length > 3 && share;

function entries(index: Index): Entry[] {
  const uses = new Map<string, number>();
  for (const [, sections] of index.pages) {
    for (const title of new Set(sections.map(([, , title]) => title))) uses.set(title, (uses.get(title) ?? 0) + 1);
  }
  return index.pages.flatMap(([file, sections], place) => {
    const page = sections.find(([kind]) => kind === "page")?.[2] ?? "";
    const order = place === 0 ? FIRST : 1 - (LATER * place) / index.pages.length;
    return sections.map(([kind, anchor, title, text, terms, heldBack], i) => ({
      id: 0,
      kind,
      title,
      page: kind === "page" ? "" : page,
      address: kind === "page" ? file : `${file}#${anchor}`,
      text,
      terms,
      heldBack,
      words: [],
      weight:
        (WEIGHTS[kind] ?? 1) *
        order *
        (1 - (LATER_ON_PAGE * i) / sections.length) *
        (uses.get(title)! < SHARED.pages ? 1 : SHARED.weight) *
        (DEEPER.title.test(title) ? DEEPER.weight : 1),
    }));
  });
}

function engineOf(all: readonly Entry[]): MiniSearch<Entry> {
  const subject = new Set(words(all[0]?.title ?? "").map(stemmer));
  const engine = new MiniSearch<Entry>({
    fields: ["title", "page", "terms", "text", "heldBack"],
    storeFields: ["kind", "title", "page", "address", "terms", "text", "weight"],
    tokenize: words,
    processTerm: (term) => (EMPTY.has(term) ? null : stemmer(term)),
    searchOptions: {
      boost: { title: 3, terms: 1, page: 0.7 },
      boostDocument: (_id, _term, stored) => (stored?.weight as number | undefined) ?? 1,
      boostTerm: (term) => (subject.has(term) ? SUBJECT : 1),
      // The longer a word, the more of its letters may be wrong.
      fuzzy: fuzzy(0.2),
      prefix: (term, i, terms) => i === terms.length - 1 && term.length > 1,
      weights: { fuzzy: 0.2, prefix: 0.5 },
    },
  });
  engine.addAll(all.map((entry, id) => ({ ...entry, id })));
  return engine;
}

/** Stems in a row, between spaces: what can be looked for in another such row. */
const row = (text: string): string => ` ${content(text).map(stemmer).join(" ")} `;

/** Makes the search of an index; one is enough for a page's life. */
export function searchOf(index: Index): Search {
  const all = entries(index);
  const engine = engineOf(all);
  const compounds = compoundsOf(all);
  const find = (query: string): Found[] => {
    const found = new Map<unknown, SearchResult>();
    for (const wording of wordings(query, index.synonyms, compounds)) {
      const asked = content(wording).length;
      for (const each of engine.search(wording)) {
        const named = row(`${each.title}, ${each.terms}`).includes(row(wording)) ? NAMED : 1;
        const score = named * each.score * (each.queryTerms.length / asked) ** ALL_WORDS;
        if (score > (found.get(each.id)?.score ?? 0)) found.set(each.id, { ...each, score });
      }
    }
    return ranked([...found.values()], query).slice(0, MOST).map(({ kind, title, page, address, text, match }) => {
      return { kind, title, page, address, text, words: Object.keys(match) } as Found;
    });
  };
  const isKnown = (word: string): boolean => EMPTY.has(word) || engine.search(word).length > 0;
  let near: ((word: string) => string | undefined) | undefined;
  const nearest = (query: string): string | undefined => {
    if (wordings(query, index.synonyms, compounds).some((wording) => words(wording).every(isKnown))) return undefined;
    near ??= wordsNear(all);
    const better = query.replaceAll(WORD, (word) => (isKnown(word) ? word : (near!(plain(word)) ?? word)));
    return better === query ? undefined : better;
  };
  return { find, nearest };
}

/** Finds, for a word that no page has, the one of theirs that has the most letters in common. */
function wordsNear(all: readonly Entry[]): (word: string) => string | undefined {
  const counts = new Map<string, number>();
  for (const { title, text, heldBack } of all) {
    for (const word of words(`${title} ${text} ${heldBack}`)) {
      if (word.length > 3 && !EMPTY.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  const engine = new MiniSearch<{ id: string; word: string }>({
    fields: ["word"],
    tokenize: (text) => [text],
    searchOptions: { fuzzy: fuzzy(0.29), boostDocument: (id) => counts.get(id as string)! ** OFTEN },
  });
  engine.addAll([...counts.keys()].map((word) => ({ id: word, word })));
  // As long as the word within this many letters: "looked" is no slip in "lookahead".
  const isLike = (word: string, near: string) => Math.abs(near.length - word.length) < 3;
  return (word) => engine.search(word).find(({ id }) => isLike(word, id as string))?.id as string | undefined;
}

/** The best first: places count for more on a page that says more of what is looked for. */
function ranked(found: SearchResult[], query: string): SearchResult[] {
  const file = ({ address }: SearchResult): string => address.split("#")[0];
  const topic = new Map<string, number[]>();
  found.sort((a, b) => b.score - a.score);
  for (const each of found) topic.set(file(each), [...(topic.get(file(each)) ?? []), each.score]);
  const rank = (each: SearchResult): number => {
    // A name that is written out in full is not a topic.
    if (each.kind === "name" && each.title === query) return Infinity;
    return each.score + TOPIC * topic.get(file(each))!.slice(0, PLACES).reduce((sum, score) => sum + score, 0);
  };
  return found.sort((a, b) => rank(b) - rank(a));
}

/** The part of a text that has the most of the words, cut at spaces, in pieces: those that were found are marked. */
export function snippet(text: string, stems: readonly string[], length = 160): { text: string; isMarked: boolean }[] {
  const all = text.split(" ");
  const found = all.map((word) => words(word).map(stemmer).filter((stem) => stems.includes(stem)));
  const variety = (at: number): number => new Set(found.slice(at, at + length / 8).flat()).size;
  let at = 0;
  found.forEach((stems, i) => {
    if (stems.length > 0 && variety(i) > (found[at]!.length > 0 ? variety(at) : 0)) at = i;
  });
  let [from, size] = [at, 0];
  while (from > 0 && size < length / 3) size += all[--from]!.length + 1;
  const shown = from > 0 ? [{ text: "… ", isMarked: false }] : [];
  let [to, used] = [from, 0];
  for (; to < all.length && used < length; used += all[to++]!.length + 1) {
    // What stands around the word, such as a comma, is not a part of it.
    const [, before, word, after] = all[to]!.match(/^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}]*)$/u)!;
    const isMarked = found[to]!.length > 0;
    shown.push({ text: before!, isMarked: false }, { text: word!, isMarked }, { text: `${after!} `, isMarked: false });
  }
  if (to < all.length) shown.push({ text: "…", isMarked: false });
  return shown.filter(({ text }) => text);
}
