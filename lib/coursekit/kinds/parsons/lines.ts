// The arithmetic of a Parsons problem's answer. As in Python, ">c" is line c indented once.

export const letterOf = (entry: string): string => entry.at(-1)!;
export const depthOf = (entry: string): number => entry.length - 1;
const entryOf = (letter: string, depth: number): string => ">".repeat(depth) + letter;

/** The answer with a line put at a place, from wherever it was; a place counts without it. */
export function putAt(placed: string[], letter: string, place: number, depth: number): string[] {
  const rest = placed.filter((entry) => letterOf(entry) !== letter);
  return [...rest.slice(0, place), entryOf(letter, depth), ...rest.slice(place)];
}

export function takeOut(placed: string[], letter: string): string[] {
  return placed.filter((entry) => letterOf(entry) !== letter);
}

/** The answer with a line moved up (-1) or down (1), as far as that goes. */
export function moved(placed: string[], letter: string, by: number): string[] {
  const at = placed.findIndex((entry) => letterOf(entry) === letter);
  if (at < 0) return placed;
  const to = Math.min(Math.max(at + by, 0), placed.length - 1);
  return putAt(placed, letter, to, depthOf(placed[at]!));
}

/** The answer with a line indented once more (1) or less (-1), at most `deepest` times. */
export function indented(placed: string[], letter: string, by: number, deepest: number): string[] {
  return placed.map((entry) => {
    if (letterOf(entry) !== letter) return entry;
    return entryOf(letter, Math.min(Math.max(depthOf(entry) + by, 0), deepest));
  });
}

/** An answer that was kept as text; what is no line of this question is left out. */
export function parseLines(text: string, letters: string[], deepest: number): string[] {
  const entries = text.split(" ").filter((entry) => /^>*[a-z]$/.test(entry));
  const known = entries.filter((entry) => letters.includes(letterOf(entry)));
  const first = known.filter((e, i) => known.findIndex((o) => letterOf(o) === letterOf(e)) === i);
  return first.map((entry) => entryOf(letterOf(entry), Math.min(depthOf(entry), deepest)));
}

/** Where a line stands, in words. */
export function spokenPlace(placed: string[], letter: string): string {
  const at = placed.findIndex((entry) => letterOf(entry) === letter);
  if (at < 0) return `Line ${letter} is not in your answer.`;
  const depth = depthOf(placed[at]!);
  const times = depth === 0 ? "" : depth === 1 ? ", indented once" : `, indented ${depth} times`;
  return `Line ${letter} is line ${at + 1} of ${placed.length} in your answer${times}.`;
}
