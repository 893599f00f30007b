// Asks again, on their day, the questions whose mistakes the reader has met, and writes them as a
// deck of cards. The questions are those of the page's own list, which stands below; what grades
// them is loaded when it is needed. A script of its own, for the pages that have such a list.
import { type Card, csv, DAYS, type Deck, type Told } from "./deck.ts";
import { button, h, liveRegion, prose } from "./dom.ts";
import { load, notLoaded } from "./load.ts";
import { forgetControl } from "./progress.ts";
import type { CardData, QuizData, Verdict } from "./types.ts";

const BLOCKED =
  "This browser keeps nothing, so no question can come back on another day. Go through the list below now and then instead.";
const NOTHING =
  "Nothing is kept yet. A question comes here when an answer of yours shows a mistake that has a name.";
const ELSEWHERE = "You have answered this one in another tab.";

const LOADING = "Loading the questions …";

/** What the page's script has, and this one uses. */
export interface Kit {
  deck: Deck;
  /** Brings a question in the page to life. Nothing of it is kept. */
  ask(block: HTMLElement, data: QuizData, graded: (verdict: Verdict) => void): Promise<void>;
}

export interface ReviewModule {
  reviewCards(places: HTMLElement[], kit: Kit): void;
}

declare global {
  interface Window {
    coursekitReview?: ReviewModule;
    /** By the name of their file: coursekit.page.cards. */
    coursekitCards?: Record<string, CardData[]>;
  }
}

class Review {
  readonly #place: HTMLElement;
  readonly #deck: Deck;
  readonly #ask: Kit["ask"];
  /** The ids of the questions that stand in the list. */
  readonly #listed: Set<string>;
  readonly #cards = new Map<string, CardData>();
  readonly #status = liveRegion("ck-due");
  readonly #note = liveRegion("ck-note");
  readonly #room = h("div", { class: "ck-again" });
  readonly #start = button("Ask me", "ck-main", () => void this.#next());
  readonly #mine = button("Save my questions (CSV)", "ck-plain", () => void this.#saveMine());
  readonly #forget: HTMLElement;

  constructor(place: HTMLElement, { deck, ask }: Kit) {
    this.#place = place;
    this.#deck = deck;
    this.#ask = ask;
    const cards = [...place.querySelectorAll<HTMLElement>(".ck-card")];
    this.#listed = new Set(cards.map((card) => card.dataset["card"]!));
    this.#forget = forgetControl("Forget my questions", "Forget which mistakes you have met?", () =>
      deck.forget(deck.all().map(([id]) => id)),
    );
    const all = button("Save all questions (CSV)", "ck-plain", () => void this.#saveAll());
    const buttons = h("div", { class: "ck-buttons" }, this.#start, this.#mine, all, this.#forget);
    place.prepend(this.#status, buttons, this.#note, this.#room);
    this.#update();
    deck.onChange(() => this.#update());
    window.addEventListener("storage", (event) => deck.owns(event.key) && this.#update());
    document.addEventListener("visibilitychange", () => this.#update()); // a day may have passed
  }

  /** What is kept and can be asked here. */
  #kept(): [string, Card][] {
    return this.#deck.all().filter(([id, card]) => this.#listed.has(id) || card.told);
  }

  #due(): [string, Card][] {
    return this.#kept().filter(([, card]) => card.due <= this.#deck.today());
  }

  #update(): void {
    const kept = this.#kept();
    const due = this.#due();
    const later = kept.filter(([, card]) => card.due > this.#deck.today());
    const text = this.#deck.keeps ? summary(due.length, later.map(([, card]) => card.due)) : BLOCKED;
    if (this.#status.textContent !== text) this.#status.textContent = text;
    this.#start.hidden = due.length === 0 || this.#room.hasChildNodes();
    this.#mine.hidden = this.#forget.hidden = kept.length === 0;
  }

  /** What is asked with and what a deck has, if it is here by then; else a sentence says so. */
  async #load(): Promise<boolean> {
    if (this.#cards.size > 0) return true;
    this.#note.textContent = LOADING;
    const { href, pathname } = new URL(this.#place.dataset["cards"]!, document.baseURI);
    const name = pathname.slice(pathname.lastIndexOf("/") + 1);
    const cards = (await load(href)) ? window.coursekitCards![name]! : [];
    for (const card of cards) this.#cards.set(card.id, card);
    const isThere = cards.length > 0;
    this.#note.textContent = isThere ? "" : notLoaded("The questions", "press the button again, or reload the page");
    return isThere;
  }

  async #next(): Promise<void> {
    const due = this.#due();
    const [first] = due;
    if (first && this.#listed.has(first[0]) && !(await this.#load())) return;
    if (!first) {
      this.#room.replaceChildren();
      this.#update();
      this.#status.tabIndex = -1;
      return this.#status.focus();
    }
    const [id, card] = first;
    const title = h("h3", { class: "ck-title", tabindex: "-1", id: "ck-again-title" });
    const data = this.#cards.get(id);
    title.textContent = data ? data.quiz.title : card.told!.title;
    const kicker = h("p", { class: "ck-kicker" }, left(due.length));
    const attributes = { class: "ck-exercise ck-live ck-quiz", role: "group", "aria-labelledby": title.id };
    const block = h("div", attributes, kicker, title);
    const outcome = liveRegion("ck-outcome");
    this.#room.replaceChildren(block);
    if (data) this.#pose(block, data, outcome);
    else this.#recall(block, id, card.told!, outcome);
    block.append(outcome);
    this.#start.hidden = true;
    title.focus();
  }

  /** A question with its own answer field; the first answer counts. */
  #pose(block: HTMLElement, data: CardData, outcome: HTMLElement): void {
    const listed = this.#place.querySelector(`[data-card="${CSS.escape(data.id)}"]`)!;
    const copy = listed.cloneNode(true) as HTMLElement;
    copy.querySelector(".ck-card-answer")!.remove();
    for (const named of copy.querySelectorAll("[id]")) named.removeAttribute("id");
    const { id, questions } = data.quiz;
    copy.querySelector<HTMLElement>(".ck-question")!.dataset["question"] = questions[0]!.name;
    copy.querySelector(".ck-question-statement")!.id = `exercise-${id}-${questions[0]!.name}-statement`;
    block.append(...copy.childNodes);
    let counted = false;
    void this.#ask(block, data.quiz, (verdict) => {
      if (!counted) this.#count(data.id, verdict.status === "passed", outcome);
      counted = true;
    });
  }

  /** A mistake in code: the reader recalls what was wrong, and says whether it was known. */
  #recall(block: HTMLElement, id: string, told: Told, outcome: HTMLElement): void {
    const words = told.misconception.replace(/-/g, " ");
    const link = h("a", { href: told.href }, "this exercise");
    const asked = h("p", {}, "An answer of yours to ", link, ` showed a mistake called “${words}”. `);
    asked.append("What is wrong with such an answer, and what would be right?");
    const buttons = h("div", { class: "ck-buttons" });
    const show = button("Show the answer", "ck-main", () => {
      const judge = (isRight: boolean) => {
        buttons.remove();
        this.#count(id, isRight, outcome);
      };
      const knew = button("I knew it", "ck-main", () => judge(true));
      buttons.replaceChildren(knew, button("Not yet", "ck-plain", () => judge(false)));
      buttons.before(h("p", { class: "ck-why" }, ...prose(told.explanation)));
      knew.focus();
    });
    buttons.append(show);
    block.append(asked, buttons);
  }

  #count(id: string, isRight: boolean, outcome: HTMLElement): void {
    const due = this.#deck.answer(id, isRight);
    const next = button(this.#due().length ? "Next question" : "Done for today", "ck-main", () => void this.#next());
    outcome.replaceChildren(h("p", { class: "ck-note" }, told(due)), next);
    this.#update();
    if (document.activeElement === document.body) next.focus(); // what was pressed is gone
  }

  async #saveAll(): Promise<void> {
    if (await this.#load()) save("all-questions", [...this.#cards.values()].map((card) => card.row));
  }

  async #saveMine(): Promise<void> {
    const kept = this.#kept();
    if (kept.some(([id]) => this.#listed.has(id)) && !(await this.#load())) return;
    const rows = kept.map(([id, card]) => {
      const data = this.#cards.get(id);
      if (data) return data.row;
      const { title, misconception, explanation } = card.told!;
      const words = misconception.replace(/-/g, " ");
      return [`${title}: what is wrong with an answer that shows “${words}”?`, explanation, title];
    });
    save("my-questions", rows);
  }
}

function save(name: string, rows: string[][]): void {
  const address = URL.createObjectURL(new Blob([csv(rows)], { type: "text/csv" }));
  h("a", { href: address, download: `${name}.csv` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

const questions = (count: number) => `${count} question${count === 1 ? "" : "s"}`;

function summary(due: number, later: string[]): string {
  if (due + later.length === 0) return NOTHING;
  const now = due === 0 ? "No question is due today." : `${questions(due)} ${due === 1 ? "is" : "are"} due today.`;
  if (later.length === 0) return now;
  return `${now} ${questions(later.length)} will come back later, the next on ${day(later[0]!)}.`;
}

const left = (count: number) => (count === 1 ? "The last question for today" : `${questions(count)} left today`);

function told(due: string | null): string {
  if (due === null) return ELSEWHERE;
  if (due === "learned") return `Recalled ${DAYS.length} times in a row: it does not come back.`;
  return `It comes back on ${day(due)}.`;
}

/** 2026-11-30 as “30 November 2026”. */
function day(date: string): string {
  const [year, month, number] = date.split("-").map(Number) as [number, number, number];
  const words: Intl.DateTimeFormatOptions = { day: "numeric", month: "long", year: "numeric" };
  return new Date(year, month - 1, number).toLocaleDateString("en-GB", words);
}

const module: ReviewModule = {
  reviewCards(places, kit) {
    for (const place of places) new Review(place, kit);
  },
};

window.coursekitReview = module;
