// Grades the order of lines, word for word as coursekit._parsons and orders; tests/coursekit_web compare the two.
import { depthOf, letterOf } from "./lines.ts";
import type { ParsonsQuestion } from "./types.ts";
import { which } from "./which.ts";

/** What an answer that is not right is told, and the share of the points that it earns. */
export interface OrderFault {
  message: string;
  misconception: string | null;
  credit: number;
}

/** An answer that would earn a smaller share of the points earns none. */
const LEAST_CREDIT = 0.5;

/** Null where the answer is one of the right orders. */
export function orderFault(question: ParsonsQuestion, placed: string[]): OrderFault | null {
  const { orders, mistakes } = question;
  if (orders.some((order) => order.join(" ") === placed.join(" "))) return null;
  const flat = isFlat(orders, placed);
  const first = mistakes.find(({ pattern }) => shows(pattern, orders, placed, flat))?.pattern.join(" ");
  const credit = Math.max(...orders.map((order) => share(order, placed)));
  const parts = [...told(orders, placed, flat), question.failure_message];
  return {
    message: parts.join(" ").trim(),
    misconception: which(mistakes, ({ pattern }) => pattern.join(" ") === first),
    credit: credit >= LEAST_CREDIT ? credit : 0,
  };
}

/** The place of the first line that no right order has there; null where lines are only missing. */
export function faultAt({ orders }: ParsonsQuestion, placed: string[]): number | null {
  const right = isFlat(orders, placed) ? orders.map((order) => order.map(letterOf)) : orders;
  const at = Math.max(...right.map((order) => sameBeginning(order, placed)));
  const isShort = right.some((order) => common(order, placed) === placed.length);
  return isShort || at === placed.length ? null : at;
}

function share(order: string[], placed: string[]): number {
  const edits = order.length + placed.length - 2 * common(order, placed);
  return 1 - edits / order.length;
}

/** What is true of an answer, in sentences. */
function told(orders: string[][], placed: string[], flat: boolean): string[] {
  const right = flat ? orders.map((order) => order.map(letterOf)) : orders;
  const isComplete = right.some((order) => order.join(" ") === placed.join(" "));
  return [
    inOrder(right, placed),
    ...(isComplete ? [] : [next(right, placed)]),
    ...(flat ? ["Nothing is indented, and some of these lines belong inside of others."] : []),
  ];
}

/** Whether no line is indented, and several of them should be. */
function isFlat(orders: string[][], placed: string[]): boolean {
  const deep = new Set(orders.flat().filter((entry) => depthOf(entry) > 0).map(letterOf));
  return placed.every((entry) => depthOf(entry) === 0) && placed.filter((entry) => deep.has(entry)).length > 1;
}

function shows(pattern: string[], orders: string[][], placed: string[], flat: boolean): boolean {
  if (pattern[0]!.startsWith("!") && !areFew(missing(orders, placed), placed)) return false;
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

/** How many lines of the nearest right order do not stand in an answer. */
function missing(orders: string[][], placed: string[]): number {
  const letters = new Set(placed.map(letterOf));
  return nearest(orders, placed).filter((entry) => !letters.has(letterOf(entry))).length;
}

const areFew = (count: number, placed: string[]) => count > 0 && count < placed.length;

const linesAre = (count: number) => (count === 1 ? "one line is" : `${count} lines are`);

function inOrder(orders: string[][], placed: string[]): string {
  const order = nearest(orders, placed);
  const kept = common(order, placed);
  const isTooLong = kept === order.length && kept < placed.length;
  const many = isTooLong ? `, and ${linesAre(placed.length - kept)} too many` : "";
  return `${kept} of the ${order.length} lines that are needed ${kept === 1 ? "is" : "are"} in order${many}.`;
}

/** What is true of the first line that no right order has there. */
function next(orders: string[][], placed: string[]): string {
  const beginnings = orders.map((order) => sameBeginning(order, placed));
  const right = Math.max(...beginnings);
  if (right === placed.length) return "What you have so far fits, and more is needed.";
  const order = nearest(orders, placed);
  const absent = order.length - placed.length;
  if (common(order, placed) === placed.length && areFew(absent, placed)) {
    return `Yours follow each other rightly; ${linesAre(absent)} missing.`;
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
