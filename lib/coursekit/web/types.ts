// What the build puts into a page for each exercise (coursekit.page.page_data), and what the
// Python in the worker answers (coursekit.web.in_page).

export interface Option {
  key: string;
  right: boolean;
  feedback: string;
  misconception: string | null;
}

export interface ChoiceQuestion {
  type: "choice";
  name: string;
  points: number;
  options: Option[];
}

export interface NumericQuestion {
  type: "numeric";
  name: string;
  points: number;
  answer: number | number[];
  tolerance: number;
  /** In order: the first whose value fits is the one that is named. */
  mistakes: { id: string; value: number | number[] }[];
  unit: string;
  right: string;
}

export interface TextQuestion {
  type: "text";
  name: string;
  points: number;
}

export type Question = ChoiceQuestion | NumericQuestion | TextQuestion;

interface Common {
  id: string;
  version: string;
  title: string;
  points: number;
  misconceptions: Record<string, string>;
}

export interface QuizData extends Common {
  kind: "quiz";
  questions: Question[];
}

export interface CodeData extends Common {
  kind: "code";
  setup: string;
  starter: string;
  checkSource: string;
  checks: { name: string; title: string; points: number }[];
  /** The reader's variable → the field of the explorable's state that it restores. */
  binds: Record<string, string>;
  practice: boolean;
}

export type ExerciseData = QuizData | CodeData;

/** The verdict of one question; an empty message means right. */
export interface Verdict {
  message: string;
  misconception: string | null;
}

/** The verdict of one check. */
export interface Outcome extends Verdict {
  name: string;
  title: string;
  points: number;
  maxPoints: number;
}

export interface Request {
  exercise: string;
  setup: string;
  code: string;
  checkSource: string;
  checks: string[];
  binds: string[];
}

export interface Reply {
  output: string;
  /** Text of the last line's value; empty when there is none. */
  value: string;
  /** One line; empty when the code ran. */
  error: string;
  results: Outcome[];
  values: Record<string, unknown>;
}
