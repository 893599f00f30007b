// What the build puts into a page for each exercise (coursekit.page.page_data), and what the
// Python in the worker answers (coursekit.web.in_page). Names are those of Python, and
// tests/coursekit_web/test_types.py compiles real data of both against these types.

import type { Trace } from "./stepper.ts";

/** How a check ended. Code compares this, and never the sentence that goes with it. */
export type Status = "passed" | "failed" | "manual" | "not_run";

/** What one check found: coursekit.verdict.Verdict. */
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
  /** The wrong value that the message speaks of, where it has a picture. */
  picture?: Drawing;
}

/** A value in rows: coursekit.picture.picture_of. null is a part that is left out. */
export interface Drawing {
  form: "weights" | "cells" | "mask" | "shape";
  rows: (number | string | boolean | null)[][];
}

/** How the answers to a question are drawn: coursekit.picture.Picture. */
export interface Picture {
  form: "weights" | "cells" | "shape";
  labels: string[];
  /** By misconception, and "right". */
  means: Record<string, (number | null)[]>;
}

export interface Option {
  key: string;
  correct: boolean;
  success_message: string;
  failure_message: string;
  misconception: string | null;
}

export interface ChoiceQuestion {
  kind: "choice";
  name: string;
  points: number;
  options: Option[];
  picture?: Picture;
}

export interface NumericQuestion {
  kind: "numeric";
  name: string;
  points: number;
  answer: number | number[];
  tolerance: number;
  /** In order: the first whose value fits is the one that is named. */
  mistakes: { id: string; value: number | number[] }[];
  unit: string;
  success_message: string;
  failure_message: string;
  picture?: Picture;
}

export interface ParsonsQuestion {
  kind: "parsons";
  name: string;
  points: number;
  /** In the order in which they are shown. */
  lines: { key: string; text: string }[];
  /** All right answers; ">c" is line c indented once. */
  orders: string[][];
  /** In order: the first whose pattern the answer has is the one that is named. */
  mistakes: { id: string; pattern: string[] }[];
  success_message: string;
  failure_message: string;
}

export interface TextQuestion {
  kind: "text";
  name: string;
  points: number;
}

export type Question = ChoiceQuestion | NumericQuestion | ParsonsQuestion | TextQuestion;

interface Common {
  id: string;
  /** As the exercise file says it: answers to another one have to be checked again. */
  version: string;
  title: string;
  points: number;
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
  checks: { name: string; title: string; points: number }[];
  /** The reader's variable → the field of the explorable's state that it restores. */
  binds: Record<string, string>;
  practice: boolean;
  /** Packages that no page can run: with any, the block has no editor and names the notebook. */
  notebook_only: string[];
  /** The earlier exercises whose functions this one builds on, in the order in which they run. */
  uses: Used[];
  /** Data that is fetched before the code first runs. */
  files: { path: string; bytes: number }[];
  /** Data that the site was built with, or not: what there is of it is fetched as well. */
  data: string[];
}

/** What a code exercise is checked with: coursekit.page.page_data. */
export interface CheckCode {
  check_source: string;
  misconceptions: Record<string, string>;
  /** By the check's name what the exercise's mistakes give in it: coursekit.known. */
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

/** What coursekit.live.cells answers. */
export interface CellReply {
  shown: { html?: string; text?: string }[];
  error: string | null;
  /** The module that is not here. */
  missing: string | null;
  /** The name that a cell above would have defined. */
  unrun: string | null;
  /** Whether the code draws with Matplotlib, which no page has. */
  draws: boolean;
  trace?: Trace;
}
