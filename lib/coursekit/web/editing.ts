// The reader's code: a text area, which the editor proper replaces once it is asked for (on the
// first focus) and has loaded. Where it cannot load the text area stays.
import { h } from "./dom.ts";
import { load } from "./load.ts";
import type { Names } from "./names.ts";

/** What editor.ts offers, once its script has run. */
export interface EditorModule {
  upgrade(
    area: HTMLTextAreaElement,
    changed: () => void,
    names?: Names,
  ): { text(): string; set(text: string): void };
}

declare global {
  interface Window {
    coursekitEditor?: EditorModule;
  }
}

export interface CodeField {
  element: HTMLElement;
  text(): string;
  set(text: string): void;
}

interface Options {
  id: string;
  label: string;
  text: string;
  /** Address of the editor's script. */
  script: string;
  changed: () => void;
  /** Called when it is first asked for. */
  focused: () => void;
  names?: Names;
}

export function codeField({ id, label, text, script, changed, focused, names }: Options): CodeField {
  const rows = String(Math.max(3, text.trimEnd().split("\n").length + 1));
  const area = h("textarea", {
    id,
    class: "ck-code-area",
    rows,
    "aria-label": label,
    spellcheck: "false",
    autocapitalize: "off",
    autocorrect: "off",
    autocomplete: "off",
    oninput: changed,
  });
  area.value = text;
  const element = h("div", { class: "ck-editor" }, area);
  let field: Omit<CodeField, "element"> = {
    text: () => area.value,
    set: (value) => {
      area.value = value;
    },
  };
  const upgrade = async () => {
    focused();
    const editor = (await load(script)) ? window.coursekitEditor : undefined;
    if (editor && area.isConnected) field = editor.upgrade(area, changed, names);
  };
  area.addEventListener("focus", () => void upgrade(), { once: true });
  return { element, text: () => field.text(), set: (value) => field.set(value) };
}
