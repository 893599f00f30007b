// The place where readers have the whole site kept in their browser, and removed from it again. The
// service worker does the work; here it is asked for, and what it says is shown.
import { button, h, liveRegion, tell } from "../../../lib/coursekit/browser/dom.ts";
import type { Problem } from "./kept.ts";
import type { Answer, Ask } from "./worker.ts";

/** How many files one question asks for: a worker may be ended that takes long to answer one. */
const AT_ONCE = 12;
const MEGABYTE = 1e6;

const WHY_NOT = {
  file: "This copy of the site lies in a folder: it needs no connection.",
  preview: "This copy of the site comes from your own machine: nothing of it is kept in the browser.",
  browser:
    "This browser keeps no sites for reading offline: it is too old for it, a private window, or a " +
    "setting forbids it. The zip below works without it.",
};
const PROBLEMS: Record<Problem, string> = {
  network: "The site does not answer. What has come is kept: check the connection and press the button again.",
  full: "There is no room: the browser lets this site keep no more. Free some space, or take the zip below.",
  changed: "The site has just been published anew. Reload this page and press the button again.",
};

type State = Extract<Answer, { type: "state" }>;

const place = document.querySelector<HTMLElement>(".keep-offline")!;
const said = liveRegion("ck-said");
const controls = h("span", { class: "keep-buttons" });
const size = (bytes: number) => `${Math.max(1, Math.round(bytes / MEGABYTE))} MB`;
let stopped = false;

/** Starts the worker where a page can have one. */
async function started(): Promise<ServiceWorker | keyof typeof WHY_NOT> {
  const { hostname, protocol } = window.location;
  if (protocol === "file:") return "file";
  if (/^(localhost|127\..*|\[::1\])$/.test(hostname)) return "preview";
  try {
    await navigator.serviceWorker.register("sw.js");
    return (await navigator.serviceWorker.ready).active!;
  } catch {
    return "browser";
  }
}

/** Asks the worker; resolves with its last answer. */
function ask(worker: ServiceWorker, question: Ask, hear = (_bytes: number) => {}): Promise<Answer> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (data.type === "bytes") return hear(data.bytes);
      port1.close();
      resolve(data);
    };
    worker.postMessage(question, [port2]);
  });
}

const sum = (state: State, names: string[]) => names.reduce((bytes, name) => bytes + state.files[name]!, 0);

/** Shows what is kept and what can be done. */
async function show(worker: ServiceWorker, sentence = ""): Promise<void> {
  const state = (await ask(worker, { type: "state" })) as State;
  const all = Object.keys(state.files);
  const [has, whole] = [sum(state, state.kept), sum(state, all)];
  const isAll = state.kept.length === all.length;
  const keep = button(`Keep offline (${size(whole)})`, "ck-main", () => void keepAll(worker, state));
  const remove = button("Remove from this browser", "ck-plain", () => void removeAll(worker));
  controls.replaceChildren(...(isAll ? [] : [keep]), ...(has > 0 ? [remove] : []));
  const kept = isAll
    ? `All pages, Python and the notebooks are kept offline: ${size(whole)}. What is published anew comes by itself.`
    : has > 0 ? `Kept so far: ${size(has)} of ${size(whole)}.` : "";
  tell(said, sentence || kept);
}

async function keepAll(worker: ServiceWorker, state: State): Promise<void> {
  const missing = Object.keys(state.files).filter((name) => !state.kept.includes(name));
  const whole = sum(state, missing);
  let [come, sentence] = [0, ""];
  const text = () => `Keeping: ${size(come)} of ${size(whole)} …`;
  stopped = false;
  controls.replaceChildren(button("Stop", "ck-plain", () => (stopped = true)));
  controls.querySelector("button")!.focus();
  tell(said, text(), 0);
  said.ariaLive = "off"; // the ear has heard that it goes on
  void navigator.storage?.persist?.(); // else the browser may remove it when space runs out
  while (missing.length > 0 && !stopped) {
    const names = missing.splice(0, AT_ONCE);
    const hear = (bytes: number) => {
      come += bytes;
      advance(text(), come / whole);
    };
    const reply = await ask(worker, { type: "keep", names }, hear);
    if (reply.type === "done" && reply.problem) {
      sentence = PROBLEMS[reply.problem];
      break;
    }
  }
  said.ariaLive = "polite";
  await again(worker, sentence);
}

/** Moves the bar and the sentence above it. */
function advance(text: string, share: number): void {
  const bar = said.querySelector("progress");
  if (!bar) return tell(said, text, share);
  bar.value = share;
  bar.previousSibling!.textContent = text;
}

async function removeAll(worker: ServiceWorker): Promise<void> {
  await ask(worker, { type: "remove" });
  await again(worker, "Removed. Nothing is kept until you press the button.");
}

/** Shows what has come of it; the focus stays among the buttons. */
async function again(worker: ServiceWorker, sentence = ""): Promise<void> {
  await show(worker, sentence);
  controls.querySelector("button")?.focus();
}

async function begin(): Promise<void> {
  place.replaceChildren(controls, said);
  const worker = await started();
  if (typeof worker === "string") place.replaceChildren(h("p", {}, WHY_NOT[worker]));
  else await show(worker);
}

void begin();
