// The chapter's notebook, filled with the answers of its page: `coursekit grade` reads it as if
// they had been written in Jupyter.
import { kindOf } from "./kinds.ts";
import type { Memory } from "./store.ts";
import type { CodeData, ExerciseData, Question, QuizData } from "./types.ts";

interface Cell {
  source: string | string[];
  metadata?: { coursekit?: { exercise?: string; role?: string; item?: string } };
  [more: string]: unknown;
}

export interface Notebook {
  cells: Cell[];
  [more: string]: unknown;
}

export interface Answered {
  data: ExerciseData;
  memory: Memory;
}

export interface Filled {
  notebook: Notebook;
  /** The exercises that have an answer, and those whose answer has no cell in the notebook. */
  filled: string[];
  missing: string[];
  /** The exercises whose answer is to an older version, and has not been checked since. */
  older: string[];
}

/** Puts answers into the cells that are theirs; what was not answered stays as it is. */
export function fill(notebook: Notebook, work: Answered[]): Filled {
  const filled = new Set<string>();
  const cells = notebook.cells.map((cell) => {
    const { exercise, role, item } = cell.metadata?.coursekit ?? {};
    const found = work.find(({ data }) => data.id === exercise);
    const source = found && role && sourceOf(found, role, item ?? "");
    if (!source) return cell;
    filled.add(found.data.id);
    return { ...cell, source };
  });
  const given = work.filter(isAnswered).map(({ data }) => data.id);
  const missing = given.filter((id) => !filled.has(id));
  const older = work.filter(({ data, memory }) => memory.changed && filled.has(data.id)).map(({ data }) => data.id);
  return { notebook: { ...notebook, cells }, filled: [...filled], missing, older };
}

function sourceOf({ data, memory }: Answered, role: string, item: string): string | undefined {
  if (role === "text") return memory.answers?.[item]?.trim() || undefined;
  if (role !== "answer") return undefined;
  return data.kind === "quiz" ? quizCell(data, memory) : codeCell(data, memory);
}

const isAnswered = ({ data, memory }: Answered): boolean =>
  data.kind === "quiz" ? Object.values(memory.answers ?? {}).some(Boolean) : codeCell(data, memory) !== undefined;

/** What is imported first, and the reader's code: with the gap that Python's style asks for. */
function codeCell({ setup, starter }: CodeData, { code }: Memory): string | undefined {
  if (code === undefined || code.trim() === starter.trim()) return undefined;
  const gap = /^(def |class |@)/.test(code) ? "\n\n\n" : "\n\n";
  return [setup, code].map((text) => text.replace(/^\n+|\n+$/g, "")).filter(Boolean).join(gap);
}

/** An assignment for each question: `context = [0.4, 0.6]`. */
function quizCell({ questions, ...quiz }: QuizData, { answers }: Memory): string | undefined {
  const asked = questions.filter((question) => !kindOf(question)?.isProse);
  if (!asked.some(({ name }) => answers?.[name])) return undefined;
  const lines = asked.map((question) => {
    const text = answers?.[question.name] ?? "";
    return `${question.name} = ${text && value({ questions, ...quiz }, question, text)}`;
  });
  return lines.map((line) => (line.endsWith("= ") ? `${line}...` : line)).join("\n");
}

/** An answer as Python. JSON's strings are Python's, but for lone surrogates, which JSON escapes as well. */
const value = (quiz: QuizData, question: Question, text: string): string =>
  kindOf(question)?.written?.(quiz, question, text) ?? JSON.stringify(text);
