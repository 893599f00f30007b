// The diagram: blocks and parts of the streams are buttons, attentions carry their masks.
import type { Mask } from "../math.ts";
import { s, set } from "../ui/dom.ts";
import { SUBLAYERS, type Attention, type Stack } from "./arithmetic.ts";

const [WIDTH, HEIGHT] = [352, 494];
const [BOX, FOOT, PITCH] = [124, 422, 97]; // a block's width, the embeddings' upper end, a sublayer's height
const [LINE, NORM, GLYPH] = [16, 19, 27];
const SIDES: Readonly<Record<Stack, { stream: number; left: number; near: number; words: number }>> = {
  encoder: { stream: 13, left: 36, near: 36, words: 98 },
  decoder: { stream: WIDTH - 13, left: WIDTH - 36 - BOX, near: WIDTH - 36, words: WIDTH - 98 },
};
const LABELS: Readonly<Record<string, readonly string[]>> = {
  "encoder.embedding": ["Embedding"],
  "encoder.self": ["Self-", "attention"],
  "encoder.network": ["Feed-forward", "network"],
  "encoder.output": ["Encoder’s output"],
  "decoder.embedding": ["Embedding"],
  "decoder.self": ["Causal self-", "attention"],
  "decoder.cross": ["Cross-", "attention"],
  "decoder.network": ["Feed-forward", "network"],
  "decoder.scores": ["Output layer"],
};
/** Blocks and parts of streams, from the source to the word that is written. */
export const PARTS = (["encoder", "decoder"] as const).flatMap((stack) => [
  ...Object.keys(LABELS).filter((id) => id.startsWith(stack)),
  ...[0, ...SUBLAYERS[stack].map((_, i) => i + 1)].map((i) => `${stack}.stream.${i}`),
]);

const topOf = (stack: Stack, part: string): number => {
  if (part === "embedding") return FOOT;
  const at = SUBLAYERS[stack].indexOf(part);
  return at >= 0 ? FOOT + 2 - PITCH * (at + 1) : FOOT - 93 - PITCH * SUBLAYERS[stack].length;
};
const heightOf = (id: string): number =>
  LINE * (LABELS[id]!.length + 1) + 6 + (id.endsWith("embedding") ? 0 : NORM);

export class Diagram {
  readonly element: SVGSVGElement;
  private readonly buttons = new Map<string, SVGGElement>();
  private readonly shapes = new Map<string, SVGTextElement>();
  private readonly glyphs = new Map<string, SVGGElement>();
  /** What stands on the blocks, beside their buttons, whose names say more. */
  private readonly words = s("g", { "aria-hidden": "true" });
  private readonly read = s("g");
  private readonly written = s("text", { class: "word next", x: SIDES.decoder.words, y: 15 });

  /**
   * @param choose - called when a part is pressed
   * @param hover - called with the part of a stream that the pointer is over, or nothing
   */
  constructor(choose: (id: string) => void, hover: (id: string | undefined) => void) {
    this.element = s("svg", {
      class: "blocks",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "group",
      "aria-label": "The Transformer",
    });
    for (const id of PARTS) {
      const group = s("g", { class: "part", role: "button", tabindex: 0 });
      group.addEventListener("click", () => choose(id));
      group.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        choose(id);
      });
      this.buttons.set(id, group);
      if (id in LABELS) {
        this.fill(id, group);
        continue;
      }
      group.append(...stream(id));
      group.addEventListener("pointerenter", ({ pointerType }) => pointerType === "mouse" && hover(id));
      group.addEventListener("pointerleave", () => hover(undefined));
    }
    const groups = [...this.buttons];
    this.element.append(
      ...(["encoder", "decoder"] as const).flatMap(repeated),
      ...groups.filter(([id]) => !(id in LABELS)).map(([, group]) => group),
      ...(["encoder", "decoder"] as const).flatMap(wires),
      ...memory(),
      s("path", { class: "wire ink", d: `M${SIDES.decoder.words} ${topOf("decoder", "scores")}v-15` }),
      ...groups.filter(([id]) => id in LABELS).map(([, group]) => group),
      this.words,
      s("text", { class: "word", x: SIDES.encoder.words, y: HEIGHT - 7 }, "the apple … picked"),
      this.written,
      this.read,
    );
  }

  /** The words of a block, and room for its shape and for the picture of its mask. */
  private fill(id: string, group: SVGGElement): void {
    const [stack, part] = id.split(".") as [Stack, string];
    const [x, y, height] = [SIDES[stack].left, topOf(stack, part), heightOf(id)];
    const hasMask = part === "self" || part === "cross";
    const middle = x + BOX / 2 + (hasMask ? GLYPH / 2 + 2 : 0);
    const shape = s("text", { class: "size", x: middle, y: y + LINE * (LABELS[id]!.length + 1) });
    this.shapes.set(id, shape);
    group.append(s("rect", { class: "box", x, y, width: BOX, height, rx: 5 }));
    this.words.append(...LABELS[id]!.map((line, i) => s("text", { x: middle, y: y + LINE * (i + 1) }, line)), shape);
    if (hasMask) {
      const glyph = s("g", { transform: `translate(${x + 9} ${y + 14})` });
      this.glyphs.set(id, glyph);
      group.append(glyph);
    }
    if (part === "embedding") return;
    const edge = y + height - NORM;
    this.words.append(
      s("path", { class: "strip", d: `M${x} ${edge}h${BOX}` }),
      s("text", { class: "quiet", x: x + BOX / 2, y: edge + 14 }, "norm"),
    );
  }

  /** Marks what is open, and writes the shapes, and the words at both ends of the decoder. */
  update(open: string, nameOf: (id: string) => string, shapeOf: (id: string) => string, read: string, written: string): void {
    for (const [id, group] of this.buttons) {
      set(group, { "aria-pressed": id === open ? "true" : "false", "aria-label": nameOf(id) });
    }
    for (const [id, shape] of this.shapes) shape.textContent = shapeOf(id);
    // The word that was written comes down to be read: a new element starts its motion.
    const arrives = read.endsWith(this.written.textContent) && this.written.textContent !== "";
    if (this.read.textContent !== read) {
      const attributes = { class: arrives ? "word arrives" : "word", x: SIDES.decoder.words, y: HEIGHT - 7 };
      this.read.replaceChildren(s("text", attributes, read));
    }
    this.written.textContent = written;
  }

  /** Draws a mask on its attention: a square for each pair, ink where the query may attend. */
  mask(id: Attention, mask: Mask): void {
    const cell = GLYPH / Math.max(mask.length, mask[0]!.length);
    const side = (0.84 * cell).toFixed(2);
    const square = (seen: boolean, i: number, j: number): SVGRectElement =>
      s("rect", { class: seen ? "seen" : "unseen", x: (j * cell).toFixed(2), y: (i * cell).toFixed(2), width: side, height: side });
    this.glyphs.get(id)!.replaceChildren(...mask.flatMap((row, i) => row.map((seen, j) => square(seen, i, j))));
  }
}

/** Where the sums of a stream stand, from the embedding up, and where it ends. */
function placesOf(stack: Stack): number[] {
  const end = stack === "encoder" ? "output" : "scores";
  const last = topOf(stack, end) + heightOf(`${stack}.${end}`) - NORM / 2;
  return [FOOT + 19, ...SUBLAYERS[stack].map((part) => topOf(stack, part) - 6), last];
}

function stream(id: string): SVGElement[] {
  const [stack, , number] = id.split(".") as [Stack, string, string];
  const { stream: x, near } = SIDES[stack];
  const [low, high] = placesOf(stack).slice(Number(number)) as [number, number];
  const [start, end] = [low === FOOT + 19 ? `M${near} ${low}H${x}` : `M${x} ${low}`, Number(number) === SUBLAYERS[stack].length ? `H${near}` : ""];
  return [
    s("path", { class: "stream", d: `${start}V${high}${end}` }),
    s("rect", { class: "hit", x: x - 13, y: high, width: 26, height: low - high }),
  ];
}

/** From the stream into each sublayer, as query, key and value where it is an attention, and back. */
function wires(stack: Stack): SVGElement[] {
  const { stream: x, near } = SIDES[stack];
  return SUBLAYERS[stack].flatMap((part) => {
    const [top, low] = [topOf(stack, part), topOf(stack, part) + heightOf(`${stack}.${part}`)];
    const roles = { self: ["query", "key", "value"], cross: ["query"] }[part] ?? ["ink"];
    const into = roles.map((role, i) => {
      const y = low - 9 + 5 * (i - (roles.length - 1) / 2);
      return s("path", { class: `wire ${role}`, d: `M${x} ${low + 13}Q${x} ${y} ${near} ${y}` });
    });
    return [
      ...into,
      s("path", { class: "wire ink", d: `M${near} ${top + 14}Q${x} ${top + 14} ${x} ${top}` }),
      s("circle", { class: "plus", cx: x, cy: top - 6, r: 7 }),
      s("path", { class: "wire ink", d: `M${x - 4} ${top - 6}h8m-4 -4v8` }),
    ];
  });
}

/** The way of the encoder’s output to the cross-attention, as keys and values. */
function memory(): SVGElement[] {
  const [start, end] = [SIDES.encoder.left + BOX, SIDES.decoder.left];
  return ["key", "value"].map((role, i) => {
    const [from, to] = [topOf("encoder", "output") + 14 + 10 * i, topOf("decoder", "cross") + 14 + 10 * i];
    const bend = (start + end) / 2 + (i ? -7 : 7);
    return s("path", { class: `wire ${role}`, d: `M${start} ${from}C${bend} ${from} ${bend} ${to} ${end} ${to}` });
  });
}

/** The frame of what a stack has twice. */
function repeated(stack: Stack): SVGElement[] {
  const [x, y] = [stack === "encoder" ? 0 : SIDES.decoder.left - 8, topOf(stack, "network") - 26];
  const width = SIDES.encoder.left + BOX + 8;
  return [
    s("rect", { class: "frame", x, y, width, height: FOOT - 12 - y, rx: 6 }),
    s("text", { class: "quiet", x: SIDES[stack].words, y: y + 16 }, "× 2 layers"),
  ];
}
