// What a kind of question is to the page, as coursekit.kinds.base is to Python. Each has a file
// kinds/<kind>/<kind>.ts that exports its `kind`.
import type { Question, QuizData, Verdict } from "./types.ts";

/** What Check says: a verdict, or a sentence where there is nothing to grade yet. */
export type Graded = Verdict | { missing: string };

/** What one question on the page is made of. */
export interface Field {
  label: string;
  parts: Node[];
  read: () => string;
  restore: (answer: string) => void;
  grade: (answer: string) => Graded;
  /** Shows in the answer itself what was found; null: nothing has been, or the answer has changed. */
  show?: (graded: Graded | null) => void;
  /** What brings back that which a right answer folds away. */
  unfold?: string;
}

export interface Asked<Q> {
  quiz: QuizData;
  question: Q;
  /** What the page has of the question without a script. */
  place: HTMLElement;
  /** Id of the statement. */
  statement: string;
}

export interface Kind<Q extends Question = Question> {
  /** Takes the place of what stands below the statement. */
  field(asked: Asked<Q>): Field;
  /** The same verdict as Python's, on an answer as Python has it; none on prose. */
  grade?(quiz: QuizData, question: Q, answer: unknown): Verdict;
  /** An answer that the page keeps, as Python. Without this it goes in as the text that it is. */
  written?(quiz: QuizData, question: Q, text: string): string;
  /** Prose has a cell of its own in a notebook. */
  isProse?: boolean;
}

declare global {
  interface Window {
    /** Kinds whose scripts have been loaded. */
    coursekitKinds?: Record<string, Kind>;
  }
}
