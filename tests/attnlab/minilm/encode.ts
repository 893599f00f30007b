// Runs the page's encoder in node: a folder of files and sentences in, all that it computes out.
//
// node encode.ts FOLDER < REQUESTS > ANSWERS; a request has a text, heads that are off, tokens cut.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { apply, embedder, layerOf } from "../../../lib/attnlab/explorables/encoder/layer.ts";
import { rowsOf, tensorsOf } from "../../../lib/attnlab/explorables/encoder/tensors.ts";
import { Tokenizer } from "../../../lib/attnlab/explorables/encoder/tokenizer.ts";

interface Request {
  text: string;
  off?: [number, number][];
  cut?: number[];
}

const folder = process.argv[2]!;
const file = (name: string): ArrayBuffer => {
  const bytes = readFileSync(join(folder, name));
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
};
const text = (name: string): string => readFileSync(join(folder, name), "utf-8");

const told = JSON.parse(text("model.json")) as { num_layers: number; num_heads: number; shard: number };
const tokenizer = new Tokenizer(text("vocabulary.txt").split("\n"));
const layers = Array.from({ length: told.num_layers }, (_, i) => layerOf(file(`layer-${i + 1}.safetensors`)));
const embed = embedder(file("start.safetensors"));

function wordVector(id: number): Float64Array {
  const name = `words-${String(Math.floor(id / told.shard)).padStart(3, "0")}.safetensors`;
  return rowsOf(tensorsOf(file(name)), "words")(id % told.shard);
}

function encoded({ text, off = [], cut = [] }: Request): object {
  const { tokens, ids } = tokenizer.encode(text);
  let x = embed(ids.map(wordVector));
  const weights = layers.map((layer, number) => {
    const heads = off.filter(([of]) => of === number).map(([, head]) => head);
    const made = apply(x, ids.length, layer, told.num_heads, { off: new Set(heads), cut: new Set(cut) });
    x = made.x;
    return made.seen;
  });
  const list = (name: "weights" | "scores"): number[][] => weights.map((seen) => [...seen[name]]);
  return { tokens, ids, x: [...x], weights: list("weights"), scores: list("scores") };
}

const requests = JSON.parse(readFileSync(0, "utf-8")) as Request[];
const started = process.cpuUsage();
const answers = requests.map(encoded);
const { user, system } = process.cpuUsage(started);
process.stdout.write(JSON.stringify({ answers, milliseconds: (user + system) / 1000 }));
