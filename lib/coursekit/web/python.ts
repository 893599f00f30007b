// Python for the page: one worker, started on the first request and not before. A request that
// runs too long ends with its worker, and a new one is made ready.
import type { Reply, Request } from "./types.ts";

export const SECONDS = 8;

export type FromWorker =
  | { type: "progress"; text: string }
  | { type: "ready" }
  | { type: "failed"; message: string }
  | { type: "reply"; reply: Reply }
  | { type: "files" }
  | { type: "broken"; message: string };

export type ToWorker = { type: "run"; request: Request } | { type: "files"; paths: string[] };

/** A message to the reader, of one or two sentences. */
export class Problem extends Error {}

const STOPPED =
  `Stopped: the code was still running after ${SECONDS} seconds. The usual reason is a loop that ` +
  "never ends; another is an array far larger than meant.";
const BROKEN =
  "Python ran out of memory or stack and was started again. Is a recursion endless, or an array " +
  "too large?";
export const UNREACHABLE =
  "Python could not be loaded: the site does not answer. Check the connection and press the " +
  "button again.";

interface Engine {
  worker: Worker;
  ready: Promise<void>;
  /** What it last said of its loading. */
  stage: string;
}

export class Python {
  readonly #make: () => Worker;
  readonly #limit: number;
  #engine: Engine | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  /** Who waits for the worker, if anybody: a replacement loads unasked and unheard. */
  #waiting: ((text: string) => void) | null = null;

  /** `make` starts a worker; `limit` is in milliseconds. */
  constructor(make: () => Worker, limit = SECONDS * 1000) {
    this.#make = make;
    this.#limit = limit;
  }

  /** One request at a time, in the order asked. Rejects with a Problem only. */
  run(request: Request, say: (text: string) => void): Promise<Reply> {
    const turn = this.#queue.then(() => this.#run(request, say));
    this.#queue = turn.catch(() => {});
    return turn;
  }

  async #run(request: Request, say: (text: string) => void): Promise<Reply> {
    const engine = this.#start();
    this.#waiting = say;
    if (engine.stage) say(engine.stage);
    try {
      await engine.ready;
    } finally {
      this.#waiting = null;
    }
    if (request.files.length > 0) await this.#fetch(engine, request.files, say);
    say("Running …");
    return this.#ask(engine, request);
  }

  #start(): Engine {
    if (this.#engine) return this.#engine;
    const worker = this.#make();
    const engine: Engine = { worker, ready: Promise.resolve(), stage: "Loading Python …" };
    engine.ready = new Promise<void>((resolve, reject) => {
      const fail = (message: string) => {
        this.#stop(worker); // the next request tries again from the start
        reject(new Problem(message));
      };
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if (data.type === "progress") {
          engine.stage = data.text;
          this.#waiting?.(data.text);
        } else if (data.type === "ready") {
          engine.stage = "";
          resolve();
        } else if (data.type === "failed") fail(data.message);
      };
      worker.onerror = (event) => {
        event.preventDefault?.();
        fail(UNREACHABLE);
      };
    });
    engine.ready.catch(() => {}); // a replacement is made ready before anybody waits for it
    this.#engine = engine;
    return engine;
  }

  /** Have the worker fetch data files that it lacks; the time limit is for code alone. */
  #fetch({ worker }: Engine, paths: string[], say: (text: string) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      worker.onerror = () => reject(new Problem(UNREACHABLE));
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if (data.type === "progress") say(data.text);
        else if (data.type === "files") resolve();
        else if (data.type === "failed") reject(new Problem(data.message));
      };
      worker.postMessage({ type: "files", paths } satisfies ToWorker);
    });
  }

  #ask({ worker }: Engine, request: Request): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const replace = (message: string) => {
        clearTimeout(timer);
        this.#stop(worker);
        this.#start();
        reject(new Problem(message));
      };
      const timer = setTimeout(() => replace(STOPPED), this.#limit);
      worker.onerror = () => replace(BROKEN);
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if (data.type === "broken") replace(BROKEN);
        if (data.type !== "reply") return;
        clearTimeout(timer);
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

/** Why Python cannot run in this page at all, or null when it can. */
export function whyNot(place: { protocol: string }, browser: object): string | null {
  if (place.protocol === "file:") {
    return (
      "This page was opened as a file, and browsers run Python only in pages that a server sends. " +
      "Use `make serve`, or the chapter's notebook; questions without code are checked here."
    );
  }
  if (!("Worker" in browser) || !("WebAssembly" in browser)) {
    return (
      "This browser cannot run Python (it lacks workers or WebAssembly). Use the chapter's " +
      "notebook; questions without code are checked here."
    );
  }
  return null;
}
