// The kinds of question that nearly every page has. Any other kind has a script of its own, which
// is loaded where a page asks such a question: kinds/<kind>/script.ts.
import { kind as choice } from "../kinds/choice/choice.ts";
import { kind as numeric } from "../kinds/numeric/numeric.ts";
import { kind as text } from "../kinds/text/text.ts";
import type { Kind } from "./kind.ts";
import { load } from "./load.ts";
import type { Question } from "./types.ts";

const HERE: Record<string, Kind> = { choice, numeric, text };

/** Loads what some questions need. A kind that did not come is not there: see `kindOf`. */
export async function loadKinds(questions: Question[], file: (name: string) => string): Promise<void> {
  const wanted = new Set(questions.map(({ kind }) => kind).filter((kind) => !(kind in HERE)));
  await Promise.all([...wanted].map((kind) => load(file(`${kind}.js`))));
}

export const kindOf = ({ kind }: Question): Kind | undefined => HERE[kind] ?? globalThis.window?.coursekitKinds?.[kind];
