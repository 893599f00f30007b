// The life of the worker: started late, one request at a time, replaced when it runs too long.
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { namesOf } from "../../lib/coursekit/web/names.ts";
import { type FromWorker, Problem, Python, type ToWorker, whyNot } from "../../lib/coursekit/web/python.ts";
import type { Reply, Request } from "../../lib/coursekit/web/types.ts";

/** How long code may run here, and how long a file takes, by a clock that the tests move. */
const LIMIT = 20;
const FETCHING = 40;
beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

/** Let everything happen that waits for no clock. */
const settled = () => new Promise(setImmediate);

/** A worker that answers as its script says; `code` is what it is asked to run. */
class FakeWorker {
  onmessage: ((event: { data: FromWorker }) => void) | null = null;
  onerror: ((event: { preventDefault?: () => void }) => void) | null = null;
  terminated = false;
  asked: string[] = [];
  constructor(loading: FromWorker[] = [{ type: "progress", text: "Loading" }, { type: "ready" }]) {
    queueMicrotask(() => loading.forEach((data) => this.say(data)));
  }
  say(data: FromWorker): void {
    if (!this.terminated) this.onmessage?.({ data });
  }
  postMessage(asked: ToWorker): void {
    if (asked.type === "files") {
      this.asked.push(...asked.paths);
      const missing = asked.paths.includes("missing");
      const data: FromWorker = missing ? { type: "failed", message: "not there" } : { type: "files" };
      return void setTimeout(() => this.say(data), FETCHING);
    }
    const request = asked.request as Request;
    this.asked.push(request.code);
    if (request.code === "endless") return;
    if (request.code === "crash") return void queueMicrotask(() => this.onerror?.({}));
    const data: FromWorker =
      request.code === "broken" ? { type: "broken", message: "memory" } : { type: "reply", reply: reply(request.code) };
    // An answer to a question on names has no limit, and may come later than the next one is asked.
    (request.code === undefined ? setImmediate : queueMicrotask)(() => this.say(data));
  }
  terminate(): void {
    this.terminated = true;
  }
}

const reply = (output: string): Reply => ({ example: "", output, value: "", error: null, verdicts: [], values: {} });
const ask = (code: string): Request => ({ exercise: "", before: [], setup: "", code, check_source: "", checks: [], misconceptions: {}, known: {}, binds: [], files: [] });

function python(loading?: FromWorker[]) {
  const workers: FakeWorker[] = [];
  const make = () => {
    const worker = new FakeWorker(loading);
    workers.push(worker);
    return worker as unknown as Worker;
  };
  return { python: new Python(make, LIMIT), workers };
}

const quiet = () => {};

test("no worker before the first request, and one for all", async () => {
  const { python: engine, workers } = python();
  assert.equal(workers.length, 0);
  const said: string[] = [];
  const first = await engine.run(ask("1"), (text) => said.push(text));
  const second = await engine.run(ask("2"), quiet);
  assert.deepEqual([first.output, second.output, workers.length], ["1", "2", 1]);
  assert.deepEqual(said, ["Loading Python …", "Loading", "Running …"]);
});

test("how much of Python is there is told with each sentence", async () => {
  const half: FromWorker = { type: "progress", text: "Loading", share: 0.5 };
  const { python: engine } = python([half, { type: "ready" }]);
  const said: [string, number | undefined][] = [];
  await engine.run(ask("1"), (...what) => said.push([what[0], what[1]]));
  assert.deepEqual(said, [["Loading Python …", undefined], ["Loading", 0.5], ["Running …", undefined]]);
});

test("files come before the code, and their time is not the code's", async () => {
  const { python: engine, workers } = python();
  const got = engine.run({ ...ask("1"), files: ["words.npz"] }, quiet);
  await settled();
  mock.timers.tick(FETCHING);
  assert.equal((await got).output, "1");
  assert.deepEqual(workers[0]!.asked, ["words.npz", "1"]);
});

test("a file that does not come is a problem, and the next request works", async () => {
  const { python: engine } = python();
  const got = engine.run({ ...ask("1"), files: ["missing"] }, quiet);
  await settled();
  mock.timers.tick(FETCHING);
  await assert.rejects(got, /not there/);
  assert.equal((await engine.run(ask("2"), quiet)).output, "2");
});

test("requests wait for their turn, and say so", async () => {
  const { python: engine, workers } = python();
  const said: Record<string, string> = {};
  const hear = (code: string) => (text: string) => (said[code] ??= text);
  const replies = await Promise.all(["1", "2", "3"].map((code) => engine.run(ask(code), hear(code))));
  assert.match(said["1"]!, /^Loading/);
  assert.match(said["2"]! + said["3"]!, /^(Waits until what runs now has ended …){2}$/);
  assert.deepEqual(replies.map((r) => r.output), ["1", "2", "3"]);
  assert.deepEqual(workers[0]!.asked, ["1", "2", "3"]);
});

test("what runs too long is stopped, and a fresh worker stands ready", async () => {
  const { python: engine, workers } = python();
  const said: string[] = [];
  const endless = engine.run(ask("endless"), (text) => said.push(text));
  await settled();
  mock.timers.tick(LIMIT);
  await assert.rejects(endless, (problem: unknown) => {
    assert.ok(problem instanceof Problem);
    assert.match(problem.message, /^Stopped: .* 8 seconds\..*loop/);
    return true;
  });
  assert.equal(workers[0]!.terminated, true);
  assert.equal(workers.length, 2);
  await settled();
  assert.equal(said.at(-1), "Running …"); // the replacement loads in silence
  assert.equal((await engine.run(ask("after"), quiet)).output, "after");
  assert.equal(workers.length, 2);
});

test("one that waits behind an endless one is answered", async () => {
  const { python: engine } = python();
  const endless = engine.run(ask("endless"), quiet);
  const next = engine.run(ask("next"), quiet);
  await settled();
  mock.timers.tick(LIMIT);
  await assert.rejects(endless);
  assert.equal((await next).output, "next");
});

test("running code can be stopped; what the next interpreter lacks shows in its number", async () => {
  const { python: engine, workers } = python();
  await engine.run(ask("1"), quiet);
  const before = engine.generation;
  assert.equal(engine.isIdle, true);
  const endless = engine.ask(ask("endless"), quiet, { limit: 0 });
  await settled();
  mock.timers.tick(2 * LIMIT); // it is off
  assert.equal(engine.isIdle, false);
  engine.stop();
  await assert.rejects(endless, { name: "Problem", message: "Stopped." });
  assert.equal(workers[0]!.terminated, true);
  assert.equal((await engine.run(ask("after"), quiet)).output, "after");
  assert.equal(engine.generation, before + 1);
});

test("nothing is stopped where nothing runs, and nothing loads to find that out", () => {
  const { python: engine, workers } = python();
  engine.stop();
  assert.deepEqual([workers.length, engine.isIdle, engine.generation], [0, false, 0]);
});

for (const code of ["broken", "crash"]) {
  test(`an interpreter that is ${code} is replaced`, async () => {
    const { python: engine, workers } = python();
    await assert.rejects(engine.run(ask(code), quiet), /memory or stack/);
    assert.equal((await engine.run(ask("after"), quiet)).output, "after");
    assert.equal(workers.length, 2);
  });
}

test("a failure to load is told in its words, and the next press tries again", async () => {
  const { python: engine, workers } = python([{ type: "failed", message: "no NumPy here" }]);
  await assert.rejects(engine.run(ask("1"), quiet), { message: "no NumPy here" });
  await assert.rejects(engine.run(ask("1"), quiet), { message: "no NumPy here" });
  assert.equal(workers.length, 2);
});

test("a worker that cannot be fetched is told as a matter of the network", async () => {
  const { python: engine, workers } = python([]);
  const run = engine.run(ask("1"), quiet);
  await settled();
  workers[0]!.onerror?.({});
  await assert.rejects(run, /the site does not answer/);
});

test("says why Python cannot run at all", () => {
  const able = { Worker: 1, WebAssembly: 1 };
  assert.equal(whyNot({ protocol: "https:" }, able), null);
  const asFile = whyNot({ protocol: "file:" }, able)!;
  assert.match(asFile, /opened as a file.*http\.server --bind 127\.0\.0\.1 8000` in its folder.*folder `notebooks`/);
  assert.doesNotMatch(asFile, /make|https:/); // who has a zip has no Makefile
  assert.match(whyNot({ protocol: "file:" }, able, "https://a.org/b.html")!, /Or use https:\/\/a\.org\/b\.html or the/);
  const framed = whyNot({ protocol: "https:", href: "https://a.org/b.html" }, { ...able, origin: "null" })!;
  assert.match(framed, /in a frame.*of its own: https:\/\/a\.org\/b\.html\. Questions/);
  assert.match(whyNot({ protocol: "https:" }, { Worker: 1 })!, /cannot run Python/);
  assert.match(whyNot({ protocol: "https:" }, { WebAssembly: 1 })!, /cannot run Python/);
});

test("names are answered however fast one types, and never wait for code that runs", async () => {
  const { python: engine } = python();
  const names = namesOf(engine, true, () => "");
  assert.equal(await names.complete("np.l", ""), null); // Python is not loaded for them
  await engine.run(ask("1"), quiet);
  const first = names.complete("np.l", "");
  while (engine.isIdle) await settled();
  const all = await Promise.all([first, names.complete("np.li", ""), names.explain("np", "")]);
  assert.ok(all.every((answer) => answer !== null));
  const running = engine.run(ask("endless"), quiet);
  assert.equal(await names.complete("np.l", ""), null);
  await settled();
  mock.timers.tick(LIMIT);
  await assert.rejects(running, Problem);
});
