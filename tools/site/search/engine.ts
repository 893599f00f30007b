// What a search finds: MiniSearch, told how this book writes its words.
import MiniSearch from "minisearch";
import { stemmer } from "stemmer";

/** As `sections.py` has it. */
export type Section = readonly [kind: string, anchor: string, title: string, text: string, heldBack: string];

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

/** The words of a text, in one way of many: QKᵀ and QK^T are QKT, √d is sqrt d, look-ahead is lookahead, too. */
function words(text: string): string[] {
  const plain = text.replaceAll("√", " sqrt ").replaceAll("^", "").normalize("NFKC").toLowerCase();
  return (plain.match(/[\p{L}\p{N}_]+(?:[-‐-―][\p{L}\p{N}_]+)*|@/gu) ?? []).flatMap((word) => {
    const parts = word.split(/[-‐-―]/);
    return parts.length > 1 ? [...parts, parts.join("")] : parts;
  });
}

const stems = (text: string): string[] => words(text).map(stemmer);

/** A query with each phrase of the synonyms, in any form of its words, as the pages call it. */
const reworded = (query: string, synonyms: Index["synonyms"]): string =>
  Object.entries(synonyms).reduce(
    (asked, [phrase, said]) => asked.replace(` ${stems(phrase).join(" ")} `, ` ${said} `),
    ` ${stems(query).join(" ")} `,
  );

/** Makes the search of an index, which returns the best places for a query, best first. */
export function searchOf(index: Index): (query: string) => Found[] {
  const engine = new MiniSearch<Omit<Found, "stems"> & { id: number; heldBack: string; weight: number }>({
    fields: ["title", "page", "text", "heldBack"],
    storeFields: ["kind", "title", "page", "address", "text", "weight"],
    tokenize: words,
    processTerm: stemmer,
    searchOptions: { boost: { title: 3 }, prefix: true, boostDocument: (_id, _term, stored) => stored!["weight"] as number },
  });
  for (const [place, [file, sections]] of index.pages.entries()) {
    const name = sections.find(([kind]) => kind === "page")?.[2] ?? "";
    for (const [kind, anchor, title, text, heldBack] of sections) {
      const [page, address] = kind === "page" ? ["", file] : [name, `${file}#${anchor}`];
      // What is explained first comes first; what exercises and documented names say of it comes last.
      const weight = (/exercise|name/.test(kind) ? 0.3 : 1) * (1 - (0.7 * place) / index.pages.length);
      engine.add({ id: engine.documentCount, kind, title, text, heldBack, page, address, weight });
    }
  }
  return (query) => {
    const queries = [query, reworded(query, index.synonyms)];
    // Of longer words more letters may be wrong; of all still more, where else nothing is found.
    const [exact, near] = [0.2, 0.4].map((share) => () => engine.search({ queries }, { fuzzy: (term) => term.length > 4 && share }));
    const found = exact!();
    return (found.length > 0 ? found : near!()).slice(0, MOST).map((each) => ({ ...(each as unknown as Found), stems: Object.keys(each.match) }));
  };
}

/** Sixty words and gaps of a text that say most of what was found, in pieces: each with whether it was found. */
export function excerpt(text: string, found: readonly string[]): [piece: string, isFound: boolean][] {
  const pieces = text.split(/([\p{L}\p{N}_@-]+)/u).map((piece): [string, number] => [piece, stems(piece).filter((stem) => found.includes(stem)).length]);
  const counts = pieces.map(([, count]) => count);
  const from = Math.max(0, counts.indexOf(Math.max(...counts)) - 16);
  const shown = pieces.slice(from, from + 60).map(([piece, count]): [string, boolean] => [piece, count > 0]);
  return [[from > 0 ? "… " : "", false], ...shown, [from + 60 < pieces.length ? " …" : "", false]];
}
