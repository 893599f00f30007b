// Brings the exercises of a page to life. A classic script: it also runs from file://.
import { cellBars } from "./cells.ts";
import { sayOlder } from "./changed.ts";
import { Checks } from "./checks.ts";
import { CodeBlock } from "./code.ts";
import { openDeeper } from "./deeper.ts";
import { gate } from "./gate.ts";
import { contentsProgress } from "./contents.ts";
import { doneLinks, exerciseDots } from "./dots.ts";
import { climb } from "./hints.ts";
import type { Host } from "./host.ts";
import { load } from "./load.ts";
import { continueFrom, pageProgress, pathProgress } from "./progress.ts";
import { faultOf, Python, SECONDS, whyNot } from "./python.ts";
import { QuizBlock } from "./quiz.ts";
import { browserStorage, Store } from "./store.ts";
import { offerFile, offerNotebook } from "./take_out.ts";
import { listen, sayChanged } from "./tabs.ts";
import type { CodeData, ExerciseData, QuizData } from "./types.ts";

/** Its address says where the other files of the site are; `data-course`, whose site it is. */
const script = document.currentScript as HTMLScriptElement;
const here = new URL(script.src);
/** Another script of the site, of the same version: browsers keep old ones for a while. */
const file = (name: string) => new URL(name + here.search, here).href;

const course = script.dataset["course"] ?? "coursekit";
const store = new Store(browserStorage(), course);
const worker = file("worker.js");
const host: Host = {
  store,
  python: new Python(() => new Worker(worker, { type: "module" }), SECONDS * 1000, () => faultOf(worker)),
  checks: new Checks(file),
  file,
  whyNot: whyNot(window.location, window, document.querySelector<HTMLLinkElement>("link[rel=canonical]")?.href),
};

function start(block: HTMLElement): ExerciseData {
  const data = JSON.parse(block.querySelector(".ck-data")!.textContent) as ExerciseData;
  if (data.kind === "quiz") void startQuiz(block, data);
  else if (data.notebook_only.length === 0) {
    new CodeBlock(block, data, host);
    const stage = document.querySelector<HTMLElement>(`.tag_runs-${data.id}`);
    if (stage) void startFinale(stage, data);
  }
  climb(block, data.id, data.version, store);
  gate(block, data, store);
  sayOlder(block, data, store);
  block.classList.add("ck-live");
  return data;
}

async function startQuiz(block: HTMLElement, data: QuizData): Promise<void> {
  // Others start at once; this one says itself what is missing.
  if (data.questions.some(({ kind }) => kind === "parsons")) await load(file("parsons.js"));
  new QuizBlock(block, data, store);
}

async function startFinale(stage: HTMLElement, data: CodeData): Promise<void> {
  stage.classList.add("ck-finale"); // at once, so that nothing is seen that is then shut
  if (await load(file("finale.js"))) window.coursekitFinale!(stage, data, host);
  else stage.classList.remove("ck-finale");
}

/** Whether it can be done here at all; what runs in notebooks only does not count as open. */
const isForPage = (data: ExerciseData) => data.kind === "quiz" || data.notebook_only.length === 0;

const exercises = [...document.querySelectorAll<HTMLElement>("section.ck-exercise")].map(start);
openDeeper();
pageProgress(exercises.filter(isForPage), store);
exerciseDots(exercises.filter(isForPage), store);
doneLinks(store);
pathProgress(store);
if (document.querySelector(".ck-path")) void load(file("path.js"));
contentsProgress(store);
continueFrom(store);
offerNotebook(exercises.filter(isForPage), { course, store }, file("transfer.js"));
void offerFile({ course, store }, file("transfer.js"));
const showCell = cellBars(host);
listen(store, (id) => {
  const block = document.getElementById(`exercise-${id}`);
  if (block) sayChanged(block);
  else showCell(id);
});

// Paper is white, whatever the screen is.
let theme = "";
window.addEventListener("beforeprint", () => {
  theme = document.documentElement.dataset["theme"] ?? "";
  document.documentElement.dataset["theme"] = "light";
});
window.addEventListener("afterprint", () => {
  document.documentElement.dataset["theme"] = theme;
});
