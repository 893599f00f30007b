// Which page of a site somebody meant who typed an address at which there is none.
import { decoded } from "./dom.ts";


/** The words of an address: its last part without its ending, as pages are named. */
export function wordsOf(path: string): string {
  const parts = path.split("/").filter((part) => part !== "");
  const last = decoded(parts.at(-1) ?? "");
  return last
    .replace(/\.[a-z]+$/i, "")
    .toLowerCase()
    .replace(/[\s_.]+/g, "-");
}

/** The name that is nearest to what was typed, if one is near: a third of its letters may differ. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Infinity;
  for (const name of names) {
    const isBeginning = typed.length > 2 && name.startsWith(typed);
    const far = isBeginning ? 1 : edits(typed, name);
    if (far < least && far <= Math.max(name.length, typed.length) / 3) [best, least] = [name, far];
  }
  return best;
}

/** How many letters have to be put in, left out or replaced (Levenshtein's distance). */
export function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [above, letter] of [...from].entries()) {
    const next = [above + 1];
    for (let column = 1; column <= to.length; column++) {
      const replaced = row[column - 1]! + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[column]! + 1, next[column - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
