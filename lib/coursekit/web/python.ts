// Python for the page: one worker, started on the first request and not before. A request that
// runs too long ends with its worker, and a new one is made ready.
import { notLoaded } from "./load.ts";
import type { Reply, Request } from "./types.ts";

export const SECONDS = 8;
/** What is said while one's own code runs. */
export const RUNNING = "Running …";

export type FromWorker =
  | { type: "progress"; text: string; share?: number }
  | { type: "ready" }
  | { type: "failed"; message: string }
  | { type: "reply"; reply: unknown }
  | { type: "files" }
  | { type: "broken"; message: string };

export type ToWorker = { type: "run"; request: object } | { type: "files"; paths: string[] };

/** Hears what is done; `share`, from 0 to 1, is how much of Python is there while it loads. */
export type Say = (text: string, share?: number) => void;

/** A message to the reader, of one or two sentences. */
export class Problem extends Error {
  override name = "Problem"; // scripts of their own know it by that
}

const STOPPED =
  `Stopped: the code was still running after ${SECONDS} seconds. The usual reason is a loop that ` +
  "never ends; another is an array far larger than meant.";
const BROKEN =
  "Python ran out of memory or stack and was started again. Is a recursion endless, or an array too large?";
export const UNREACHABLE = notLoaded("Python", "press the button again");

/** What to say where the host does not send a file as it is. */
export const refused = (does: string, address: string) =>
  `Python could not be loaded: the host of this site ${does} ${address.split("?")[0]!.split("/").at(-1)}. Only ` +
  "those who run the site can mend that; the chapter's notebook runs the same code meanwhile.";

/** Why a module did not run: the host's answer, the type of file that the host takes it for, or the network. */
export async function faultOf(address: string): Promise<string> {
  const answer = await fetch(address).catch(() => null);
  const type = answer?.headers.get("Content-Type") ?? "no type";
  if (!answer || (answer.ok && /javascript/.test(type))) return UNREACHABLE;
  return refused(answer.ok ? `sends ${type} in place of text/javascript for` : `answers ${answer.status} for`, address);
}

interface Options {
  files?: string[];
  limit?: number;
}

interface Engine {
  worker: Worker;
  ready: Promise<void>;
  /** What it last said of its loading; no text once it is there. */
  stage: { text: string; share?: number };
}

export class Python {
  readonly #make: () => Worker;
  readonly #limit: number;
  readonly #fault: () => Promise<string>;
  #engine: Engine | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  /** How many requests have no answer yet. */
  #asked = 0;
  /** Who waits for the worker, if anybody: a replacement loads unasked and unheard. */
  #waiting: Say | null = null;
  #interrupt: (() => void) | null = null;
  #generation = 0;

  /** `make` starts a worker, and `fault` says why it did not start; `limit` is in milliseconds. */
  constructor(make: () => Worker, limit = SECONDS * 1000, fault = () => Promise.resolve(UNREACHABLE)) {
    this.#make = make;
    this.#limit = limit;
    this.#fault = fault;
  }

  /** Counts the interpreters: what one has defined, the next has not. */
  get generation(): number {
    return this.#generation;
  }

  /** Whether Python is there and would answer at once. */
  get isIdle(): boolean {
    return this.#engine?.stage.text === "" && this.#asked === 0;
  }

  /** Loads Python before it is asked for. */
  warm(): void {
    this.#start();
  }

  /** Ends the running code, and its interpreter with it. */
  stop(): void {
    this.#interrupt?.();
  }

  /** One request at a time, in the order asked. Rejects with a Problem only. */
  run(request: Request, say: Say): Promise<Reply> {
    return this.ask<Reply>(request, say, { files: request.files });
  }

  /** Any request of coursekit.web.in_page, with its reply; `limit` is in milliseconds, 0 is none. */
  ask<R>(request: object, say: Say, options: Options = {}): Promise<R> {
    if (this.#asked++ > 0) say("Waits until what runs now has ended …");
    const turn = this.#queue.then(() => this.#run(request, say, options)).finally(() => this.#asked--);
    this.#queue = turn.catch(() => {});
    return turn as Promise<R>;
  }

  async #run(request: object, say: Say, options: Options): Promise<unknown> {
    const { files = [], limit = this.#limit } = options;
    const engine = this.#start();
    this.#waiting = say;
    const { text, share } = engine.stage;
    if (text) say(text, share);
    try {
      await engine.ready;
    } finally {
      this.#waiting = null;
    }
    if (files.length > 0) await this.#fetch(engine, files, say);
    say(RUNNING);
    return this.#ask(engine, request, limit);
  }

  #start(): Engine {
    if (this.#engine) return this.#engine;
    const worker = this.#make();
    const engine: Engine = { worker, ready: Promise.resolve(), stage: { text: "Loading Python …" } };
    engine.ready = new Promise<void>((resolve, reject) => {
      const fail = (message: string) => {
        this.#stop(worker); // the next request tries again from the start
        reject(new Problem(message));
      };
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if (data.type === "progress") {
          engine.stage = data;
          this.#waiting?.(data.text, data.share);
        } else if (data.type === "ready") {
          engine.stage = { text: "" };
          resolve();
        } else if (data.type === "failed") fail(data.message);
      };
      worker.onerror = (event) => {
        event.preventDefault?.();
        void this.#fault().then(fail);
      };
    });
    engine.ready.catch(() => {}); // a replacement is made ready before anybody waits for it
    this.#engine = engine;
    this.#generation += 1;
    return engine;
  }

  /** Have the worker fetch data files that it lacks; the time limit is for code alone. */
  #fetch({ worker }: Engine, paths: string[], say: Say): Promise<void> {
    return new Promise((resolve, reject) => {
      worker.onerror = () => reject(new Problem(UNREACHABLE));
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if (data.type === "progress") say(data.text, data.share);
        else if (data.type === "files") resolve();
        else if (data.type === "failed") reject(new Problem(data.message));
      };
      worker.postMessage({ type: "files", paths } satisfies ToWorker);
    });
  }

  #ask({ worker }: Engine, request: object, limit: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const replace = (message: string) => {
        clearTimeout(timer);
        this.#interrupt = null;
        this.#stop(worker);
        this.#start();
        reject(new Problem(message));
      };
      const timer = limit > 0 ? setTimeout(() => replace(STOPPED), limit) : undefined;
      this.#interrupt = () => replace("Stopped.");
      worker.onerror = () => replace(BROKEN);
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if (data.type === "broken") replace(BROKEN);
        if (data.type !== "reply") return;
        clearTimeout(timer);
        this.#interrupt = null;
        resolve(data.reply);
      };
      worker.postMessage({ type: "run", request } satisfies ToWorker);
    });
  }

  #stop(worker: Worker): void {
    worker.terminate();
    if (this.#engine?.worker === worker) this.#engine = null;
  }
}

const CHECKED = "Questions without code are checked here.";

/** Why Python cannot run in this page at all, or null when it can. `site` is where it is published, if known. */
export function whyNot(place: { protocol: string; href?: string }, browser: object, site?: string): string | null {
  if (place.protocol === "file:") {
    return (
      "This page was opened as a file, and browsers run Python only in pages that a server sends. To serve it, " +
      "run `python3 -m http.server --bind 127.0.0.1 8000` in its folder and open " +
      `http://127.0.0.1:8000. Or use ${site ? `${site} or ` : ""}the chapter's notebook in the folder ` +
      "`notebooks`. " + CHECKED
    );
  }
  if ("origin" in browser && browser.origin === "null") {
    return (
      "This page stands in a frame of another page that lets it run no Python. " +
      `Open it in a tab of its own: ${place.href}. ${CHECKED}`
    );
  }
  if (!("Worker" in browser) || !("WebAssembly" in browser)) {
    return "This browser cannot run Python (it lacks workers or WebAssembly). Use the chapter's notebook. " + CHECKED;
  }
  return null;
}
