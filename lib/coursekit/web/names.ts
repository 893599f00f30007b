// What the editor asks of Python: names that fit at the cursor, and what a name is. It never loads
// Python for that, nor waits for code that runs.
import type { Python } from "./python.ts";

/** What coursekit.live.names.explain answers. */
export interface Explained {
  head: string;
  doc: string;
}

/** Each takes a dotted name and the code in which it stands. Null where Python cannot be asked now. */
export interface Names {
  complete(dotted: string, code: string): Promise<string[] | null>;
  explain(dotted: string, code: string): Promise<Explained | null>;
}

const IMPORTS = /^(?:import|from)\s.+$/gm;

/** `around` is code that stands before the editor's: its imports count. */
export function namesOf(python: Python, cell: boolean, around: () => string): Names {
  // One question waits for the one before, as letters come faster than answers; none waits for a run.
  let before: Promise<unknown> = Promise.resolve();
  const asking = (kind: string) => (dotted: string, code: string) => {
    const answer = before.then(() => answered(kind, dotted, code));
    before = answer;
    return answer;
  };
  const answered = async (kind: string, dotted: string, code: string) => {
    if (!python.isIdle) return null;
    const imports = (`${around()}\n${code}`.match(IMPORTS) ?? []).join("\n");
    return python.ask<never>({ kind, dotted, cell, imports }, () => {}, { limit: 0 }).catch(() => null);
  };
  return { complete: asking("complete"), explain: asking("explain") };
}
