// What the build puts into a page for each exercise (coursekit.page.page_data), and what the
// Python in the worker answers (coursekit.in_page.answers). Names are those of Python, and
// tests/coursekit_web/test_types.py compiles real data of both against these types.

import type { Trace } from "./stepper.ts";

/** How a check ended. Code compares this, and never the sentence that goes with it. */
export type Status = "passed" | "failed" | "manual" | "not_run";

/** What one check found: coursekit.judge.verdict.Verdict. */
export interface Verdict {
  exercise: string;
  check: string;
  status: Status;
  points: number;
  max_points: number;
  hidden: boolean;
  message: string;
  misconception: string | null;
  explanation: string;
  drawing?: Drawing;
}

/** A picture of an answer's value: coursekit.judge.drawn.Drawing. */
export interface Drawing {
  form: string;
  /** The text of each part, and whether it is not right. */
  rows: [string, boolean][][];
  part: string;
}

/** Whether the misconception has an explanation: "returns-nothing", for example, has none. */
export const isExplained = (verdict: Verdict) => Boolean(verdict.explanation);

/** A question; what else its kind has of it is typed in kinds/<kind>/<kind>.ts. */
export interface Question {
  kind: string;
  name: string;
  points: number;
  [more: string]: unknown;
}

interface Common {
  id: string;
  /** As the exercise file says it: answers to another one have to be checked again. */
  version: string;
  title: string;
  points: number;
  /** What the line above the title says once the exercise is done: "4 of 4 points". */
  earned: string;
}

export interface QuizData extends Common {
  kind: "quiz";
  misconceptions: Record<string, string>;
  questions: Question[];
}

export interface CodeData extends Common {
  kind: "code";
  /** Changes with what the code is checked with: in the name of the file that has it. */
  digest: string;
  setup: string;
  starter: string;
  checks: { name: string; title: string }[];
  /** What the work counts in a course, where it is graded. */
  worth: string;
  /** The reader's variable → the field of the explorable's state that it restores. */
  binds: Record<string, string>;
  practice: boolean;
  /** Packages that no page can run: with any, the block has no editor and names the notebook. */
  notebook_only: string[];
  /** The earlier exercises whose functions this one builds on, in the order in which they run. */
  uses: Used[];
  /** Of graded work: shape and range of a right result of the example, where there are such. */
  expected?: { shape: number[]; low: number; high: number };
  /** Data that is fetched before the code first runs. */
  files: { path: string; bytes: number }[];
  /** Data that the site was built with, or not: what there is of it is fetched as well. */
  data: string[];
}

/** What a code exercise is checked with: coursekit.page.page_data. */
export interface CheckCode {
  check_source: string;
  misconceptions: Record<string, string>;
  /** What mistakes give in each check, for coursekit.judge.comparisons.Known to read. */
  known: Record<string, unknown>;
}

export interface Used {
  id: string;
  version: string;
  title: string;
  names: string[];
  setup: string;
  /** The import of the course's own functions, for a reader without an answer that passed. */
  stand_in: string;
}

/** What a finale runs on: coursekit.page.finale. */
export interface FinaleData {
  /** The course's class that answers the figure. */
  runs: string;
  /** The exercises that have to pass, in the order in which their answers run, and optional ones. */
  steps: Used[];
  more: Used[];
  /** Data that is fetched before the answers first run. */
  files: string[];
}

/** A question of the page's list of cards: coursekit.page.cards. */
export interface CardData {
  id: string;
  quiz: QuizData;
  /** Question, answer and chapter, as the deck has them. */
  row: string[];
}

export type ExerciseData = QuizData | CodeData;

export interface Request {
  exercise: string;
  before: { title: string; code: string }[];
  setup: string;
  code: string;
  check_source: string;
  checks: string[];
  misconceptions: Record<string, string>;
  known: Record<string, unknown>;
  binds: string[];
  files: string[];
  /** The check whose first call is shown, where none is run. */
  example?: string;
}

export interface Reply {
  /** A call of the reader's function and what came back; empty when there is none. */
  example: string;
  output: string;
  /** Text of the last line's value; empty when there is none. */
  value: string;
  /** One line, or null when the code ran. */
  error: string | null;
  /** How many checks pass, in a sentence. */
  headline: string;
  verdicts: Verdict[];
  values: Record<string, unknown>;
}

/** What coursekit.page.cells writes: the page's code cells in order. */
export interface CellsData {
  /** Address of the chapter's notebook; empty where there is none. */
  notebook: string;
  /** `source` is the code of a cell that does not show it; `needs` what no page has. */
  cells: { source?: string; needs?: string }[];
}

/** What coursekit.in_page.cells answers. */
export interface CellReply {
  shown: { html?: string; text?: string }[];
  error: string | null;
  /** The module that is not here. */
  missing: string | null;
  /** The name that a cell above would have defined. */
  unrun: string | null;
  trace?: Trace;
}

/** What coursekit.in_page.finale answers. */
export interface FinaleReply {
  answered: unknown;
  error: string | null;
  /** The title of the exercise whose answer failed. */
  step: string;
}
