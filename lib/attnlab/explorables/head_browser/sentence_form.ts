// The sentence: one of those that are stored, or the reader's own, and what the model is doing.
import { h } from "../ui/dom.ts";
import { button } from "../ui/fields.ts";
import type { Source } from "./source.ts";

const OWN = "a sentence of your own";
const MEGA = 1e6;

export class SentenceForm {
  readonly element: HTMLElement;
  private readonly texts: readonly string[];
  private readonly choice: HTMLSelectElement;
  private readonly field = h("input", { type: "text", "aria-label": "Your sentence", maxlength: 300, enterkeyhint: "go" });
  private readonly bar = h("progress", { "aria-label": "Bytes of the model" });
  private readonly status = h("span", { class: "status", role: "status" });
  private readonly load: HTMLButtonElement;

  constructor(texts: readonly string[], read: (text: string) => void, load: () => void) {
    this.texts = texts;
    this.choice = h("select", { "aria-label": "Sentence" }, ...[...texts, OWN].map((text) => h("option", {}, text)));
    this.choice.addEventListener("change", () => {
      const text = texts[this.choice.selectedIndex];
      if (text === undefined) this.field.select();
      else read(text);
    });
    this.load = button("Load the model (12 MB)", load);
    const form = h("form", { class: "own" }, this.field, h("button", { type: "submit" }, "Read it"), this.load);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.field.value.trim();
      if (text) read(text);
    });
    const line = h("p", { class: "loading" }, this.status, this.bar);
    this.element = h("div", { class: "sentence" }, this.choice, form, line);
  }

  /** Shows which sentence is read, and how far the model is. */
  update(text: string, { status, progress, isLive }: Source): void {
    const at = this.texts.indexOf(text);
    this.choice.selectedIndex = at < 0 ? this.texts.length : at;
    if (this.element.getRootNode() instanceof ShadowRoot) {
      const root = this.element.getRootNode() as ShadowRoot;
      if (root.activeElement !== this.field) this.field.value = text;
    } else this.field.value = text;
    this.load.hidden = isLive;
    this.bar.hidden = progress === undefined;
    if (progress) [this.bar.value, this.bar.max] = progress;
    const bytes = progress ? ` ${(progress[0] / MEGA).toFixed(1)} of ${(progress[1] / MEGA).toFixed(1)} MB` : "";
    this.status.textContent = status + bytes;
  }
}
