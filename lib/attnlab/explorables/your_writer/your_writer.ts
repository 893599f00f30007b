// A GPT that writes with the reader's own functions.
import { h } from "../ui/dom.ts";
import { button } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { beginningsOf, type Text } from "../writer/beginnings.ts";
import { type Beginning, Panel } from "../writer/panel.ts";
import { shown } from "../writer/words.ts";
import { Functions } from "./functions.ts";
import { type Ask, type Asking, kernelAsk, pageAsk, Yours } from "./source.ts";
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

class View implements Built<State> {
  readonly parts: Node[];
  private readonly source: Yours;
  private readonly panel: Panel;
  private readonly texts: readonly Beginning[];
  private readonly start = button("Let it write", () => this.begin());
  private readonly field = h("input", { type: "text", name: "beginning", autocomplete: "off" });
  private readonly answer = h("p", { class: "status", role: "status" });
  private readonly trouble = h("p", { class: "status", role: "status" });
  private readonly work = h("div", { class: "work", hidden: true });
  private readonly isPage: boolean;
  private edition = -1;

  constructor(context: Context<State>, ask: Ask, isPage: boolean) {
    this.isPage = isPage;
    const { vocabulary, functions, beginnings } = context.state();
    const used = new Functions(functions);
    this.source = new Yours(context.state(), ask, (calls) => used.ran(calls));
    this.texts = beginningsOf(beginnings, vocabulary);
    this.panel = new Panel(this.source, this.texts, { temperature: TEMPERATURE, head: undefined });
    this.work.append(this.panel.element, this.form(), this.keeping());
    this.parts = [h("p", { class: "announced" }, TITLE), h("p", { class: "task" }, LEAD), used.element, this.trouble, this.start, this.work];
  }

  update({ ready, warm, edition, trouble }: State): void {
    this.trouble.textContent = this.isPage ? "" : trouble; // a page says itself what is missing
    const [isNew, hasBegun] = [edition !== this.edition, !this.work.hidden];
    this.edition = edition;
    this.start.hidden = !ready || hasBegun;
    if (!ready) this.panel.pause();
    else if (isNew && hasBegun) void this.panel.use(this.source);
    else if (isNew && warm) this.begin();
  }

  private begin(): void {
    [this.start.hidden, this.work.hidden] = [true, false];
    this.panel.start(this.texts[0]!);
  }

  // A beginning of one's own ----------------------------------------------------------------------

  private form(): HTMLElement {
    const label = h("label", {}, "Or begin it yourself: ", this.field);
    this.field.placeholder = "Once there was a proud mouse named Ida, who";
    const form = h("form", { class: "own" }, label, h("button", {}, "Begin"), this.answer);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.beginOwn();
    });
    return form;
  }

  private beginOwn(): void {
    const { words, most } = this.source;
    const label = this.field.value || this.field.placeholder;
    const tokens = tokensOf(label, words);
    if (typeof tokens === "string") {
      const offers = nearest(tokens, words).map((word) => button(word, () => this.replace(tokens, word)));
      this.answer.replaceChildren(`“${tokens}” is in no fable, so the model has no such word. The nearest that it has: `, ...offers);
    } else if (tokens.length >= most) this.answer.replaceChildren(`A text has fewer than ${most} words.`);
    else {
      this.answer.replaceChildren();
      this.panel.start({ label, tokens, seed: OWN_SEED });
    }
  }

  private replace(unknown: string, word: string): void {
    this.field.value = this.field.value.replace(unknown, word);
    this.beginOwn();
  }

  private keeping(): HTMLElement {
    const copy = button("Copy the fable", () => {
      const text = shown(this.source.words, this.panel.tokens).slice(1);
      const fable = text.map(({ text, isApart }) => (isApart ? ` ${text}` : text)).join("");
      const done = (label: string) => () => void (copy.textContent = label);
      // Where there is no clipboard (on an insecure origin) the text can be marked by hand.
      void navigator.clipboard?.writeText(fable).then(done("Copied"), done("Mark the text and copy it"));
    });
    return h("div", { class: "keeping" }, button("Tell another", () => this.panel.another()), copy);
  }

  stop(): void {
    this.panel.stop();
  }
}

export default explorable<State>({
  name: TITLE,
  shows: ["ready", "warm", "edition", "functions", "beginnings", "vocabulary", "heads", "most", "trouble", "asked", "answered"],
  answers: [],
  style,
  build(context, { place, el, model }) {
    const isPage = place === "page";
    return new View(context, isPage ? pageAsk(el) : kernelAsk(model), isPage);
  },
});
