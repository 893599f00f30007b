// The site's service worker. Pages come from the site if it answers, and else from what is kept; what
// is in a file of this publication is known by its hash, and comes from what is kept at once.

/** What the build writes above this script. Pages ask for scripts and styles as `?v=` one of `versions`. */
export interface Listing {
  versions: string[];
  files: Record<string, [group: "book" | "python" | "data" | "notebooks", hash: string, bytes: number]>;
}
/** What a page asks, and what it hears. */
export type Ask = { type: "visit" | "state" | "remove" } | { type: "keep"; name: string };
export interface State {
  files: Record<string, number>;
  kept: string[];
}
/** Why a file could not be kept: no answer, no room, or a publication that is newer. */
export type Problem = "network" | "full" | "changed";

/** The parts of a service worker that TypeScript's types of pages leave out. */
interface Happening extends MessageEvent<Ask> {
  request: Request;
  respondWith(answer: Promise<Response>): void;
  waitUntil(work: Promise<unknown>): void;
}
interface Worker {
  registration: ServiceWorkerRegistration;
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: string, hear: (event: Happening) => void): void;
}
declare const LIST: Listing;

const worker = self as unknown as Worker;
const { scope } = worker.registration;
// Several sites may share an origin. That there is a cache `OFF` says that the reader wants nothing kept.
const [CACHE, OFF] = [`offline ${scope} kept`, `offline ${scope} off`];
/** How long the site may take to answer where a kept page is there, in milliseconds. */
const PATIENCE = 5000;
const ABSENT = `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Not kept in this browser</title>
<meta name="viewport" content="width=device-width"><style>:root{color-scheme:light dark}
body{font:1.1rem/1.6 serif;max-width:38rem;margin:4rem auto;padding:0 1.5rem}</style>
<main><h1>Not kept in this browser</h1><p>You are offline, and what you asked for has not been kept in this
browser. Pages that you have opened are there. Once you are connected again, the
<a href="${scope}index.html">first page</a> lets you keep all pages, Python and the notebooks. PDFs and the zip of
the site are never kept: download them while you are connected.</p></main></html>`;

const groupOf = (name: string) => LIST.files[name]?.[0];
const addressOf = (name: string) => scope + encodeURI(name);
const isCurrent = (name: string, found?: Response) => found?.headers.get("X-Kept") === LIST.files[name]?.[1];

/** The path of a file below the site's folder; hosts may leave out what pages' names end in. */
function nameOf({ pathname }: URL): string {
  const path = decodeURI(pathname.slice(new URL(scope).pathname.length));
  const name = path === "" || path.endsWith("/") ? `${path}index.html` : path;
  return groupOf(name) || !groupOf(`${name}.html`) ? name : `${name}.html`;
}

/** What is kept of a file, in whatever version. */
const kept = (name: string): Promise<Response | undefined> => caches.match(addressOf(name), { cacheName: CACHE });

/** Keeps a file if the answer has what the list says of it; returns whether it has. */
async function keep(name: string, answer: Response): Promise<boolean> {
  if (answer.status !== 200 || !groupOf(name)) return false;
  const body = await answer.arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (!hash.startsWith(LIST.files[name]![1])) return false;
  if (await caches.has(OFF)) return true;
  const headers = new Headers({ "Content-Length": String(body.byteLength), "X-Kept": LIST.files[name]![1] });
  headers.set("Content-Type", answer.headers.get("Content-Type") ?? "");
  await (await caches.open(CACHE)).put(addressOf(name), new Response(body, { headers }));
  if (await caches.has(OFF)) await caches.delete(CACHE); // the reader has had all removed meanwhile
  return true;
}

/** Has a file kept, from the site if it has changed. */
async function bring(name: string): Promise<void> {
  if (isCurrent(name, await kept(name))) return;
  const answer = await fetch(addressOf(name), { cache: "no-cache", priority: "low" });
  if (!(await keep(name, answer))) throw (answer.status < 500 ? "changed" : "network") satisfies Problem;
}

async function answer(event: Happening, name: string): Promise<Response> {
  const { request } = event;
  const [before, group] = [await kept(name), groupOf(name)];
  const version = new URL(request.url).searchParams.get("v");
  // The addresses of Python and data have no version.
  const isFixed = version === null ? group !== "book" : LIST.versions.includes(version);
  if (before && isFixed && isCurrent(name, before)) return before;
  try {
    const fresh = fetch(request);
    const found = await (before && request.mode === "navigate" ? inTime(fresh) : fresh);
    if (found.status >= 500 && before) return before;
    if (group !== "data") event.waitUntil(learn(name, found.clone())); // who fetches data keeps them, too
    return found;
  } catch {
    return before ?? (request.mode === "navigate" ? absent(name) : Response.error());
  }
}

const inTime = (answer: Promise<Response>) =>
  Promise.race([answer, new Promise<never>((_, fail) => setTimeout(fail, PATIENCE))]);

/** Keeps what came from the site, or learns from it that there is a newer publication. */
async function learn(name: string, answer: Response): Promise<void> {
  if (!(await keep(name, answer))) void worker.registration.update().catch(() => {});
}

/** What is shown offline in place of what is not kept, or of a page that does not exist. */
async function absent(name: string): Promise<Response> {
  const isOurs = groupOf(name) || /\.(pdf|zip|whl|ipynb)$/.test(name);
  const unknown = isOurs ? undefined : await kept("404.html");
  if (unknown) return new Response(unknown.body, { status: 404, headers: unknown.headers });
  return new Response(ABSENT, { status: 503, headers: { "Content-Type": "text/html" } });
}

/** After a visit the whole book is kept, and what else an earlier publication kept; no more is. */
async function visit(): Promise<void> {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData || (await caches.has(OFF))) return;
  for (const name of Object.keys(LIST.files)) {
    if (groupOf(name) === "book" || (await kept(name))) await bring(name);
  }
  const cache = await caches.open(CACHE);
  const gone = (await cache.keys()).filter(({ url }) => !groupOf(nameOf(new URL(url))));
  await Promise.all(gone.map((request) => cache.delete(request)));
}

async function state(): Promise<State> {
  const names = Object.keys(LIST.files);
  const found = await Promise.all(names.map(kept));
  const files = Object.fromEntries(names.map((name) => [name, LIST.files[name]![2]]));
  return { files, kept: names.filter((name, at) => isCurrent(name, found[at])) };
}

let visiting: Promise<void> | undefined;

/** Does what a page asks; resolves with what it is to hear. */
async function done(ask: Ask): Promise<State | Problem | undefined> {
  if (ask.type === "state") return state();
  if (ask.type === "visit") void worker.skipWaiting(); // browsers forget it where a page was being answered
  if (ask.type === "visit") await (visiting ??= visit().finally(() => (visiting = undefined)));
  if (ask.type === "remove") {
    await caches.open(OFF);
    await caches.delete(CACHE);
  }
  if (ask.type !== "keep") return undefined;
  await caches.delete(OFF);
  return bring(ask.name).then(() => undefined, problemOf);
}

function problemOf(error: unknown): Problem {
  if (error === "changed") return error;
  return error instanceof DOMException && error.name === "QuotaExceededError" ? "full" : "network";
}

// The new worker takes over at once: what it does not know as its own comes from the site.
worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("message", (event) => {
  event.waitUntil(done(event.data).then((reply) => event.ports[0]?.postMessage(reply)));
});
worker.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (!url.href.startsWith(scope) || event.request.method !== "GET") return;
  const name = nameOf(url);
  const isPage = event.request.mode === "navigate";
  // Other sites may stand in folders below this one.
  if (groupOf(name) || (isPage && (!name.includes("/") || name.startsWith("pdf/")))) {
    event.respondWith(answer(event, name));
  }
});
