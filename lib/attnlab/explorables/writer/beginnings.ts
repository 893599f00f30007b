// How texts may begin, as Python has it, in tokens.
import type { Beginning } from "./panel.ts";
import { BEGIN } from "./source.ts";

/** Layer and head count from 1; 0 follows the sharpest. */
export interface Text {
  readonly label: string;
  readonly text: string;
  readonly layer: number;
  readonly head: number;
  readonly seed: number;
  readonly note: string;
  /** How many of its words were given, if not all were. */
  readonly given?: number;
}

export function beginningsOf(texts: readonly Text[], vocabulary: readonly string[]): Beginning[] {
  const numbers = new Map(vocabulary.map((word, token) => [word, token]));
  return texts.map(({ label, text, layer, head, seed, note, given }) => ({
    label,
    tokens: [BEGIN, ...text.split(" ").map((word) => numbers.get(word)!)],
    given: given === undefined ? undefined : given + 1,
    head: layer > 0 ? [layer - 1, head - 1] : undefined,
    seed,
    note,
  }));
}
