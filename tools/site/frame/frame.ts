// What the page around a text does: light and dark, the search's dialog, the section in view, a
// button that copies code, one that prints a summary, and keyboard stops for what scrolls sideways.
import { button, h } from "../../../lib/coursekit/web/dom.ts";

const root = document.documentElement;
const { src } = document.currentScript as HTMLScriptElement;
const dark = matchMedia("(prefers-color-scheme: dark)");

/** The theme that the reader chose; null where the system decides, or nothing is kept. */
function chosen(): string | null {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null;
  }
}

function keep(theme: string | null): void {
  try {
    if (theme) localStorage.setItem("theme", theme);
    else localStorage.removeItem("theme");
  } catch {
    // A browser that keeps nothing shows the system's theme on the next page.
  }
}

const system = (): string => (dark.matches ? "dark" : "light");

function themes(): void {
  dark.addEventListener("change", () => {
    root.dataset["theme"] = chosen() ?? system();
  });
  document.querySelector(".theme-switch-button")!.addEventListener("click", () => {
    const theme = root.dataset["theme"] === "dark" ? "light" : "dark";
    root.dataset["theme"] = theme;
    keep(theme === system() ? null : theme);
  });
}

function searching(): void {
  const dialog = document.querySelector<HTMLDialogElement>("#search-dialog")!;
  const field = dialog.querySelector("input")!;
  const open = (): void => {
    if (!dialog.open) dialog.showModal();
    field.focus();
    field.select();
  };
  document.querySelector(".search-button")!.addEventListener("click", open);
  addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
    const [at] = event.composedPath();
    const writes = at instanceof HTMLElement && (at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName));
    const isSlash = key === "/" && !ctrlKey && !metaKey && !altKey && !writes && !dialog.open;
    if (!isSlash && !((ctrlKey || metaKey) && !shiftKey && !altKey && key === "k")) return;
    event.preventDefault();
    open();
  });
  // The search itself comes when a field of it has the focus, or the address asks for something.
  let isLoaded = false;
  const load = (): void => {
    if (!isLoaded) document.head.append(Object.assign(document.createElement("script"), { src: src.replace("frame.js", "search.js") }));
    isLoaded = true;
  };
  const isField = (at: EventTarget | null): boolean => at instanceof Element && at.closest("form.bd-search") !== null;
  addEventListener("focusin", ({ target }) => isField(target) && load());
  if (isField(document.activeElement) || new URLSearchParams(location.search).has("q")) load();
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "Escape") dialog.close(); // at once: a field would first be emptied
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
}

/** Marks the section in view in the contents; on a narrow screen a link closes them. */
function sections(): void {
  const contents = document.querySelector<HTMLElement>("#contents")!;
  const links = [...contents.querySelectorAll<HTMLAnchorElement>('ol ol a[href^="#"]')];
  const places = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  const mark = (): void => {
    const at = places.findLastIndex((place) => place !== null && place.getBoundingClientRect().top < innerHeight / 3);
    links.forEach((link, i) => {
      if (i === at) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  };
  // Only in a frame: to ask earlier where a section is costs the page a layout before its first paint.
  const markSoon = (): number => requestAnimationFrame(mark);
  if (links.length > 0) addEventListener("scroll", markSoon, { passive: true });
  markSoon();
  contents.addEventListener("click", (event) => {
    if (event.target instanceof HTMLAnchorElement && contents.matches(":popover-open")) contents.hidePopover();
  });
}

/** The code of a block as one types it: without prompts and what they printed. */
function codeOf(block: HTMLElement): string {
  const text = block.textContent ?? "";
  const prompt = /^(?:>>>|\.\.\.|\$) ?/;
  const lines = text.trimEnd().split("\n");
  const typed = lines.filter((line) => prompt.test(line)).map((line) => line.replace(prompt, ""));
  return (typed.length > 0 ? typed : lines).join("\n");
}

function copying(): void {
  for (const block of document.querySelectorAll<HTMLElement>("article .highlight > pre")) {
    if (block.closest(".ck-exercise, .ck-card, .cell_output")) continue;
    const copy = document.createElement("button");
    copy.type = "button";
    copy.className = "copy";
    copy.textContent = "Copy";
    copy.addEventListener("click", () => {
      void navigator.clipboard.writeText(codeOf(block)).then(
        () => (copy.textContent = "Copied"),
        () => (copy.textContent = "Not copied"),
      );
      setTimeout(() => (copy.textContent = "Copy"), 2000);
    });
    block.before(copy);
  }
}

/** A chapter on one page of paper: its formulas with their shapes, its pitfalls, its takeaways. */
const SUMMARY = `h1, div.math, table, #key-takeaways > :is(h2, ul, ol), #what-goes-wrong > :is(h2, ul),
  #what-goes-wrong > section > :is(h3, h3 + p, h3 + p + :is(ul, ol))`;
/** What is not part of it: the reader's work, and what waits for an answer. */
const APART = '.ck-exercise, details:not(.ck-deeper), .admonition, [class*="after-predict-"]';

/** Offers the summary of a chapter below its takeaways; print.css takes out what is not marked. */
function summary(): void {
  const show = (): void => {
    for (const part of document.querySelectorAll(`article :is(${SUMMARY})`)) {
      const isOther = part instanceof HTMLTableElement && !/shape/i.test(part.tHead?.textContent ?? "");
      part.classList.toggle("in-summary", !isOther && !part.closest(APART));
    }
    root.classList.add("summary");
    print();
  };
  const offer = button("Print this chapter on one page", "ck-plain", show);
  document.querySelector("#key-takeaways")?.append(h("div", { class: "ck-buttons" }, offer));
  addEventListener("afterprint", () => root.classList.remove("summary"));
}

/** What may scroll sideways. */
const boxes = [...document.querySelectorAll<HTMLElement>("article :is(pre, .math, .pst-scrollable-table-container)")];

/** What scrolls sideways is reached without a mouse; all is read before anything is changed. */
function stops(): void {
  const seen = boxes.filter((box) => box.checkVisibility()); // to ask in a fold costs a layout of all in it
  const scrolls = seen.map((box) => box.scrollWidth > box.clientWidth);
  seen.forEach((box, i) => {
    if (scrolls[i]) box.tabIndex = 0;
    else if (box.tabIndex === 0) box.removeAttribute("tabindex");
  });
}

themes();
searching();
sections();
copying();
summary();
const sizes = new ResizeObserver(stops); // once at first, and when a gate or a fold is opened
for (const box of boxes) sizes.observe(box);
void document.fonts.ready.then(stops);
