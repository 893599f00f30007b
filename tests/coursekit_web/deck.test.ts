// Which questions come back, and when; what two tabs and a blocked storage do to it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { csv, DAYS, Deck } from "../../lib/coursekit/browser/deck.ts";

class FakeStorage {
  items = new Map<string, string>();
  full = false;
  get length(): number {
    return this.items.size;
  }
  key(index: number): string | null {
    return [...this.items.keys()][index] ?? null;
  }
  getItem(key: string): string | null {
    return this.items.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    if (this.full) throw new DOMException("full", "QuotaExceededError");
    this.items.set(key, value);
  }
  removeItem(key: string): void {
    this.items.delete(key);
  }
}

/** A deck in a browser whose clock the test sets. */
function browser(start = "2026-11-30T23:30:00") {
  const fake = new FakeStorage();
  let now = new Date(start);
  const open = (course = "walks") => new Deck(fake as unknown as Storage, course, () => new Date(now));
  const later = (days: number) => {
    now = new Date(now);
    now.setDate(now.getDate() + days);
  };
  return { fake, open, later };
}

const dueOf = (deck: Deck) =>
  deck.all().filter(([, card]) => card.due <= deck.today()).map(([id]) => id);

test("a question comes back after 1, 3, 7 and 21 days, and is learned then", () => {
  const { open, later } = browser();
  open().meet("quiz/mean", "median");
  assert.deepEqual(dueOf(open()), []);
  assert.equal(open().read("quiz/mean")!.due, "2026-12-01");
  for (const days of DAYS.slice(0, -1)) {
    later(days - 1);
    assert.deepEqual(dueOf(open()), []);
    later(1);
    assert.deepEqual(dueOf(open()), ["quiz/mean"]);
    open().answer("quiz/mean", true);
  }
  assert.equal(open().read("quiz/mean")!.box, 3);
  later(21);
  assert.equal(open().answer("quiz/mean", true), "learned");
  assert.deepEqual(open().all(), []);
});

test("a wrong answer starts again with the next day", () => {
  const { open, later } = browser();
  open().meet("a/b", "m");
  later(1);
  assert.equal(open().answer("a/b", true), "2026-12-04");
  later(3);
  assert.equal(open().answer("a/b", false), "2026-12-05");
  assert.equal(open().read("a/b")!.box, 0);
});

test("the same mistake again puts a question back to the next day", () => {
  const { open, later } = browser();
  open().meet("a/b", "m");
  later(1);
  open().answer("a/b", true);
  open().meet("a/b", "another");
  assert.deepEqual(open().read("a/b"), { box: 0, due: "2026-12-02", met: ["m", "another"] });
});

test("an answer counts once, though two tabs show the question", () => {
  const { open, later } = browser();
  const one = open();
  const two = open();
  one.meet("a/b", "m");
  later(1);
  assert.deepEqual(dueOf(two), ["a/b"]);
  assert.equal(one.answer("a/b", true), "2026-12-04");
  assert.equal(two.answer("a/b", true), null);
  assert.equal(two.read("a/b")!.box, 1);
  assert.equal(two.answer("never met", true), null);
});

test("what was kept longest comes first, and courses are kept apart", () => {
  const { open, later } = browser();
  open().meet("z/1", "m");
  later(1);
  open().meet("a/1", "m");
  later(5);
  assert.deepEqual(dueOf(open()), ["z/1", "a/1"]);
  assert.deepEqual(open("looms").all(), []);
  assert.ok(open().owns("walks:card:z/1") && open().owns(null) && !open().owns("looms:card:z/1"));
  open().forgetExercises(["z", "other"]);
  assert.deepEqual(dueOf(open()), ["a/1"]);
});

test("without a storage, or a full one, it says so and remembers while the page is open", () => {
  const blocked = new Deck(null);
  assert.equal(blocked.keeps, false);
  blocked.meet("a/b", "m");
  assert.equal(blocked.all().length, 1);
  const { fake, open } = browser();
  const full = open();
  fake.full = true;
  full.meet("a/b", "m");
  assert.equal(full.keeps, false);
  assert.equal(full.all().length, 1);
});

test("what somebody else wrote there is as good as nothing", () => {
  const { fake, open } = browser();
  for (const [name, text] of Object.entries({
    broken: "{",
    number: "3",
    box: '{"box": 9, "due": "2026-01-01", "met": []}',
    day: '{"box": 0, "due": 3, "met": []}',
  })) {
    fake.items.set(`walks:card:${name}`, text);
  }
  assert.deepEqual(open().all(), []);
});

test("a deck is CSV, with quotes where they are needed", () => {
  const text = csv([["What is “x, y”?", 'He said "z"\nand left', "walks"]]);
  assert.equal(
    text,
    '#separator:Comma\n#html:false\n#columns:question,answer,chapter\n"What is “x, y”?","He said ""z""\nand left",walks\n',
  );
});
