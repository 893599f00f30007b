// Marks in short texts: as coursekit.marked takes them apart.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type Piece, pieces } from "../../lib/coursekit/browser/dom.ts";

const file = new URL("../coursekit/marked.json", import.meta.url);

for (const [text, expected] of JSON.parse(readFileSync(file, "utf8")) as [string, Piece[]][]) {
  test(`takes ${JSON.stringify(text)} apart`, () => assert.deepEqual(pieces(text), expected));
}
