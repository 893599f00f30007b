// Grades the order of lines, word for word as coursekit._parsons; tests/coursekit_web compare the two.
import { letterOf } from "./lines.ts";
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
  const first = mistakes.find(({ pattern }) => occurs(pattern, placed))?.pattern.join(" ");
  const credit = Math.max(...orders.map((order) => share(order, placed)));
  const parts = [inOrder(orders, placed), next(orders, placed), question.failure_message];
  return {
    message: parts.join(" ").trim(),
    misconception: which(mistakes, ({ pattern }) => pattern.join(" ") === first),
    credit: credit >= LEAST_CREDIT ? credit : 0,
  };
}

function share(order: string[], placed: string[]): number {
  const edits = order.length + placed.length - 2 * common(order, placed);
  return 1 - edits / order.length;
}

function occurs(pattern: string[], placed: string[]): boolean {
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

function inOrder(orders: string[][], placed: string[]): string {
  const counts = orders.map((order) => common(order, placed));
  const kept = Math.max(...counts);
  const needed = orders[counts.indexOf(kept)]!.length;
  return `${kept} of the ${needed} lines that are needed ${kept === 1 ? "is" : "are"} in order.`;
}

/** What is true of the first line that no right order has there. */
function next(orders: string[][], placed: string[]): string {
  const beginnings = orders.map((order) => sameBeginning(order, placed));
  const right = Math.max(...beginnings);
  if (right === placed.length) return "What you have so far fits, and more is needed.";
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
