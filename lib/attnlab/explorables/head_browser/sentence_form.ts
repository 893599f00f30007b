// The sentence: one of those that are stored, or the reader's own, and what the model is doing.
import { h } from "../ui/dom.ts";
import { button } from "../ui/fields.ts";
import type { Source } from "./source.ts";

const OWN = "a sentence of your own";
const MEGA = 1e6;

export class SentenceForm {
  readonly element: HTMLElement;
  private readonly texts: readonly string[];
  private text = "";
  private readonly choice: HTMLSelectElement;
  private readonly own = h("option", {}, OWN);
  private readonly field = h("input", { type: "text", "aria-label": "Your sentence", maxlength: 300, enterkeyhint: "go" });
  private readonly bar = h("progress", { "aria-label": "Bytes of the model" });
  private readonly status = h("span", { class: "status", role: "status" });
  private readonly load: HTMLButtonElement;
  private readonly form: HTMLFormElement;

  constructor(texts: readonly string[], read: (text: string) => void, load: () => void) {
    this.texts = texts;
    this.choice = h("select", { "aria-label": "Sentence" }, ...texts.map((text) => h("option", {}, text)), this.own);
    this.choice.addEventListener("change", () => {
      const text = texts[this.choice.selectedIndex];
      if (text === undefined) this.field.select();
      else read(text);
    });
    this.load = button("Load the model (12 MB)", load);
    this.form = h("form", { class: "own flow" }, this.field, h("button", { type: "submit" }, "Read it"), this.load);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.field.value.trim();
      if (text) read(text);
    });
    const line = h("p", { class: "loading flow" }, this.status, this.bar);
    // The form last: where it goes, nothing moves that can be seen.
    this.element = h("div", { class: "sentence" }, this.choice, line, this.form);
  }

  /** Shows which sentence is read, how far the model is, and no field for one that cannot be read. */
  update(text: string, { status, progress, isLive, lacks }: Source): void {
    this.form.hidden = Boolean(lacks);
    if (lacks) this.own.remove();
    const at = this.texts.indexOf(text);
    this.choice.selectedIndex = at < 0 ? this.texts.length : at;
    // Only a new one: the reader may have typed another meanwhile.
    if (text !== this.text) this.text = this.field.value = text;
    this.load.hidden = isLive;
    this.bar.hidden = progress === undefined;
    if (progress) [this.bar.value, this.bar.max] = progress;
    const bytes = progress ? ` ${(progress[0] / MEGA).toFixed(1)} of ${(progress[1] / MEGA).toFixed(1)} MB` : "";
    this.status.textContent = [lacks, status + bytes].filter(Boolean).join(" ");
  }
}
