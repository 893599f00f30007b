// Draws what figures show first: runs their own scripts, those of the page, in a window without a screen.
// In (stdin): {"site": folder, "scripts": [addresses], "figures": [{"tag": "<x-y …>", "asked": true}, …]}.
// Out: [what is in the shadow root or null, …]; the first fault ends it.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Window } from "happy-dom";

const PAGE = "http://site.invalid/page.html";
/** How often a figure is looked at until nothing changes any more, and for how long that has to be. */
const [LOOKS, QUIET, PAUSE] = [400, 4, 5];

const { site, scripts, figures } = JSON.parse(readFileSync(0, "utf8"));
const fileOf = (address) => join(site, decodeURIComponent(new URL(address, PAGE).pathname));
const settings = { disableCSSFileLoading: true, handleDisabledFileLoadingAsSuccess: true };
const window = new Window({ url: PAGE, width: 1280, height: 900, settings });
const { document } = window;

// Everything is near, nothing may move, and what is fetched lies in the site's folder.
window.IntersectionObserver = class {
  constructor(callback) {
    this.callback = callback;
  }
  observe(target) {
    queueMicrotask(() => this.callback?.([{ isIntersecting: true, target }], this));
  }
  disconnect() {
    this.callback = undefined;
  }
};
window.matchMedia = (query) => ({ matches: /reduced-motion/.test(query), addEventListener() {}, removeEventListener() {} });
globalThis.fetch = async (address) => {
  const file = fileOf(address);
  return existsSync(file) ? new Response(readFileSync(file)) : new Response("", { status: 404 });
};
const append = document.head.append.bind(document.head);
document.head.append = (...nodes) => {
  for (const node of nodes)
    if (node.localName !== "script") append(node);
    else run(node.src).then(() => node.onload?.());
};

for (const name of Object.getOwnPropertyNames(window)) {
  if (name in globalThis && !["navigator", "CustomEvent", "Event", "EventTarget", "MessageEvent"].includes(name)) continue;
  const value = window[name];
  const own = typeof value === "function" && /^[a-z]/.test(name) ? value.bind(window) : value;
  Object.defineProperty(globalThis, name, { value: own, configurable: true, writable: true });
}
Object.assign(globalThis, { window, self: globalThis });

/** Runs a script of the site as a page would. */
async function run(address) {
  const src = new URL(address, PAGE).href;
  Object.defineProperty(document, "currentScript", { value: { src }, configurable: true });
  (0, eval)(readFileSync(fileOf(address), "utf8"));
}

/** Writes into the markup what a form shows; nobody can operate a still. */
function settle(root) {
  for (const input of root.querySelectorAll("input"))
    if (["checkbox", "radio"].includes(input.type)) input.toggleAttribute("checked", input.checked);
    else input.setAttribute("value", input.value);
  for (const option of root.querySelectorAll("option")) option.toggleAttribute("selected", option.selected);
  // What a canvas shows is not in the markup: its button keeps the room.
  for (const button of root.querySelectorAll("button:has(> canvas)")) {
    for (const { name } of [...button.attributes]) if (name !== "class") button.removeAttribute(name);
    button.replaceChildren();
  }
  for (const control of root.querySelectorAll("button, input, select, textarea")) control.setAttribute("disabled", "");
  for (const reached of root.querySelectorAll("[tabindex]")) reached.removeAttribute("tabindex");
}

/** The shadow root that a figure makes, when it shows all that it shows unasked. */
async function drawn(tag, asked, state) {
  const around = document.createElement("div");
  if (asked) around.dataset.exercise = "";
  around.innerHTML = `${tag}</${tag.match(/[\w-]+/)[0]}>`;
  const [figure] = around.children;
  if (state) figure.setAttribute("state", JSON.stringify(state));
  document.body.append(around);
  let [known, quiet] = ["", 0];
  for (let look = 0; quiet < QUIET; look++) {
    if (look > LOOKS) throw new Error(`${figure.localName} is never ready`);
    await new Promise((go) => setTimeout(go, PAUSE));
    const root = figure.shadowRoot;
    const now = root?.querySelector("[aria-busy]") ? "" : (root?.innerHTML ?? "none");
    quiet = now && now === known ? quiet + 1 : 0;
    known = now;
  }
  if (figure.shadowRoot) settle(figure.shadowRoot);
  around.remove();
  return figure;
}

/** A page names the files of its site from where it stands. */
const markup = (element) => element.outerHTML.replaceAll(new URL(".", PAGE).href, "");

async function still({ tag, asked }) {
  const figure = await drawn(tag, asked);
  if (!figure.shadowRoot) return null;
  const parts = [...figure.shadowRoot.children];
  const { paper } = figure.constructor;
  if (paper) {
    const state = JSON.parse(figure.getAttribute("state"));
    const other = await drawn(tag, asked, { ...state, ...paper(state) });
    const section = other.shadowRoot.querySelector("section");
    section.classList.add("on-paper");
    parts.push(section);
  }
  return parts.map(markup).join("");
}

// A figure's fault may come out of its own promise, after what asked for it has returned.
process.on("unhandledRejection", (error) => fail(error));
process.on("uncaughtException", (error) => fail(error));
const fail = ({ message }) => process.stderr.write(`${message}\n`, () => process.exit(1));

try {
  for (const script of scripts) await run(script);
  const stills = [];
  for (const figure of figures) stills.push(await still(figure));
  process.stdout.write(JSON.stringify(stills), () => process.exit(0));
} catch (error) {
  fail(error);
}
