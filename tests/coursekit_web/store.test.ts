// What is remembered, and what happens where nothing can be.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Store } from "../../lib/coursekit/web/store.ts";

class FakeStorage extends Map<string, string> {
  full = false;
  get length(): number {
    return this.size;
  }
  key(i: number): string | null {
    return [...this.keys()][i] ?? null;
  }
  getItem(key: string): string | null {
    return this.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    if (this.full) throw new DOMException("full", "QuotaExceededError");
    this.set(key, value);
  }
  removeItem(key: string): void {
    this.delete(key);
  }
}

const opened = (fake: FakeStorage, course = "coursekit") => new Store(fake as unknown as Storage, course, () => 7);

test("a new page finds what was written", () => {
  const fake = new FakeStorage();
  opened(fake).write("one", "v1", { code: "x = 1", done: true });
  assert.deepEqual(opened(fake).read("one", "v1"), { version: "v1", code: "x = 1", done: true, at: 7 });
  assert.deepEqual([...fake.keys()], ["coursekit:exercise:one"]);
});

test("two courses on one host do not read each other's answers", () => {
  const fake = new FakeStorage();
  opened(fake, "walks").write("one", "v1", { code: "x = 1" });
  assert.deepEqual([...fake.keys()], ["walks:exercise:one"]);
  assert.deepEqual(opened(fake, "looms").read("one", "v1"), { version: "v1" });
});

test("another version of the exercise keeps the words and drops the verdicts", () => {
  const fake = new FakeStorage();
  const kept = { code: "x", answers: { q: "a" } };
  opened(fake).write("one", "v1", { ...kept, checked: ["q"], verdicts: [], hints: 2, done: true });
  assert.deepEqual(opened(fake).read("one", "v2"), { version: "v2", ...kept, changed: true });
});

test("an answer to an older version is said to be one until it is checked, whatever is typed", () => {
  const fake = new FakeStorage();
  opened(fake).write("one", "1", { code: "x", done: true });
  opened(fake).write("one", "2", { code: "xy" });
  opened(fake).write("one", "2", { hints: 1 });
  assert.equal(opened(fake).read("one", "2").changed, true);
  opened(fake).write("one", "2", { verdicts: [], changed: undefined });
  const now = { version: "2", code: "xy", hints: 1, verdicts: [], at: 7 };
  assert.deepEqual(opened(fake).read("one", "2"), now);
});

test("what was never answered has not changed", () => {
  const fake = new FakeStorage();
  opened(fake).write("one", "1", { hints: 2, shown: true });
  assert.deepEqual(opened(fake).read("one", "2"), { version: "2" });
});

test("without storage it remembers until the page is left, and says so", () => {
  const store = new Store(null);
  store.write("one", "v1", { code: "x" });
  assert.equal(store.keeps, false);
  assert.equal(store.read("one", "v1").code, "x");
});

test("full storage loses nothing on the page, and is told", () => {
  const fake = new FakeStorage();
  const store = opened(fake);
  let told = 0;
  store.onChange(() => told++);
  assert.equal(store.keeps, true);
  fake.full = true;
  store.write("one", "v1", { code: "x" });
  assert.equal(store.keeps, false);
  assert.equal(store.read("one", "v1").code, "x");
  assert.equal(told, 1);
});

test("unreadable records are as good as none", () => {
  for (const text of ["{", "null", "3", '"x"', "{}"]) {
    const fake = new FakeStorage();
    fake.set("coursekit:exercise:one", text);
    assert.deepEqual(opened(fake).read("one", "v1"), { version: "v1" });
  }
});

test("forgets what it is told to forget, and nothing else", () => {
  const fake = new FakeStorage();
  const store = opened(fake);
  for (const id of ["one", "two"]) store.write(id, "v1", { code: id });
  store.forget(["one"]);
  assert.deepEqual(store.read("one", "v1"), { version: "v1" });
  assert.equal(store.read("two", "v1").code, "two");
});

test("two tabs: each finds what the other wrote, and takes nothing of it away", () => {
  const fake = new FakeStorage();
  const [one, other] = [opened(fake), opened(fake)];
  one.write("a", "v1", { code: "mine" });
  other.write("b", "v1", { code: "theirs" });
  assert.equal(one.read("b", "v1").code, "theirs");
  other.write("a", "v1", { code: "newer" });
  one.write("a", "v1", { hints: 1 }); // does not bring the old code back
  assert.deepEqual(other.read("a", "v1"), { version: "v1", code: "newer", hints: 1, at: 7 });
  assert.deepEqual(one.all().map(([id]) => id), ["a", "b"]);
});

test("keys of other courses, and of other things, are not exercises", () => {
  const fake = new FakeStorage();
  const store = opened(fake);
  store.page = "two.html";
  fake.set("walks:exercise:one", '{"version":"v1"}');
  assert.deepEqual(store.all(), []);
  assert.equal(store.idOf("coursekit:exercise:one"), "one");
  assert.equal(store.idOf("walks:exercise:one"), null);
  assert.equal(opened(fake).page, "two.html");
});
