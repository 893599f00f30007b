// Shows how a check went: what was correct first, then what was not and why.
import { h, prose, tag } from "./dom.ts";
import { drawn } from "./picture.ts";
import type { CodeData, Verdict } from "./types.ts";

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;
const sum = (points: number[]) => points.reduce((total, p) => total + p, 0);
const isPassed = (verdict: Verdict) => verdict.status === "passed";

/** What a run's checks found, as nodes to show. */
export function resultNodes(data: CodeData, verdicts: Verdict[]): Node[] {
  const unstarted = verdicts.length > 0 && verdicts.every((v) => v.misconception === "not-started");
  if (unstarted) return [h("p", { class: "ck-headline" }, ...prose(verdicts[0]!.message))];
  const passed = verdicts.filter(isPassed);
  const others = verdicts.filter((verdict) => !isPassed(verdict));
  const items = [...passed, ...others].map((verdict) => item(data, verdict));
  return [
    h("p", { class: "ck-headline" }, tag(others.length === 0, headline(passed, others))),
    h("ul", { class: "ck-checks" }, ...items),
    ...(others.length === 0 ? [worth(data)].filter((n) => n !== null) : []),
  ];
}

/** Says no more than the word that a verdict begins with. */
const BARE = /^(That is right|That is not it|Not quite)\.$/;

const seenAs = (verdict: Verdict) => (isPassed(verdict) ? "ck-right" : "ck-seen");

/** A question's verdict in one line: its word, its message and the explanation. */
export function verdictLine(verdict: Verdict): HTMLElement {
  const message = BARE.test(verdict.message) ? [] : [...prose(verdict.message), " "];
  const why = verdict.explanation ? [h("span", { class: "ck-why" }, ...prose(verdict.explanation))] : [];
  return h("p", { class: seenAs(verdict) }, tag(isPassed(verdict)), " ", ...message, ...why);
}

/** A check's message, and its explanation below. */
function texts(verdict: Verdict): HTMLElement[] {
  const seen = h("p", { class: seenAs(verdict) }, ...prose(verdict.message));
  const why = h("p", { class: "ck-why" }, ...prose(verdict.explanation));
  return [seen, why].filter((line) => line.hasChildNodes());
}

function headline(passed: Verdict[], others: Verdict[]): string {
  const all = passed.length + others.length;
  if (others.length === 0) return `Done. ${all === 1 ? "The check passes" : `All ${all} checks pass`}.`;
  if (passed.length === 0) return all === 1 ? "Not there yet." : "None of the checks passes yet.";
  return `${plural(passed.length, "check")} of ${all} ${passed.length === 1 ? "passes" : "pass"}.`;
}

function item(data: CodeData, verdict: Verdict): HTMLElement {
  const passed = isPassed(verdict);
  const title = data.checks.find((check) => check.name === verdict.check)?.title ?? verdict.check;
  return h(
    "li",
    { class: passed ? "ck-pass" : "ck-fail" },
    h("span", { class: "ck-spoken" }, passed ? "Right: " : "Not yet: "),
    h("span", { class: "ck-check-title" }, ...prose(title)),
    ...texts(verdict),
    ...(verdict.picture ? [drawn(verdict.picture)] : []),
  );
}

/** What the work counts in a course: there hidden checks may decide about a part of it. */
export function worth(data: CodeData): HTMLElement | null {
  if (data.practice) return null;
  const here = +sum(data.checks.map((c) => c.points)).toFixed(2);
  const hidden = +(data.points - here).toFixed(2);
  const points = `In a course: ${here} of ${plural(+data.points.toFixed(2), "point")}`;
  const [more, decide] = hidden === 1 ? ["point", "is"] : ["points", "are"];
  const rest = `; ${hidden} more ${more} ${decide} decided by other inputs when the notebook is graded.`;
  return h("p", { class: "ck-remaining" }, points + (hidden > 0 ? rest : "."));
}
