// What a search finds: MiniSearch, told how this book writes its words.
import MiniSearch, { type SearchResult } from "minisearch";
import { stemmer } from "stemmer";

/** As `sections.py` has it. */
export type Section = readonly [
  kind: string,
  anchor: string,
  title: string,
  text: string,
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
  /** The words of the text that made it be found, as stems. */
  stems: string[];
}

/** As many as are shown. */
export const MOST = 12;
/** What is explained first is found first, and what exercises and documented names say of it after that. */
const LATER = 0.7;
const ASIDE: Readonly<Record<string, number>> = { exercise: 0.3, name: 0.3 };
/** Words that are in every text, and say nothing of what is looked for. */
const EMPTY =
  /^(?:a|about|after|an|and|are|at|be|before|by|can|do|does|for|from|how|i|in|is|it|its|my|of|on|or|that|the|to|vs|what|when|which|why|with)$/;

/** One way to write what can be written in many: QKᵀ and QK^T are QKT, √d is sqrt d. */
const plain = (text: string): string =>
  text.replaceAll("√", " sqrt ").replaceAll(/(?<=\p{L})\^(?=\p{L})/gu, "").normalize("NFKC").replaceAll(/[‐-―]/g, "-");

/** `@` is the product of matrices; a compound is its parts, and these in one: look-ahead, lookahead. */
const COMPOUND = /[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*|@/gu;
const PART = /-|(?<=\p{Ll})(?=\p{Lu}\p{Ll})/u;

function words(text: string): string[] {
  return (plain(text).match(COMPOUND) ?? []).flatMap((word) => {
    const parts = word.split(PART);
    return (parts.length > 1 ? [...parts, parts.join("")] : parts).map((part) => part.toLowerCase());
  });
}

const stems = (text: string): string[] => words(text).map(stemmer);

/** A query with each phrase of the synonyms, in any form of its words, as the pages call it. */
function reworded(query: string, synonyms: Index["synonyms"]): string {
  let asked = ` ${stems(query).join(" ")} `;
  for (const [phrase, said] of Object.entries(synonyms)) {
    asked = asked.replace(` ${stems(phrase).join(" ")} `, ` ${said} `);
  }
  return asked;
}

/** Makes the search of an index, which returns the best places for a query, best first. */
export function searchOf(index: Index): (query: string) => Found[] {
  const engine = new MiniSearch({
    fields: ["title", "page", "text", "heldBack"],
    storeFields: ["kind", "title", "page", "address", "text", "weight"],
    tokenize: words,
    processTerm: (term) => (EMPTY.test(term) ? null : stemmer(term)),
    searchOptions: {
      boost: { title: 3 },
      boostDocument: (_id, _term, stored) => stored!.weight as number,
      prefix: true,
    },
  });
  let id = 0;
  for (const [place, [file, sections]] of index.pages.entries()) {
    const page = sections.find(([kind]) => kind === "page")?.[2] ?? "";
    for (const [kind, anchor, title, text, heldBack] of sections) {
      const isPage = kind === "page";
      engine.add({
        ...{ id: id++, kind, title, text, heldBack, page: isPage ? "" : page },
        weight: (ASIDE[kind] ?? 1) * (1 - (LATER * place) / index.pages.length),
        address: isPage ? file : `${file}#${anchor}`,
      });
    }
  }
  // Of longer words more letters may be wrong; of all still more, where else nothing is found.
  const near = (query: string, share: number): SearchResult[] =>
    engine.search({ queries: [query, reworded(query, index.synonyms)] }, { fuzzy: (term) => term.length > 4 && share });
  return (query) => {
    const exact = near(query, 0.2);
    return (exact.length > 0 ? exact : near(query, 0.4))
      .slice(0, MOST)
      .map(({ kind, title, page, address, text, match }) => ({ kind, title, page, address, text, stems: Object.keys(match) }) as Found);
  };
}

/** How many words and gaps an excerpt has, and how many of them before what was found. */
const PIECES = { before: 16, all: 60 };

/** A text from shortly before the word on that says most of what was found, in pieces: each with whether it was found. */
export function excerpt(text: string, found: readonly string[]): [piece: string, isFound: boolean][] {
  const pieces = text.split(/([\p{L}\p{N}_@-]+)/u);
  const counts = pieces.map((piece) => stems(piece).filter((stem) => found.includes(stem)).length);
  const from = Math.max(0, counts.indexOf(Math.max(...counts)) - PIECES.before);
  const shown = pieces.map((piece, i): [string, boolean] => [piece, counts[i]! > 0]).slice(from, from + PIECES.all);
  if (from > 0) shown.unshift(["… ", false]);
  if (from + PIECES.all < pieces.length) shown.push([" …", false]);
  return shown;
}
