// What the blocks of a page share: the reader's answers, Python, and who hears of verdicts.
import type { Checks } from "./checks.ts";
import type { Python } from "./python.ts";
import type { Store } from "./store.ts";
import type { CodeData, Verdict } from "./types.ts";

export interface Host {
  store: Store;
  python: Python;
  checks: Checks;
  /** Address of a file beside the page's script. */
  file: (name: string) => string;
  /** Hears of every verdict on code that the reader has checked. */
  graded: (data: CodeData, verdict: Verdict) => void;
  /** Why Python cannot run here, or null. */
  whyNot: string | null;
}
