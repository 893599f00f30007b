// Shows how a check went: what was right first, then what was not and why.
import { h, mark, prose } from "./dom.ts";
import type { CodeData, Outcome } from "./types.ts";

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;
const sum = (points: number[]) => points.reduce((total, p) => total + p, 0);

/** The verdict of a run in words, as nodes to show. */
export function resultNodes(data: CodeData, results: Outcome[]): Node[] {
  const unstarted = results.length > 0 && results.every((r) => r.misconception === "not-started");
  if (unstarted) return [h("p", { class: "ck-headline" }, ...prose(results[0]!.message))];
  const passed = results.filter((r) => r.message === "");
  const failed = results.filter((r) => r.message !== "");
  const items = [...passed, ...failed].map((result) => item(data, result));
  return [
    h("p", { class: "ck-headline" }, headline(data, passed, failed)),
    h("ul", { class: "ck-checks" }, ...items),
    ...(failed.length === 0 ? [remaining(data)].filter((n) => n !== null) : []),
  ];
}

function headline(data: CodeData, passed: Outcome[], failed: Outcome[]): string {
  const all = passed.length + failed.length;
  const points = `${+sum(passed.map((r) => r.points)).toFixed(2)} of ${+data.points.toFixed(2)} points`;
  if (failed.length === 0) {
    const checks = all === 1 ? "The check passes" : `All ${all} checks pass`;
    return data.practice ? `${checks}.` : `${checks}: ${points}.`;
  }
  if (passed.length === 0) return all === 1 ? "Not there yet." : "None of the checks passes yet.";
  return `${plural(passed.length, "check")} of ${all} ${passed.length === 1 ? "passes" : "pass"}.`;
}

function item(data: CodeData, { title, message, misconception }: Outcome): HTMLElement {
  const passed = message === "";
  const why = misconception === null ? undefined : data.misconceptions[misconception];
  return h(
    "li",
    { class: passed ? "ck-pass" : "ck-fail" },
    ...mark(passed),
    h("span", { class: "ck-check-title" }, ...prose(title)),
    ...(passed ? [] : [h("p", { class: "ck-seen" }, ...prose(message))]),
    ...(why ? [h("p", { class: "ck-why" }, ...prose(why))] : []),
  );
}

/** What the page cannot tell: the points of hidden checks. */
export function remaining(data: CodeData): HTMLElement | null {
  const hidden = +(data.points - sum(data.checks.map((c) => c.points))).toFixed(2);
  if (hidden <= 0 || data.practice) return null;
  const [points, decide] = hidden === 1 ? ["point", "is"] : ["points", "are"];
  const text = `${hidden} more ${points} ${decide} decided by other inputs when the notebook is graded.`;
  return h("p", { class: "ck-remaining" }, text);
}
