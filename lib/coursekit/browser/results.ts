// Shows how a check went: what was correct first, then what was not and why.
import { h, prose, tag } from "./dom.ts";
import { drawn } from "./drawn.ts";
import type { CodeData, Verdict } from "./types.ts";

const isPassed = (verdict: Verdict) => verdict.status === "passed";

/** What a run's checks found, as nodes to show. */
export function resultNodes(data: CodeData, verdicts: Verdict[], headline: string): Node[] {
  const unstarted = verdicts.length > 0 && verdicts.every((v) => v.misconception === "not-started");
  if (unstarted) return [h("p", { class: "ck-headline" }, ...prose(verdicts[0]!.message))];
  const passed = verdicts.filter(isPassed);
  const others = verdicts.filter((verdict) => !isPassed(verdict));
  const items = [...passed, ...others].map((verdict) => item(data, verdict));
  return [
    h("p", { class: "ck-headline" }, h("strong", { class: "ck-tag" }, headline)),
    h("ul", { class: "ck-checks" }, ...items),
    ...(others.length === 0 && data.worth ? [h("p", { class: "ck-remaining" }, data.worth)] : []),
  ];
}

/** The checks that were not reached, since the code did not run. */
export function unreached({ checks }: CodeData): HTMLElement {
  const items = checks.map(({ title }) => h("li", { class: "ck-idle" }, spoken("Not run: "), ...prose(title)));
  return h("ul", { class: "ck-checks" }, ...items);
}

/** What a mark says to the ear. */
const spoken = (word: string) => h("span", { class: "ck-spoken" }, word);

/** Says no more than the verdict's word does. */
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

function item(data: CodeData, verdict: Verdict): HTMLElement {
  const passed = isPassed(verdict);
  const title = data.checks.find((check) => check.name === verdict.check)?.title ?? verdict.check;
  return h(
    "li",
    { class: passed ? "ck-pass" : "ck-fail" },
    spoken(passed ? "Passed: " : "Not yet: "),
    h("span", { class: "ck-check-title" }, ...prose(title)),
    ...texts(verdict),
    ...(verdict.drawing ? [drawn(verdict.drawing)] : []),
  );
}
