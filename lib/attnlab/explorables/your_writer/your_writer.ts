// A GPT that writes with the reader's own functions.
import type { Host } from "../host.ts";
import { randomNumbers } from "../random.ts";
import { h } from "../ui/dom.ts";
import { button } from "../ui/fields.ts";
import { mount, type Common, type Context, type Spec } from "../ui/frame.ts";
import { type Beginning, Panel, style as writerStyle } from "../writer/panel.ts";
import { END } from "../writer/source.ts";
import { beginningsOf, type Text } from "../writer/beginnings.ts";
import { Functions } from "./functions.ts";
import { fable, savePicture } from "./keep.ts";
import { type Ask, type Asking, kernelAsk, pageAsk, Yours } from "./source.ts";
import { Speed } from "./speed.ts";
import style from "./your_writer.css";

export interface State extends Common {
  /** Whether it may write; whether it may begin unasked; whether there is a cache of the reader's. */
  ready: boolean;
  warm: boolean;
  extra: boolean;
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

const LEAD =
  "Nobody wrote what follows. Each word passes through the functions that you wrote: one that runs for it glows, and tells how often it ran.";
const OWN_SEED = 7;
const OF_CACHE = ["attend_next", "gpt_next"];
const SIGNATURE = "Written by a GPT whose every function I wrote";

class View {
  readonly parts: Node[];
  private readonly source: Yours;
  private readonly panel: Panel;
  private readonly functions: Functions;
  private readonly speed: Speed;
  private readonly texts: readonly Beginning[];
  private readonly start = button("Let it write", () => this.begin(this.texts[0]!));
  private readonly field = h("input", { type: "text", name: "beginning", autocomplete: "off", "aria-label": "A beginning of your own" });
  private readonly answer = h("p", { class: "status", role: "status" });
  private readonly trouble = h("p", { class: "status", role: "status" });
  private readonly work = h("div", { class: "work" });
  private edition = -1;
  private hasBegun = false;

  constructor(context: Context<State>, ask: Ask) {
    const { vocabulary, functions, beginnings } = context.state();
    this.functions = new Functions(functions, OF_CACHE);
    this.source = new Yours(context.state(), ask, (what, cached, words) => {
      this.functions.ran(what, words > 0);
      this.speed.ran(what, cached, words);
    });
    this.texts = beginningsOf(beginnings, vocabulary);
    this.panel = new Panel(this.source, this.texts, { temperature: 0.8, head: undefined });
    this.speed = new Speed((cached) => this.useCache(cached), (cached) => this.race(cached));
    this.work.append(this.panel.element, this.form(), this.keeping(), this.speed.element);
    this.parts = [h("p", { class: "task" }, LEAD), this.functions.element, this.trouble, this.start, this.work];
  }

  update({ ready, warm, extra, edition, trouble }: State): void {
    this.trouble.textContent = trouble;
    const isNew = edition !== this.edition;
    this.edition = edition;
    if (isNew) this.source.cached = extra;
    this.speed.offer(extra, this.source.cached);
    this.start.hidden = !ready || this.hasBegun;
    this.work.hidden = !ready || !this.hasBegun;
    this.functions.show(extra);
    if (!ready) this.panel.pause();
    else if (isNew && this.hasBegun) void this.panel.use(this.source);
    else if (isNew && warm) this.begin(this.texts[0]!);
  }

  private begin(beginning: Beginning): void {
    this.hasBegun = true;
    this.start.hidden = true;
    this.work.hidden = false;
    this.panel.start(beginning);
  }

  private useCache(cached: boolean): void {
    this.source.cached = cached;
    void this.panel.use(this.source);
  }

  /** Writes the fable of the first beginning, as fast as it goes. */
  private async race(cached: boolean): Promise<readonly number[]> {
    this.panel.pause();
    const { source } = this;
    const before = source.cached;
    source.cached = cached;
    const { tokens, seed } = this.texts[0]!;
    const draw = randomNumbers(seed);
    let text = [...tokens];
    try {
      let [reading] = (await source.read(text, 0)).slice(-1);
      while (text.length < source.most) {
        const token = await source.choose(reading!, 0.8, draw(), text);
        if (token === END) break;
        text = [...text, token];
        [reading] = await source.read(text, text.length - 1);
      }
    } finally {
      source.cached = before;
    }
    return text;
  }

  // A beginning of one's own ----------------------------------------------------------------------

  private form(): HTMLElement {
    const label = h("label", {}, "Or begin it yourself: ", this.field);
    this.field.placeholder = "Once there was a proud mouse named Ida, who";
    const form = h("form", { class: "own" }, label, h("button", {}, "Begin"), this.answer);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.beginOwn();
    });
    return form;
  }

  private async beginOwn(): Promise<void> {
    const text = this.field.value || this.field.placeholder;
    const { tokens, unknown, nearest } = await this.source.begin(text);
    if (tokens && tokens.length < this.source.most) {
      this.answer.replaceChildren();
      return this.begin({ label: text, tokens, seed: OWN_SEED, head: undefined });
    }
    if (!unknown) return this.answer.replaceChildren(`A text has ${this.source.most} words at most.`);
    const offers = nearest!.map((word) => button(word, () => this.replace(unknown, word)));
    this.answer.replaceChildren(`“${unknown}” is in no fable, so the model has no such word. The nearest that it has: `, ...offers);
  }

  private replace(unknown: string, word: string): void {
    this.field.value = this.field.value.replace(unknown, word);
    void this.beginOwn();
  }

  // To take away ------------------------------------------------------------------------------------

  private keeping(): HTMLElement {
    const text = (): string => fable(this.source.words, this.panel.tokens);
    const copy = button("Copy the fable", () => {
      const done = (label: string) => () => void (copy.textContent = label);
      // Where there is no clipboard (on an insecure origin) the text can be marked by hand.
      void navigator.clipboard?.writeText(text()).then(done("Copied"), done("Mark the text and copy it"));
    });
    const picture = button("Save as a picture", () => void savePicture(text(), SIGNATURE, this.panel.element));
    return h("div", { class: "keeping" }, button("Tell another", () => this.panel.another()), copy, picture);
  }

  stop(): void {
    this.panel.stop();
  }
}

export const render = (host: Host<State>): (() => void) => {
  let view: View | undefined;
  const ask = host.place === "page" ? pageAsk(host.el) : kernelAsk(host.model);
  const spec: Spec<State> = {
    shows: ["ready", "warm", "extra", "edition", "functions", "beginnings", "vocabulary", "heads", "most", "trouble", "asked", "answered"],
    answers: [],
    style: writerStyle + style,
    build(context) {
      const made = (view = new View(context, ask));
      return { parts: made.parts, update: (state) => made.update(state) };
    },
    summary: () => "", // the panel says itself what is seen
  };
  const stop = mount(host, spec);
  return () => {
    view?.stop();
    stop();
  };
};
export default { render };
