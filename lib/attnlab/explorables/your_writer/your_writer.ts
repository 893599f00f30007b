// A GPT that writes with the reader's own functions.
import type { Host } from "../host.ts";
import { h } from "../ui/dom.ts";
import { button } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { beginningsOf, type Text } from "../writer/beginnings.ts";
import { Panel } from "../writer/panel.ts";
import type { Source } from "../writer/source.ts";
import { shown } from "../writer/words.ts";
import { functionsOf } from "./functions.ts";
import { type Asking, kernelAsk, pageAsk, yours } from "./source.ts";
import { nearest, tokensOf } from "./typed.ts";
import style from "./your_writer.css";

export interface State extends Common {
  /** Whether it may write; whether it may begin unasked. */
  ready: boolean;
  warm: boolean;
  /** Counts the functions' changes. */
  edition: number;
  functions: readonly string[];
  beginnings: readonly Text[];
  vocabulary: readonly string[];
  heads: readonly [number, number];
  most: number;
  trouble: string;
  /** In a notebook, what is asked of its kernel, and the answer. */
  asked: Asking["asked"];
  answered: Asking["answered"];
}

const TITLE = "Your model writes.";
const LEAD =
  "Nobody wrote what follows. Each word comes from the functions that you wrote: one that runs for it glows, and tells how often it ran.";
const [OWN_SEED, TEMPERATURE] = [7, 0.8];

function build(context: Context<State>, { place, el, model }: Host<State>): Built<State> {
  const isPage = place === "page";
  const { vocabulary, functions, beginnings, ...sizes } = context.state();
  const used = functionsOf(functions);
  const source = yours({ vocabulary, ...sizes }, isPage ? pageAsk(el) : kernelAsk(model), used.ran);
  const texts = beginningsOf(beginnings, vocabulary);
  const panel = new Panel(source, texts, { temperature: TEMPERATURE, head: undefined });
  const begin = (): void => {
    [start.hidden, work.hidden] = [true, false];
    panel.start(texts[0]!);
  };
  const start = button("Let it write", begin);
  const work = h("div", { class: "work", hidden: true }, panel.element, ownOf(panel, source), keeping(panel, source));
  const trouble = h("p", { class: "status", role: "status" });
  let last = -1;
  return {
    parts: [h("p", { class: "announced" }, TITLE), h("p", { class: "task" }, LEAD), used.element, trouble, start, work],
    update(state) {
      trouble.textContent = isPage ? "" : state.trouble; // a page says itself what is missing
      const [isNew, hasBegun] = [state.edition !== last, !work.hidden];
      last = state.edition;
      start.hidden = !state.ready || hasBegun;
      if (!state.ready) panel.pause();
      else if (isNew && hasBegun) void panel.use(source);
      else if (isNew && state.warm) begin();
    },
    stop: () => panel.stop(),
  };
}

/** A form for a beginning of one's own. */
function ownOf(panel: Panel, { words, most }: Source): HTMLElement {
  const placeholder = "Once there was a proud mouse named Ida, who";
  const field = h("input", { type: "text", name: "beginning", autocomplete: "off", placeholder });
  const answer = h("p", { class: "status chips flow", role: "status" });
  const begin = (): void => {
    const label = field.value || placeholder;
    const tokens = tokensOf(label, words);
    const replace = (unknown: string, word: string): void => {
      field.value = field.value.replace(unknown, word);
      begin();
    };
    if (typeof tokens === "string") {
      const offers = nearest(tokens, words).map((word) => button(word, () => replace(tokens, word)));
      answer.replaceChildren(`“${tokens}” is in no fable, so the model has no such word. The nearest that it has: `, ...offers);
    } else if (tokens.length >= most) answer.replaceChildren(`A text has fewer than ${most} words.`);
    else {
      answer.replaceChildren();
      panel.start({ label, tokens, seed: OWN_SEED });
    }
  };
  const label = h("label", {}, "Or begin it yourself: ", field);
  const form = h("form", { class: "own flow" }, label, h("button", { class: "command" }, "Begin"), answer);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    begin();
  });
  return form;
}

function keeping(panel: Panel, { words }: Source): HTMLElement {
  const copy = button("Copy the fable", () => {
    const text = shown(words, panel.tokens).slice(1);
    const fable = text.map(({ text, isApart }) => (isApart ? ` ${text}` : text)).join("");
    const done = (label: string) => () => void (copy.textContent = label);
    // Where there is no clipboard (on an insecure origin) the text can be marked by hand.
    void navigator.clipboard?.writeText(fable).then(done("Copied"), done("Mark the text and copy it"));
  });
  return h("div", { class: "flow" }, button("Tell another", () => panel.another()), copy);
}

export default explorable<State>({
  name: TITLE,
  shows: ["ready", "warm", "edition", "functions", "beginnings", "vocabulary", "heads", "most", "trouble", "asked", "answered"],
  answers: [],
  style,
  build,
});
