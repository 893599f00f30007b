// Brings the exercises of a page to life. A classic script: it also runs from file://.
import { cellBars } from "./cells.ts";
import { sayOlder } from "./changed.ts";
import { Checks } from "./checks.ts";
import { CodeBlock } from "./code.ts";
import { Deck } from "./deck.ts";
import { openDeeper } from "./deeper.ts";
import { startFinale } from "./finale_module.ts";
import { gate } from "./gate.ts";
import { h } from "./dom.ts";
import { contentsProgress } from "./contents.ts";
import { exerciseDots } from "./dots.ts";
import { climb } from "./hints.ts";
import { fillWhenDone } from "./kicker.ts";
import type { Host } from "./host.ts";
import { loadKinds } from "./kinds.ts";
import { load, notLoaded } from "./load.ts";
import { continueFrom, pageProgress, tableProgress } from "./progress.ts";
import { Python, whyNot } from "./python.ts";
import { QuizBlock } from "./quiz.ts";
import type { Kit } from "./review.ts";
import { browserStorage, Store } from "./store.ts";
import { offerFile, offerNotebook } from "./export.ts";
import { listen, sayChanged } from "./tabs.ts";
import { type CodeData, type ExerciseData, isExplained, type QuizData, type Verdict } from "./types.ts";

/** Its address says where the other files of the site are; `data-course`, whose site it is. */
const script = document.currentScript as HTMLScriptElement;
const here = new URL(script.src);
/** Another script of the site, of the same version: browsers keep old ones for a while. */
const file = (name: string) => new URL(name + here.search, here).href;

const storage = browserStorage();
const course = script.dataset["course"] ?? "coursekit";
const store = new Store(storage, course);
const deck = new Deck(storage, course);
const host: Host = {
  store,
  python: new Python(() => new Worker(file("worker.js"), { type: "module" })),
  checks: new Checks(file),
  file,
  graded: meet,
  whyNot: whyNot(window.location, window, document.querySelector<HTMLLinkElement>("link[rel=canonical]")?.href),
};

/** Notes a mistake that was named: its question comes back on another day. */
function meet(data: QuizData | CodeData, verdict: Verdict): void {
  const { status, check, misconception, explanation } = verdict;
  if (status !== "failed" || misconception === null) return;
  if (data.kind === "quiz") return deck.meet(`${data.id}/${check}`, misconception);
  if (!isExplained(verdict)) return;
  const href = `${window.location.pathname}#exercise-${data.id}`;
  deck.meet(`${data.id}/${misconception}`, misconception, { title: data.title, href, misconception, explanation });
}

function start(block: HTMLElement): ExerciseData {
  const data = JSON.parse(block.querySelector(".ck-data")!.textContent) as ExerciseData;
  if (data.kind === "quiz") void startQuiz(block, data);
  else if (data.notebook_only.length === 0) new CodeBlock(block, data, host);
  climb(block, data.id, data.version, store);
  fillWhenDone(block, data, store);
  gate(block, data, store);
  sayOlder(block, data, store);
  block.classList.add("ck-live");
  return data;
}

async function startQuiz(block: HTMLElement, data: QuizData): Promise<void> {
  await loadKinds(data.questions, file);
  new QuizBlock(block, data, store, (verdict) => meet(data, verdict));
}

/** Brings the page's lists of cards to life, where it has any. */
async function startReview(places: HTMLElement[]): Promise<void> {
  if (places.length === 0) return;
  const ask: Kit["ask"] = async (block, data, graded) => {
    await loadKinds(data.questions, file);
    new QuizBlock(block, data, new Store(null), graded);
  };
  if (await load(file("review.js"))) return window.coursekitReview!.reviewCards(places, { deck, ask });
  const missing = notLoaded("The questions that come back", "reload the page");
  for (const place of places) place.prepend(h("p", { class: "ck-note" }, missing));
}

/** Whether it can be done here at all; what runs in notebooks only does not count as open. */
const isForPage = (data: ExerciseData) => data.kind === "quiz" || data.notebook_only.length === 0;

const exercises = [...document.querySelectorAll<HTMLElement>("section.ck-exercise")].map(start);
openDeeper();
void startFinale(host);
pageProgress(exercises.filter(isForPage), store, deck);
exerciseDots(exercises.filter(isForPage), store);
tableProgress(store, deck);
contentsProgress(store);
continueFrom(store);
offerNotebook(exercises.filter(isForPage), { course, store, deck }, file("transfer.js"));
void offerFile({ course, store, deck }, file("transfer.js"));
const showCell = cellBars(host);
listen(store, (id) => {
  const block = document.getElementById(`exercise-${id}`);
  if (block) sayChanged(block);
  else showCell(id);
});
void startReview([...document.querySelectorAll<HTMLElement>(".ck-cards")]);

// Paper is white, whatever the screen is.
let theme = "";
window.addEventListener("beforeprint", () => {
  theme = document.documentElement.dataset["theme"] ?? "";
  document.documentElement.dataset["theme"] = "light";
});
window.addEventListener("afterprint", () => {
  document.documentElement.dataset["theme"] = theme;
});
