// What is seen, in one sentence: who asks, who answers, what comes next.
import { h } from "../ui/dom.ts";
import { icon, type Role } from "../ui/marks.ts";
import { BEGIN, END } from "./source.ts";
import { type Shown, spoken } from "./words.ts";

/** From here on, the most likely next word is told. */
const LIKELY = 0.5;

const marked = (role: Role, text: string): HTMLElement => h("b", { class: `name ${role}` }, icon(role), ` ${text}`);

/** The sentence on the token at a place: its weights in one head, and what comes next, or a note. */
export function looked(
  words: readonly string[],
  tokens: readonly number[],
  texts: readonly Shown[],
  at: number,
  weights: ArrayLike<number> | undefined,
  shares: readonly number[],
  note: string,
): (Node | string)[] {
  const named = (i: number): string => spoken(words, tokens[i]!, texts[i]!.text);
  const likeliest = shares.indexOf(Math.max(...shares));
  const isTold = shares[likeliest]! > LIKELY && likeliest !== END;
  const next = note ? [` ${note}`] : isTold ? [" Next: ", marked("value", spoken(words, likeliest)), "."] : [];
  if (!weights) return next;
  const most = Array.from(weights).indexOf(Math.max(...Array.from(weights)));
  const share = h("b", {}, weights[most]!.toFixed(2));
  if (tokens[at] === BEGIN) return ["Nothing stands before the start mark: it looks at itself.", ...next];
  if (most === at) return [marked("query", named(at)), " looks mostly at itself: ", share, ` of this head’s weight.`, ...next];
  return [marked("query", named(at)), " asks, ", marked("key", named(most)), " answers with ", share, " of this head’s weight.", ...next];
}
