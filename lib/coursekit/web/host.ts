// What the blocks of a page share: the reader's answers, and Python.
import type { Checks } from "./checks.ts";
import type { Python } from "./python.ts";
import type { Store } from "./store.ts";

export interface Host {
  store: Store;
  python: Python;
  checks: Checks;
  /** Address of a file beside the page's script. */
  file: (name: string) => string;
  /** Why Python cannot run here, or null. */
  whyNot: string | null;
}
