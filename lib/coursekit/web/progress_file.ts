// Progress as a file: what is remembered of every exercise.
import { isMemory, type Memory } from "./store.ts";

export const FORMAT = "coursekit-progress";
const VERSION = 1;

/** What a file has: memories by id. */
export type Progress = [string, Memory][];

/** The text of a file. Verdicts stay out: they are made again when an answer is checked. */
export function written(course: string, exercises: Progress): string {
  const kept = exercises.map(([id, memory]) => [id, cleaned(memory)]);
  const file = { format: FORMAT, version: VERSION, course, exercises: Object.fromEntries(kept) };
  return `${JSON.stringify(file, null, 1)}\n`;
}

/** What a file says, or one sentence on why it is not taken. */
export function readProgress(text: string, course: string): Progress | { problem: string } {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return { problem: "This is not a file of progress: it is not JSON. Choose one that was saved here." };
  }
  if (!isRecord(file) || file["format"] !== FORMAT || !isRecord(file["exercises"])) {
    return { problem: "This is not a file of progress. Choose one that was saved here." };
  }
  if (file["version"] !== VERSION) {
    const seen = JSON.stringify(file["version"]);
    return { problem: `This file is of version ${seen}; this page reads version ${VERSION}. Reload the page first.` };
  }
  if (file["course"] !== course) {
    return { problem: `This file is of another course, ${JSON.stringify(file["course"])}; this one is ${course}.` };
  }
  const exercises = Object.entries(file["exercises"]).filter((e): e is [string, Memory] => isMemory(e[1]));
  return exercises.map(([id, memory]) => [id, cleaned(memory)]);
}

/**
 * Of two memories of an exercise the later answer, and all that was reached in either. One to the
 * newer version of the exercise stays, whenever the other was given.
 */
export function merged(mine: Memory | undefined, theirs: Memory): Memory {
  if (!mine) return theirs;
  const [later, earlier] = (theirs.at ?? 0) > (mine.at ?? 0) ? [theirs, mine] : [mine, theirs];
  if (later.version !== earlier.version) {
    return Number(earlier.version) > Number(later.version) ? earlier : later;
  }
  const reached: Partial<Memory> = {};
  for (const name of ["tried", "shown", "done"] as const) {
    if (later[name] || earlier[name]) reached[name] = true;
  }
  const hints = Math.max(later.hints ?? 0, earlier.hints ?? 0);
  return { ...earlier, ...later, ...reached, ...(hints > 0 ? { hints } : {}) };
}

/** The parts of a memory that have their types: a file may say anything. */
function cleaned(memory: Memory): Memory {
  const { version, code, passed, values, answers, checked, answered, hints, at } = memory as unknown as Record<
    string,
    unknown
  > & { version: string };
  const clean: Memory = { version };
  if (typeof code === "string") clean.code = code;
  if (typeof passed === "string") clean.passed = passed;
  if (isRecord(values)) clean.values = values;
  if (isRecord(answers) && Object.values(answers).every(isText)) clean.answers = answers as Record<string, string>;
  if (Array.isArray(checked) && checked.every(isText)) clean.checked = checked;
  if (Array.isArray(answered) && answered.every(isText)) clean.answered = answered;
  if (Number.isInteger(hints)) clean.hints = hints as number;
  if (Number.isFinite(at)) clean.at = at as number;
  for (const name of ["tried", "shown", "done", "changed"] as const) if (memory[name] === true) clean[name] = true;
  return clean;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
