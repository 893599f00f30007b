// Shows what a search finds, below the field: in the dialog of every page and on the search page.
import { h } from "../../../lib/coursekit/web/dom.ts";
import { excerpt, MOST, searchOf, type Found, type Index } from "./engine.ts";

declare global {
  var searchIndex: Index | undefined;
}

const KINDS: Readonly<Record<string, string>> = { exercise: "Exercise", name: "Library", term: "Glossary" };
const OWN = (document.currentScript as HTMLScriptElement).src;

/** A link to a page, from wherever the page for what is not found is shown. */
const link = (address: string, ...children: (Node | string)[]): HTMLAnchorElement =>
  h("a", { href: new URL(`../${address}`, OWN).href }, ...children);

/** Loads the index, which is a script: a page from a folder may not fetch files. */
const loaded = new Promise<(query: string) => Found[]>((resolve, reject) => {
  const onload = (): void => resolve(searchOf(globalThis.searchIndex!));
  document.head.append(h("script", { src: new URL("search-index.js", OWN).href, onload, onerror: reject }));
});

function item({ kind, title, page, address, text, stems }: Found): HTMLLIElement {
  const where = [KINDS[kind], page].filter(Boolean).join(" · ");
  const place = where ? [" ", h("span", { class: "search-page" }, where)] : [];
  const parts = excerpt(text, stems).map(([part, isFound]) => (isFound ? h("mark", {}, part) : part));
  return h("li", {}, link(address, h("span", { class: "search-title" }, title), ...place), h("p", { class: "search-text" }, ...parts));
}

/** What is said of the hits: how many there are, or where else to look. */
function summary(count: number): (Node | string)[] {
  if (count === 0) return ["Nothing found. Try fewer or other words, or the ", link("genindex.html", "index of terms"), "."];
  if (count === MOST) return [`The best ${MOST} places.`];
  return [count === 1 ? "1 place." : `${count} places.`];
}

/** A button that closes the dialog, for those who have no Escape key, and room for a phone's keyboard. */
function addClose(form: HTMLFormElement, dialog: HTMLDialogElement): void {
  form.append(h("button", { type: "button", class: "search-close", onclick: () => dialog.close() }, "Close"));
  const fit = (): void => dialog.style.setProperty("--search-height", `${visualViewport!.height}px`);
  visualViewport?.addEventListener("resize", fit);
  fit();
}

/** Makes a form show what is found while one types. */
function enliven(form: HTMLFormElement): void {
  const input = form.querySelector("input")!;
  const dialog = form.closest("dialog");
  // The arrows lead from the field to the hits and back; a place on this page is not behind the dialog.
  const list = h("ol", { class: "search-results", onclick: () => dialog?.close() });
  const status = h("p", { class: "search-status", role: "status" });
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
  form.parentElement!.addEventListener("keydown", (event) => {
    const stops: HTMLElement[] = [input, ...links()];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    const next = at >= 0 && stops[at + ({ ArrowDown: 1, ArrowUp: -1 }[event.key] ?? NaN)];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  const failed = "The index cannot be loaded. Reload the page to try again.";
  loaded.then((made) => void (find = made), () => void (waiting = failed)).then(show);
}

for (const form of document.querySelectorAll<HTMLFormElement>("form.bd-search")) enliven(form);
