// The site's service worker. Pages come from the site if it answers, and else from what is kept;
// files that a page of this publication asks for come from what is kept.
import { type Group, Kept, type Listing, type Problem } from "./kept.ts";

/** The parts of a service worker that TypeScript's types of pages leave out. */
interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Extendable {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Message extends Extendable {
  data: unknown;
  source: { url: string } | null;
  ports: readonly MessagePort[];
}
interface Worker {
  registration: ServiceWorkerRegistration;
  clients: { claim(): Promise<void>; matchAll(options: object): Promise<unknown[]> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", hear: (event: Extendable) => void): void;
  addEventListener(type: "fetch", hear: (event: Fetching) => void): void;
  addEventListener(type: "message", hear: (event: Message) => void): void;
}

/** What a page asks, with a port for the answers. */
export type Ask = { type: "state" } | { type: "keep"; names: string[] } | { type: "remove" };
export type Answer =
  | { type: "state"; files: Record<string, number>; kept: string[] }
  | { type: "bytes"; bytes: number }
  | { type: "done"; problem?: Problem };

/** The build writes it above this script. */
declare const LIST: Listing;

const worker = self as unknown as Worker;
const scope = worker.registration.scope;
const kept = new Kept(LIST, scope);
const addresses = new Set(LIST.addresses);
/** How long the site may take to answer where a kept page is there, in milliseconds. */
const PATIENCE = 5000;
/**
 * Asks again once another worker has taken over. A request on the way while it does so may get no answer: the browser
 * ends this worker for that, and starts it once more for the request.
 */
const UNTIL_TAKEN_OVER = `<!doctype html><meta name="color-scheme" content="light dark"><script>
const workers = navigator.serviceWorker;
workers.addEventListener("controllerchange", () => location.reload());
workers.getRegistration().then((found) => found?.waiting || location.reload());
</script>`;
/** The worker that waits was told once to take over. */
let told = false;

const groupOf = (name: string): Group | undefined => LIST.files[name]?.[0];
const windows = async () => (await worker.clients.matchAll({ type: "window", includeUncontrolled: true })).length;

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));

/** All that older publications kept is there in its new version before this one takes over. */
async function install(): Promise<void> {
  const before = await kept.before();
  if (!(await kept.isOff())) await kept.fill(before).catch(unlessFull);
  // The only page that is open may be an old one; one that came new from the site is not.
  const isAlone = before.length === 0 || ((await kept.wasMissed()) && (await windows()) <= 1);
  if (isAlone) await worker.skipWaiting();
}

/** Without room for two publications the old one goes first; visits bring what is missing. */
function unlessFull(problem: Problem): void {
  if (problem !== "full") throw problem;
}

async function activate(): Promise<void> {
  await kept.removeOlder();
  await worker.clients.claim();
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (!url.href.startsWith(scope) || !["GET", "HEAD"].includes(request.method)) return;
  const name = nameOf(url);
  if (request.mode === "navigate") {
    // Other sites may stand in folders below this one.
    if (!name.includes("/") || groupOf(name) || name.startsWith("pdf/")) event.respondWith(page(event, name));
  } else if (groupOf(name)) event.respondWith(file(event, name, url.searchParams.get("v")));
});

/** The path of a file below the site's folder; hosts may leave out what pages' names end in. */
function nameOf(url: URL): string {
  const path = decodeURI(url.pathname.slice(new URL(scope).pathname.length));
  const name = path === "" || path.endsWith("/") ? `${path}index.html` : path;
  return groupOf(name) || !groupOf(`${name}.html`) ? name : `${name}.html`;
}

async function page(event: Fetching, name: string): Promise<Response> {
  const { request } = event;
  if (await kept.isOff()) return fetch(request);
  const next = worker.registration.waiting;
  if (next && !told && (await windows()) <= 1) {
    told = true;
    next.postMessage("take over");
    return new Response(UNTIL_TAKEN_OVER, { headers: { "Content-Type": "text/html; charset=utf-8", Refresh: "5" } });
  }
  const before = groupOf(name) && (await kept.get(name));
  const fresh = fetch(request.url, { cache: "no-cache", redirect: "manual" });
  try {
    const answer = await (before ? inTime(fresh) : fresh);
    if (answer.status >= 500 && before) return before;
    if (groupOf(name)) event.waitUntil(compare(name, answer.clone()));
    return answer;
  } catch {
    return before || absent(name);
  }
}

const inTime = (answer: Promise<Response>) =>
  Promise.race([answer, new Promise<never>((_, fail) => setTimeout(fail, PATIENCE))]);

/** Keeps a page that came from the site, or learns from it that there is a newer publication. */
async function compare(name: string, answer: Response): Promise<void> {
  if (answer.status !== 200) return;
  const isOurs = await kept.keep(name, answer).catch(() => true); // no room
  if (!isOurs) await kept.markOld();
  else if (!(await kept.isOld())) return;
  const { registration } = worker;
  await registration.update();
  // A page is ours again, and so is the list: a network's own page had come in place of one.
  if (isOurs && !registration.installing && !registration.waiting) await kept.unmarkOld();
}

/** What is shown offline in place of a page or a download that is not kept, or of a page that does not exist. */
async function absent(name: string): Promise<Response> {
  const isDownload = /\.(pdf|zip|whl|ipynb)$/.test(name);
  // From a folder below, the addresses on that page would lead elsewhere.
  if (isDownload && (await kept.get("offline.html"))) return Response.redirect(`${scope}offline.html`);
  const [shown, status] = groupOf(name) ? ["offline.html", 503] : ["404.html", 404];
  const found = await kept.get(shown as string);
  return found ? new Response(found.body, { status: status as number, headers: found.headers }) : Response.error();
}

async function file(event: Fetching, name: string, version: string | null): Promise<Response> {
  const { request } = event;
  if (await kept.isOff()) return fetch(request);
  const isOurs = version === null ? isLarge(name) && !(await kept.isOld()) : addresses.has(version);
  if (version !== null && !isOurs) return fetch(request); // a page of another publication asks
  const before = await kept.get(name);
  if (before && isOurs) return whole(before, request);
  try {
    const answer = await fetch(request);
    // Who fetches data keeps them, too.
    if (request.method === "GET" && groupOf(name) !== "data") {
      event.waitUntil(kept.keep(name, answer.clone()).catch(() => {}));
    }
    return answer;
  } catch (error) {
    if (before) return whole(before, request);
    throw error;
  }
}

/** Their addresses have no version: they are this publication's as long as the site's pages are. */
const isLarge = (name: string) => groupOf(name) !== "book";

const whole = (found: Response, { method }: Request) =>
  method === "HEAD" ? new Response(null, { headers: found.headers }) : found;

worker.addEventListener("message", (event) => {
  const port = event.ports[0];
  if (event.data === "take over") event.waitUntil(worker.skipWaiting());
  else if (event.data === "visit") event.waitUntil(visited(event.source?.url ?? scope));
  else if (port) event.waitUntil(answer(event.data as Ask, (reply) => port.postMessage(reply)));
});

/** After a visit the whole book is kept: first what pages share, then from the page that is open. */
async function visited(address: string): Promise<void> {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData || (await kept.isOff()) || (await kept.isOld())) return;
  const book = Object.keys(LIST.files).filter((name) => groupOf(name) === "book");
  const pages = book.filter((name) => name.endsWith(".html"));
  const here = Math.max(0, pages.indexOf(nameOf(new URL(address))));
  const others = book.filter((name) => !name.endsWith(".html"));
  await kept.fill([...others, ...pages.slice(here), ...pages.slice(0, here)]).catch(() => {});
}

async function answer(ask: Ask, reply: (answer: Answer) => void): Promise<void> {
  if (ask.type === "state") {
    const sizes = Object.entries(LIST.files).map(([name, [, , bytes]]) => [name, bytes] as const);
    reply({ type: "state", files: Object.fromEntries(sizes), kept: await kept.names() });
  } else if (ask.type === "remove") {
    await kept.remove();
    reply({ type: "done" });
  } else {
    await kept.turnOn();
    const report = (bytes: number) => reply({ type: "bytes", bytes });
    await kept.fill(ask.names, report).then(
      () => reply({ type: "done" }),
      (problem: Problem) => reply({ type: "done", problem }),
    );
  }
}
