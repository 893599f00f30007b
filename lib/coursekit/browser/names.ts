// What the editor asks of Python: names that fit at the cursor, and what a name is. It never loads
// Python for that, nor waits for code that runs.
import type { Python } from "./python.ts";

/** A name that fits: coursekit.in_page.names.Option. */
export interface Option {
  label: string;
  type: string;
  detail: string;
}

export interface Explained {
  head: string;
  doc: string;
}

export interface Names {
  /** Null where Python cannot be asked now. */
  complete(code: string, offset: number): Promise<Option[] | null>;
  explain(code: string, offset: number): Promise<Explained | null>;
}

const quiet = () => {};
const IMPORTS = /^(?:import|from)\s.+$/gm;

/** `around` is code that stands before the editor's: its imports count. */
export function namesOf(python: Python, cell: boolean, around: () => string): Names {
  const ask = <R>(request: object, code: string): Promise<R | null> => {
    if (!python.isIdle) return Promise.resolve(null);
    const imports = (`${around()}\n${code}`.match(IMPORTS) ?? []).join("\n");
    return python.ask<R>({ ...request, cell, imports }, quiet, { limit: 0 }).catch(() => null);
  };
  return {
    complete: (code, offset) => ask({ kind: "complete", before: code.slice(0, offset).slice(-200) }, code),
    explain: (code, offset) => ask({ kind: "explain", code, offset }, code),
  };
}
