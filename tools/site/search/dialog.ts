// Shows what a search finds, below the field: in the dialog of every page and on the search page.
import { excerpt, MOST, searchOf, type Found, type Index } from "./engine.ts";

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

function link(address: string, ...children: (Node | string)[]): HTMLAnchorElement {
  return Object.assign(element("a", "", ...children), { href: new URL(address, ROOT).href });
}

/** Loads the index, which is a script: a page from a folder may not fetch files. */
const loaded = new Promise<(query: string) => Found[]>((resolve, reject) => {
  const script = element("script", "");
  script.src = new URL("search-index.js", OWN).href;
  script.onload = () => resolve(searchOf(globalThis.searchIndex!));
  script.onerror = reject;
  document.head.append(script);
});

function item({ kind, title, page, address, text, stems }: Found): HTMLLIElement {
  const where = [KINDS[kind], page].filter(Boolean).join(" · ");
  const place = where ? [" ", element("span", "search-page", where)] : [];
  const parts = excerpt(text, stems).map(([part, isFound]) => (isFound ? element("mark", "", part) : part));
  return element("li", "", link(address, element("span", "search-title", title), ...place), element("p", "search-text", ...parts));
}

/** What is said of the hits: how many there are, or where else to look. */
function summary(count: number): (Node | string)[] {
  if (count === 0) return ["Nothing found. Try fewer or other words, or the ", link("genindex.html", "index of terms"), "."];
  if (count === MOST) return [`The best ${MOST} places.`];
  return [count === 1 ? "1 place." : `${count} places.`];
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

/** Makes a form show what is found while one types. */
function enliven(form: HTMLFormElement): void {
  const input = form.querySelector("input")!;
  const dialog = form.closest("dialog");
  const list = element("ol", "search-results");
  const status = element("p", "search-status");
  status.setAttribute("role", "status");
  form.after(status, list);
  if (dialog) addClose(form, dialog);
  else input.value ||= new URLSearchParams(location.search).get("q") ?? "";
  let find: ((query: string) => Found[]) | undefined;
  let waiting = "Loading the index …";
  const links = (): HTMLAnchorElement[] => [...list.querySelectorAll("a")];
  const show = (): void => {
    const query = input.value.trim();
    const found = (query && find?.(query)) || [];
    list.replaceChildren(...found.map(item));
    if (dialog) dialog.scrollTop = 0;
    status.replaceChildren(...(!query ? [] : find ? summary(found.length) : [waiting]));
  };
  input.addEventListener("input", show);
  form.addEventListener("submit", (event) => {
    if (!find && dialog) return; // its own page may do better
    event.preventDefault();
    links()[0]?.click();
  });
  // The arrows lead from the field to the hits and back.
  form.parentElement!.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const stops: HTMLElement[] = [input, ...links()];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    const next = step && at >= 0 ? stops[at + step] : undefined;
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  // A place on this page: the dialog would stand before it.
  list.addEventListener("click", () => dialog?.close());
  loaded
    .then(
      (made) => void (find = made),
      () => void (waiting = "The index cannot be loaded. Reload the page to try again."),
    )
    .then(show);
}

for (const form of document.querySelectorAll<HTMLFormElement>("form.bd-search")) enliven(form);
