// Verdicts on the questions of a quiz, the same as those of coursekit.bank.running; tests/coursekit_web
// hold the two equal, word for word.
import type { Drawing, Question, QuizData, Verdict } from "./types.ts";

/** An answer that would earn a smaller share of the points earns none. */
const LEAST_CREDIT = 0.5;

export function passed(quiz: QuizData, question: Question, message: string): Verdict {
  return { ...ungraded(quiz, question), status: "passed", points: question.points, message };
}

/** What else is known of a wrong answer: `share` is how much of it is right. */
interface Wrong {
  misconception?: string | null;
  share?: number;
  drawing?: Drawing | undefined;
}

export function failed(quiz: QuizData, question: Question, message: string, wrong: Wrong = {}): Verdict {
  const { misconception = null, share = 0, drawing } = wrong;
  const explanation = misconception === null ? "" : (quiz.misconceptions[misconception] ?? "");
  const points = share < LEAST_CREDIT ? 0 : Math.round(100 * question.points * share) / 100;
  const known = { status: "failed", points, message, misconception, explanation } as const;
  return { ...ungraded(quiz, question), ...known, ...(drawing ? { drawing } : {}) };
}

/** The verdict on prose: a person grades it. */
export function waiting(quiz: QuizData, question: Question, message: string): Verdict {
  return { ...ungraded(quiz, question), status: "manual", message };
}

function ungraded(quiz: QuizData, question: Question): Verdict {
  return {
    exercise: quiz.id,
    check: question.name,
    status: "not_run",
    points: 0,
    max_points: question.points,
    hidden: false,
    message: "",
    misconception: null,
    explanation: "",
  };
}
