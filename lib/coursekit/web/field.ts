// What one question on the page is made of, whatever its kind.
import type { Verdict } from "./types.ts";

/** The verdict on an answer, or what is missing before there can be one. */
export type Graded = Verdict | { missing: string };

/** One question on the page: how to read, restore and grade its answer. */
export interface Field {
  parts: Node[];
  read: () => string;
  restore: (answer: string) => void;
  grade: (answer: string) => Graded;
  /** The numbers of an answer that is a list of them: its picture. */
  numbers?: (answer: string) => number[] | undefined;
  /** Shows in the answer itself what was found; null: it has changed since. */
  show?: (graded: Graded | null) => void;
  label: string;
  /** What brings back that which a right answer folds away. */
  unfold?: string;
}
