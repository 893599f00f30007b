// Judges the order of lines, word for word as Python does; tests/coursekit_web compare the two.
import type { Drawing, Question } from "../../browser/types.ts";
import { which } from "../../browser/which.ts";
import { depthOf, letterOf } from "./lines.ts";

export interface ParsonsQuestion extends Question {
  kind: "parsons";
  /** In the order in which they are shown. */
  lines: { key: string; text: string }[];
  /** All right answers; ">c" is line c indented once. */
  orders: string[][];
  /** In order: the first whose pattern the answer has is the one that is named. */
  mistakes: { id: string; pattern: string[] }[];
  /** What a line does, by its letter. */
  absent_message: Record<string, string>;
  success_message: string;
  failure_message: string;
}

/** What an answer that is not right is told, and the share of it that would stay. */
export interface OrderFault {
  message: string;
  misconception: string | null;
  share: number;
  /** The lines in the order of the answer, the first that cannot stand there marked. */
  drawing: Drawing;
}

/** Null where the answer is one of the right orders. */
export function orderFault(question: ParsonsQuestion, placed: string[]): OrderFault | null {
  const { orders, mistakes } = question;
  if (orders.some((order) => order.join(" ") === placed.join(" "))) return null;
  const flat = isFlat(orders, placed);
  const first = mistakes.find(({ pattern }) => shows(pattern, orders, placed, flat))?.pattern.join(" ");
  const right = flat ? orders.map((order) => order.map(letterOf)) : orders;
  const parts = [...told(question, right, placed, flat), question.failure_message];
  const wrong = firstWrong(right, placed);
  const text = (entry: string) => "    ".repeat(depthOf(entry)) + question.lines.find(({ key }) => key === letterOf(entry))!.text;
  return {
    message: parts.join(" ").trim(),
    misconception: which(mistakes, ({ pattern }) => pattern.join(" ") === first),
    share: Math.max(...orders.map((order) => share(order, placed))),
    drawing: { form: "lines", rows: placed.map((entry, i) => [[text(entry), i === wrong]]), part: "" },
  };
}

function share(order: string[], placed: string[]): number {
  const edits = order.length + placed.length - 2 * common(order, placed);
  return 1 - edits / order.length;
}

/** What is true of an answer, in sentences. */
function told(question: ParsonsQuestion, right: string[][], placed: string[], flat: boolean): string[] {
  const { absent_message: absent } = question;
  const isComplete = right.some((order) => order.join(" ") === placed.join(" "));
  const words = isComplete || follows(right, placed) ? "" : named(right, placed, absent);
  return [
    inOrder(right, placed),
    ...(isComplete ? [] : [next(right, placed, absent)]),
    ...(words ? [`${words[0]!.toUpperCase()}${words.slice(1)} missing.`] : []),
    ...(flat ? ["Nothing is indented, and some of these lines belong inside of others."] : []),
  ];
}

/** Whether no line is indented, and several of them should be. */
function isFlat(orders: string[][], placed: string[]): boolean {
  const deep = new Set(orders.flat().filter((entry) => depthOf(entry) > 0).map(letterOf));
  return placed.every((entry) => depthOf(entry) === 0) && placed.filter((entry) => deep.has(entry)).length > 1;
}

function shows(pattern: string[], orders: string[][], placed: string[], flat: boolean): boolean {
  if (pattern[0]!.startsWith("!") && !fewMissing(orders, placed)) return false;
  // That no line is indented says more.
  if (flat && pattern.some((entry) => entry.startsWith("|"))) return false;
  return occurs(pattern, placed);
}

function occurs(pattern: string[], placed: string[]): boolean {
  if (pattern[0]!.startsWith("!")) return placed.every((entry) => letterOf(entry) !== letterOf(pattern[0]!));
  let from = 0;
  return pattern.every((wanted) => {
    const at = placed.findIndex((entry, i) => i >= from && fits(wanted, entry));
    from = at + 1;
    return at >= 0;
  });
}

function fits(pattern: string, entry: string): boolean {
  return entry === pattern.replace(/^\|/, "") || (pattern.length === 1 && letterOf(entry) === pattern);
}

/** The length of the longest common subsequence. */
function common(a: string[], b: string[]): number {
  let row = b.map(() => 0).concat(0);
  for (const x of a) {
    const before = row;
    row = [0];
    b.forEach((y, j) => row.push(x === y ? before[j]! + 1 : Math.max(before[j + 1]!, row[j]!)));
  }
  return row.at(-1)!;
}

function sameBeginning(a: string[], b: string[]): number {
  const differs = a.findIndex((entry, i) => i >= b.length || entry !== b[i]);
  return differs < 0 ? a.length : differs;
}

function nearest(orders: string[][], placed: string[]): string[] {
  const counts = orders.map((order) => common(order, placed));
  return orders[counts.indexOf(Math.max(...counts))]!;
}

/** The lines of the nearest right order that do not stand in an answer, by letter. */
function missing(orders: string[][], placed: string[]): string[] {
  const letters = new Set(placed.map(letterOf));
  return nearest(orders, placed).map(letterOf).filter((letter) => !letters.has(letter));
}

/** Whether some lines are missing, and fewer than are there. */
function fewMissing(orders: string[][], placed: string[]): boolean {
  const { length } = missing(orders, placed);
  return length > 0 && length < placed.length;
}

/** Whether few lines are missing, and the others are as they should be; not for a mere beginning. */
function follows(orders: string[][], placed: string[]): boolean {
  const isBeginning = orders.some((order) => sameBeginning(order, placed) === placed.length);
  return !isBeginning && common(nearest(orders, placed), placed) === placed.length && fewMissing(orders, placed);
}

/** What is missing, as the beginning of a sentence; empty where a line may stand for one. */
function named(orders: string[][], placed: string[], absent: Record<string, string>): string {
  const needed = new Set(orders.flat().map(letterOf));
  const words: (string | undefined)[] = missing(orders, placed).map((letter) => absent[letter]);
  const isSure = fewMissing(orders, placed) && placed.every((entry) => needed.has(letterOf(entry)));
  if (!isSure || words.includes(undefined)) return "";
  const last = words.pop();
  return words.length ? `${words.join(", ")} and ${last} are` : `${last} is`;
}

const linesAre = (count: number) => (count === 1 ? "one line is" : `${count} lines are`);

function inOrder(orders: string[][], placed: string[]): string {
  const order = nearest(orders, placed);
  const kept = common(order, placed);
  const isTooLong = kept === order.length && kept < placed.length;
  const many = isTooLong ? `, and ${linesAre(placed.length - kept)} too many` : "";
  return `${kept} of the ${order.length} lines that are needed ${kept === 1 ? "is" : "are"} in order${many}.`;
}

/** The number of the first line that no right order has there, if one has to go. */
function firstWrong(orders: string[][], placed: string[]): number | null {
  const fits = Math.max(...orders.map((order) => sameBeginning(order, placed)));
  return fits === placed.length || follows(orders, placed) ? null : fits;
}

/** What is true of the first line that no right order has there. */
function next(orders: string[][], placed: string[], absent: Record<string, string>): string {
  const beginnings = orders.map((order) => sameBeginning(order, placed));
  const right = Math.max(...beginnings);
  if (right === placed.length) return "What you have so far fits, and more is needed.";
  if (follows(orders, placed)) {
    const words = named(orders, placed, absent) || linesAre(missing(orders, placed).length);
    return `Yours follow each other rightly; ${words} missing.`;
  }
  const sameLine = orders.some(
    (order, i) =>
      beginnings[i] === right &&
      right < order.length &&
      letterOf(order[right]!) === letterOf(placed[right]!),
  );
  if (sameLine) return `Line ${right + 1} of your answer is right, but not its indentation.`;
  if (right === 0) return "No right answer begins with your first line.";
  const what = right === 1 ? "the line" : `the ${right} lines`;
  return `Line ${right + 1} of your answer cannot follow ${what} before it.`;
}
