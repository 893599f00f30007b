// The place where readers have the whole site kept in their browser, and removed from it again. The
// service worker does the work; here it is asked for, and what it says is shown.
import { button, h, liveRegion, tell } from "../../../lib/coursekit/web/dom.ts";
import type { Ask, Problem, State } from "./worker.ts";

const WHY_NOT = {
  file: "This copy of the site lies in a folder: it needs no connection.",
  preview: "This copy of the site comes from your own machine: nothing of it is kept in the browser.",
  browser:
    "This browser keeps no sites for reading offline: it is too old for it, a private window, or a frame " +
    "or a setting forbids it. The zip below works without it.",
};
const PROBLEMS: Record<Problem, string> = {
  network: "The site does not answer. What has come is kept: check the connection and press the button again.",
  full: "There is no room: the browser lets this site keep no more. Free some space, or take the zip below.",
  changed: "The site has just been published anew. Reload this page and press the button again.",
};

const place = document.querySelector<HTMLElement>(".keep-offline")!;
const said = liveRegion("ck-said");
const controls = h("span", { class: "keep-buttons" });
const size = (bytes: number) => `${Math.max(1, Math.round(bytes / 1e6))} MB`;
const sum = ({ files }: State, names: string[]) => names.reduce((bytes, name) => bytes + files[name]!, 0);

/** Asks the worker that is at work now; resolves with its answer. */
async function ask<Answer>(question: Ask): Promise<Answer> {
  const { port1, port2 } = new MessageChannel();
  const { active } = await navigator.serviceWorker.ready;
  return new Promise((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data);
    active!.postMessage(question, [port2]);
  });
}

/** Shows what is kept and what can be done; the focus stays among the buttons. */
async function show(sentence = ""): Promise<void> {
  const state = await ask<State>({ type: "state" });
  const all = Object.keys(state.files);
  const [has, whole] = [sum(state, state.kept), size(sum(state, all))];
  const isAll = state.kept.length === all.length;
  const isUsed = controls.contains(document.activeElement);
  const keep = button(`Keep offline (${whole})`, "ck-main", () => void keepAll(state));
  const remove = button("Remove from this browser", "ck-plain", () => void removeAll());
  controls.replaceChildren(...(isAll ? [] : [keep]), ...(has > 0 ? [remove] : []));
  if (isUsed) controls.querySelector("button")?.focus();
  const kept = isAll
    ? `All pages, Python and the notebooks are kept offline: ${whole}. What is published anew comes by itself.`
    : has > 0 ? `Kept so far: ${size(has)} of ${whole}.` : "";
  tell(said, sentence || kept);
}

async function keepAll(state: State): Promise<void> {
  const missing = Object.keys(state.files).filter((name) => !state.kept.includes(name));
  const whole = sum(state, missing);
  let [come, problem, stopped] = [0, undefined as Problem | undefined, false];
  controls.replaceChildren(button("Stop", "ck-plain", () => (stopped = true)));
  controls.querySelector("button")!.focus();
  void navigator.storage?.persist?.(); // else the browser may remove it when space runs out
  for (const name of missing) {
    tell(said, `Keeping: ${size(come)} of ${size(whole)} …`, come / whole);
    said.ariaLive = "off"; // the ear has heard that it goes on
    problem = await ask({ type: "keep", name });
    if (problem || stopped) break;
    come += state.files[name]!;
  }
  said.ariaLive = "polite";
  await show(problem && PROBLEMS[problem]);
}

async function removeAll(): Promise<void> {
  await ask({ type: "remove" });
  await show("Removed. Nothing is kept until you press the button.");
}

/** Why nothing can be kept here, if nothing can: else the worker starts. */
async function hindrance(): Promise<keyof typeof WHY_NOT | undefined> {
  const { hostname, protocol } = window.location;
  if (protocol === "file:") return "file";
  if (/^(localhost|127\..*|\[::1\])$/.test(hostname)) return "preview";
  const registers = async () => void (await navigator.serviceWorker.register("sw.js")); // some frames may not even look
  return registers().catch(() => "browser" as const);
}

async function begin(): Promise<void> {
  place.replaceChildren(controls, said);
  const why = await hindrance();
  if (why) place.replaceChildren(h("p", {}, WHY_NOT[why]));
  else await show();
}

void begin();
