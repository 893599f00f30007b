// The path of chapters: lines lead from each to those that it builds on. The row that is pointed at,
// or on a touch screen the one in the middle, is the one whose lines are strong.
import { h } from "./dom.ts";

const SVG = "http://www.w3.org/2000/svg";
/** A line reaches so far to the side: this part of the room at least, all of it over this distance. */
const [LEAST, WHOLE] = [0.16, 560];
/** On a phone, what counts as the middle of the screen. */
const MIDDLE = "-46% 0px -46% 0px";

interface Row {
  element: HTMLElement;
  needs: Row[];
}

class Path {
  private readonly rows: Row[];
  private readonly lines = document.createElementNS(SVG, "svg");
  private readonly told = h("div");
  private now: Row;

  constructor(path: HTMLElement) {
    const found = new Map<string, Row>();
    for (const element of path.querySelectorAll<HTMLElement>("[data-chapter]")) {
      const needs = element.dataset["needs"]!.split(" ").flatMap((name) => found.get(name) ?? []);
      found.set(element.dataset["chapter"]!, { element, needs });
    }
    this.rows = [...found.values()];
    // At first where to go on, else the one that builds on most: its lines show what lines are.
    const most = this.rows.reduce((most, row) => (row.needs.length > most.needs.length ? row : most), this.rows[0]!);
    const isBegun = path.querySelector(".ck-begun") !== null;
    this.now = this.rows.find(({ element }) => isBegun && !element.matches(".ck-done")) ?? most;
    this.lines.setAttribute("aria-hidden", "true");
    path.prepend(this.lines);
    path.append(h("div", { class: "ck-aside", "aria-hidden": "true" }, this.told));
    for (const row of this.rows) {
      for (const event of ["pointerenter", "focusin"]) row.element.addEventListener(event, () => this.show(row));
    }
    if (matchMedia("(hover: none)").matches) this.follow();
    // Rows move when fonts come and when the window changes.
    new ResizeObserver(() => this.draw()).observe(path);
    this.draw();
  }

  /** Shows the row at mid-screen. */
  private follow(): void {
    const seen = new IntersectionObserver(
      (entries) => {
        const entry = entries.findLast(({ isIntersecting }) => isIntersecting);
        const row = this.rows.find(({ element }) => element === entry?.target);
        if (row) this.show(row);
      },
      { rootMargin: MIDDLE },
    );
    for (const { element } of this.rows) seen.observe(element);
  }

  private show(row: Row): void {
    this.now = row;
    this.mark();
    this.draw();
  }

  private mark(): void {
    const { element, needs } = this.now;
    for (const row of this.rows) {
      row.element.classList.toggle("ck-from", row === this.now);
      row.element.classList.toggle("ck-to", needs.includes(row));
    }
    const text = (row: Row, part: string): string => row.element.querySelector(part)?.textContent ?? "";
    // For the mouse: the rows have the same links.
    const link = (row: Row, part: string): HTMLElement =>
      h("a", { href: row.element.querySelector("a")!.href, tabindex: "-1" }, text(row, part));
    const number = this.rows.indexOf(this.now) + 1;
    const list = h("ul", {}, ...needs.map((row) => h("li", {}, link(row, ".ck-chapter"))));
    this.told.replaceChildren(
      h("p", { class: "ck-which" }, `Chapter ${number}, ${element.querySelector("small")!.firstChild!.textContent!.trim()}`),
      h("p", { class: "ck-question" }, link(this.now, ".ck-asks")),
      ...(needs.length > 0 ? [h("p", {}, "It looks back at"), list] : []),
    );
  }

  private draw(): void {
    this.mark();
    const frame = this.lines.getBoundingClientRect();
    const y = ({ element }: Row): number => {
      const name = element.querySelector(".ck-chapter")!;
      const line = parseFloat(getComputedStyle(name).lineHeight); // the dot stands beside the first
      return Math.round(name.getBoundingClientRect().top + line / 2 - frame.top);
    };
    const lines = this.rows.flatMap((row) => row.needs.map((need) => [row, need] as const));
    const paths = lines.map(([row, need]) => {
      const [from, to, x] = [y(row), y(need), frame.width];
      const room = Math.min(x - 8, x * (LEAST + (1 - LEAST) * Math.min(1, (from - to) / WHOLE)));
      const side = Math.round(x - 1.3 * room);
      const line = document.createElementNS(SVG, "path");
      line.setAttribute("d", `M${x} ${from}C${side} ${from},${side} ${to},${x} ${to}`);
      line.classList.toggle("ck-on", row === this.now);
      return line;
    });
    this.lines.replaceChildren(...paths);
  }
}

for (const path of document.querySelectorAll<HTMLElement>(".ck-path")) new Path(path);
