// Which code runs before an exercise that builds on earlier ones.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Store } from "../../lib/coursekit/browser/store.ts";
import type { Used } from "../../lib/coursekit/browser/types.ts";
import { earlierCode } from "../../lib/coursekit/browser/uses.ts";

const used = (id: string): Used => ({
  id,
  version: "v1",
  title: id,
  names: [id],
  setup: "import math",
  stand_in: `from ours import ${id}`,
});

test("the course's own functions stand in for what has not passed", () => {
  const store = new Store(null);
  store.write("one", "v1", { code: "def one(): ..." });
  assert.deepEqual(earlierCode([used("one")], store), [{ title: "one", code: "from ours import one" }]);
});

test("an answer that passed runs after its imports, whatever was written since", () => {
  const store = new Store(null);
  store.write("one", "v1", { code: "def one(): 1", passed: "def one(): 1", done: true });
  store.write("one", "v1", { code: "def one(): broken" });
  const codes = earlierCode([used("one"), used("two")], store).map(({ code }) => code);
  assert.deepEqual(codes, ["import math\ndef one(): 1", "from ours import two"]);
});

test("an answer to an older version of the exercise has to pass again", () => {
  const store = new Store(null);
  store.write("one", "v0", { code: "old", passed: "old" });
  assert.equal(earlierCode([used("one")], store)[0]!.code, "from ours import one");
});
