// The editor proper: CodeMirror with Python, in the page's own colours. A script of its own, so
// that readers who never write code never load it.
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { globalCompletion, localCompletionSource, python } from "@codemirror/lang-python";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightSpecialChars, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { h } from "./dom.ts";
import type { EditorModule } from "./editing.ts";
import type { Names } from "./names.ts";

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: "var(--ck-keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--ck-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--ck-number)" },
  { tag: tags.comment, color: "var(--ck-muted)", fontStyle: "italic" },
  { tag: tags.definition(tags.function(tags.variableName)), color: "var(--ck-name)" },
]);

const look = EditorView.theme({
  "&": { backgroundColor: "transparent", color: "var(--ck-ink)" },
  "&.cm-focused": { outline: "none" }, // the frame around it shows the focus
  ".cm-scroller": { fontFamily: "var(--ck-code-font)", lineHeight: "1.55", maxHeight: "70vh" },
  ".cm-content": { padding: "0.6rem 0", caretColor: "var(--ck-ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ck-ink)" },
  ".cm-specialChar": { color: "inherit", backgroundColor: "var(--ck-selection)" },
  ".cm-gutters": {
    backgroundColor: "transparent",
    color: "var(--ck-muted)",
    border: "none",
  },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: "var(--ck-selection)" },
  ".cm-tooltip": {
    backgroundColor: "var(--ck-paper)",
    color: "var(--ck-ink)",
    border: "1px solid var(--ck-line)",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--ck-selection)",
    color: "var(--ck-ink)",
  },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--ck-selection)" },
});

/** Names from Python where it is loaded, and always those that stand in the code. */
async function completions(context: CompletionContext, names?: Names): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[\w.]*/);
  if (!word || (word.from === word.to && !context.explicit)) return null;
  const head = word.text.slice(0, word.text.lastIndexOf(".") + 1);
  const code = context.state.doc.toString();
  const known = (await names?.complete(word.text, code)) ?? [];
  const options: Completion[] = known.map((label) => ({ label, boost: 1, info: () => explained(head + label, code, names) }));
  if (head === "") {
    const written = localCompletionSource(context)?.options ?? [];
    const builtIn = known.length > 0 ? [] : ((await globalCompletion(context))?.options ?? []);
    options.push(...[...written, ...builtIn].filter(({ label }) => !known.includes(label)));
  }
  if (context.view && !context.view.hasFocus) return null; // the reader has gone on
  return options.length > 0 ? { from: word.from + head.length, options, validFor: /^\w*$/ } : null;
}

/** A name's signature and documentation. */
async function explained(dotted: string, code: string, names?: Names): Promise<HTMLElement | null> {
  const found = await names?.explain(dotted, code);
  return found ? h("div", { class: "ck-hover" }, h("code", {}, found.head), h("div", {}, found.doc)) : null;
}

const tooltip = (names: Names) =>
  hoverTooltip(async (view, pos) => {
    const code = view.state.doc.toString();
    const dotted = /[\w.]*$/.exec(code.slice(0, pos))![0] + /^\w*/.exec(code.slice(pos))![0];
    const dom = dotted && (await explained(dotted, code, names));
    return dom ? { pos, create: () => ({ dom }) } : null;
  });

function extensions(area: HTMLTextAreaElement, changed: () => void, names?: Names) {
  return [
    autocompletion({
      override: [(context) => completions(context, names)],
      icons: false,
      activateOnTypingDelay: 20, // ms: the answer comes fast, and names are wanted within a tenth
    }),
    names ? tooltip(names) : [],
    EditorView.lineWrapping,
    lineNumbers(),
    history(),
    drawSelection(),
    highlightSpecialChars({ addSpecialChars: /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/ }), // blanks but the usual one
    indentOnInput(),
    bracketMatching(),
    indentUnit.of("    "),
    python(),
    syntaxHighlighting(colours),
    look,
    // Tab indents; Escape, then Tab, leaves the editor (built into CodeMirror).
    keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
    EditorView.contentAttributes.of({
      tabindex: "0", // what scrolls must be reachable by keyboard, for axe by name
      "aria-label": area.getAttribute("aria-label") ?? "Your code",
      "aria-describedby": area.getAttribute("aria-describedby") ?? "",
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) changed();
    }),
  ];
}

const module: EditorModule = {
  upgrade(area, changed, names) {
    const focused = document.activeElement === area;
    const state = EditorState.create({
      doc: area.value,
      selection: { anchor: area.selectionStart, head: area.selectionEnd },
      extensions: extensions(area, changed, names),
    });
    const view = new EditorView({ state });
    area.replaceWith(view.dom);
    if (focused) view.focus();
    return {
      text: () => view.state.doc.toString(),
      set: (text) =>
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    };
  },
};

window.coursekitEditor = module;
