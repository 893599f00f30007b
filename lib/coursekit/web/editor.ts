// The editor proper: CodeMirror with Python, in the page's own colours. A script of its own, so
// that readers who never write code never load it.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { EditorModule } from "./editing.ts";

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
  ".cm-scroller": { fontFamily: "var(--ck-mono)", lineHeight: "1.55", maxHeight: "70vh" },
  ".cm-content": { padding: "0.6rem 0", caretColor: "var(--ck-ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ck-ink)" },
  ".cm-gutters": {
    backgroundColor: "transparent",
    color: "var(--ck-muted)",
    border: "none",
  },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: "var(--ck-selection)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--ck-selection)" },
});

function extensions(area: HTMLTextAreaElement, changed: () => void) {
  return [
    lineNumbers(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    indentUnit.of("    "),
    python(),
    syntaxHighlighting(colours),
    look,
    // Tab indents; Escape, then Tab, leaves the editor (built into CodeMirror).
    keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
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
  upgrade(area, changed) {
    const focused = document.activeElement === area;
    const state = EditorState.create({
      doc: area.value,
      selection: { anchor: area.selectionStart, head: area.selectionEnd },
      extensions: extensions(area, changed),
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
