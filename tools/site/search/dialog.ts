// Shows what a search finds, below the field: in the dialog of every page and on the search page.
import { MOST, searchOf, snippet, type Found, type Index, type Search } from "./ranking.ts";

declare global {
  var searchIndex: Index | undefined;
}

const KINDS: Readonly<Record<string, string>> = { exercise: "Exercise", name: "Library", term: "Glossary" };
const OWN = (document.currentScript as HTMLScriptElement).src;
/** Where the pages are; the page for what is not found may be shown anywhere. */
const ROOT = new URL("..", OWN);

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), { className });
  made.append(...children);
  return made;
}

/** Loads the index, which is a script: a page from a folder may not fetch files. */
const loaded = new Promise<Search>((resolve, reject) => {
  const script = element("script", "");
  script.src = new URL("search-index.js", OWN).href;
  script.onload = () => resolve(searchOf(globalThis.searchIndex!));
  script.onerror = reject;
  document.head.append(script);
});

function item({ kind, title, page, address, text, words }: Found): HTMLLIElement {
  const parts = snippet(text, words).map(({ text, isMarked }) => (isMarked ? element("mark", "", text) : text));
  const where = [KINDS[kind], page].filter(Boolean).join(" · ");
  const link = element("a", "", element("span", "search-title", title));
  link.href = new URL(address, ROOT).href;
  if (where) link.append(" ", element("span", "search-page", where));
  return element("li", "", link, element("p", "search-text", ...parts));
}

/** What is said of the hits: how many there are, or where else to look. */
function summary(count: number, nearest: string | undefined, ask: (query: string) => void): (Node | string)[] {
  const parts: (Node | string)[] = [];
  if (count === 0) parts.push("Nothing found. ");
  else if (count === MOST) parts.push(`The best ${MOST} places. `);
  else parts.push(count === 1 ? "1 place. " : `${count} places. `);
  if (nearest) {
    const button = element("button", "", nearest);
    button.type = "button";
    button.onclick = (event) => {
      event.stopPropagation(); // pressed by a key, it is outside the dialog to the theme's script
      ask(nearest);
    };
    parts.push("Did you mean ", button, "?");
  } else if (count === 0) {
    const terms = element("a", "", "index of terms");
    terms.href = new URL("genindex.html", ROOT).href;
    parts.push("Try fewer or other words, or the ", terms, ".");
  }
  return parts;
}

/** A button that closes the dialog, for those who have no Escape key. */
function addClose(form: HTMLFormElement, dialog: HTMLDialogElement): void {
  const button = element("button", "search-close", "Close");
  button.type = "button";
  button.onclick = () => dialog.close();
  form.append(button);
  const fit = (): void => dialog.style.setProperty("--search-height", `${visualViewport!.height}px`);
  visualViewport?.addEventListener("resize", fit);
  fit();
}

/** Moves the focus between the field and the hits. */
function walk(event: KeyboardEvent, stops: readonly HTMLElement[]): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const next = step && at >= 0 ? stops[at + step] : undefined;
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** Makes a form show what is found while one types. */
function enliven(form: HTMLFormElement): void {
  const input = form.querySelector("input")!;
  const dialog = form.closest("dialog");
  const list = element("ol", "search-results");
  const status = element("p", "search-status");
  status.setAttribute("role", "status");
  form.after(status, list);
  if (dialog) addClose(form, dialog);
  const asked = new URLSearchParams(location.search).get("q");
  if (asked && !dialog) input.value = asked;
  let search: Search | undefined;
  let waiting = "Loading the index …";
  const links = (): HTMLAnchorElement[] => [...list.querySelectorAll("a")];
  const show = (): void => {
    const query = input.value.trim();
    const found = search && query ? search.find(query) : [];
    list.replaceChildren(...found.map(item));
    if (dialog) dialog.scrollTop = 0;
    if (!query) status.replaceChildren();
    else if (!search) status.textContent = waiting;
    else status.replaceChildren(...summary(found.length, search.nearest(query), ask));
  };
  const ask = (query: string): void => {
    input.value = query;
    input.focus();
    show();
  };
  input.addEventListener("input", show);
  form.addEventListener("submit", (event) => {
    if (!search && dialog) return; // its own page may do better
    event.preventDefault();
    links()[0]?.click();
  });
  form.parentElement!.addEventListener("keydown", (event) => walk(event, [input, ...links()]));
  // A place on this page: the dialog would stand before it.
  list.addEventListener("click", () => dialog?.close());
  show();
  loaded
    .then(
      (made) => void (search = made),
      () => void (waiting = "The index cannot be loaded. Reload the page to try again."),
    )
    .then(show);
}

for (const form of document.querySelectorAll<HTMLFormElement>("form.bd-search")) enliven(form);
