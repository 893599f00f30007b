// The diagram: blocks and parts of the streams are buttons, attentions carry their masks.
import type { Mask } from "../math.ts";
import { s, set } from "../ui/dom.ts";

export interface Block {
  id: string;
  title: string;
  label: readonly string[];
  text: string;
  x: number;
  y: number;
  width: number;
  height: number;
  /** Height of the strip at its lower end in which the stream is normalised. */
  norm: number;
  /** Side of the mask's picture; 0 where a block has no attention. */
  glyph: number;
}

export interface Stream {
  id: string;
  x: number;
  low: number;
  high: number;
}

export interface Parts {
  blocks: readonly Block[];
  streams: readonly Stream[];
  wires: readonly (readonly [role: string, path: string])[];
  frames: readonly (readonly number[])[];
}

const [WIDTH, HEIGHT] = [372, 510];
const REACH = 13; // how far from a stream's middle it can be pressed

export class Diagram {
  readonly element: SVGSVGElement;
  private readonly buttons = new Map<string, SVGGElement>();
  private readonly glyphs = new Map<string, { group: SVGGElement; block: Block }>();
  private readonly read = s("text", { class: "word", x: 268, y: 490 });
  private readonly written = s("text", { class: "word next", x: 268, y: 16 });

  /**
   * @param choose - called when a part is pressed
   * @param hover - called with the part of a stream that the pointer is over, or nothing
   */
  constructor(parts: Parts, choose: (id: string) => void, hover: (id: string | undefined) => void) {
    this.element = s("svg", {
      class: "blocks",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "group",
      "aria-label": "The Transformer",
    });
    const streams = parts.streams.map((stream) => {
      const group = this.button(stream.id, choose, streamLine(stream));
      group.addEventListener("pointerenter", (event) => {
        if (event.pointerType === "mouse") hover(stream.id);
      });
      group.addEventListener("pointerleave", () => hover(undefined));
      return group;
    });
    const blocks = parts.blocks.map((block) => {
      const group = this.button(block.id, choose, ...box(block));
      if (block.glyph) {
        const glyph = s("g", { class: "glyph" });
        this.glyphs.set(block.id, { group: glyph, block });
        group.append(glyph);
      }
      return group;
    });
    const lines = parts.wires.map(([role, d]) => s("path", { class: `wire ${role}`, d }));
    this.element.append(
      ...parts.frames.flatMap(frame),
      ...lines.filter((line) => line.matches(".stream")),
      ...streams,
      ...lines.filter((line) => !line.matches(".stream")),
      ...parts.streams.filter(({ id }) => !id.endsWith(".0")).map(plus),
      s("path", { class: "wire ink", d: "M268 40V24" }),
      ...blocks,
      s("g", { "aria-hidden": "true" }, ...parts.blocks.flatMap(words)),
      s("text", { class: "word", x: 104, y: 490 }, "the apple … picked"),
      this.read,
      this.written,
    );
  }

  /** Marks what is open, and writes the words at both ends of the decoder. */
  update(open: string, names: (id: string) => string, read: string, written: string): void {
    for (const [id, group] of this.buttons) {
      set(group, { "aria-pressed": id === open ? "true" : "false", "aria-label": names(id) });
    }
    this.read.textContent = read;
    this.written.textContent = written;
  }

  /** Draws a mask on its attention: a square for each pair, ink where the query may attend. */
  mask(id: string, mask: Mask): void {
    const { group, block } = this.glyphs.get(id)!;
    const cell = block.glyph / Math.max(mask.length, mask[0]!.length);
    const side = 0.84 * cell;
    const [x, y] = [block.x + 8, block.y + (block.height - block.norm - block.glyph) / 2];
    group.replaceChildren(
      ...mask.flatMap((row, i) =>
        row.map((seen, j) =>
          s("rect", { class: seen ? "seen" : "hidden-pair", x: x + j * cell, y: y + i * cell, width: side, height: side }),
        ),
      ),
    );
  }

  private button(id: string, choose: (id: string) => void, ...children: SVGElement[]): SVGGElement {
    const group = s("g", { class: "part", role: "button", tabindex: 0 }, ...children);
    group.addEventListener("click", () => choose(id));
    group.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose(id);
    });
    this.buttons.set(id, group);
    return group;
  }
}

function streamLine({ x, low, high }: Stream): SVGGElement {
  const hit = { class: "hit", x: x - REACH, y: high, width: 2 * REACH, height: low - high };
  return s("g", {}, s("path", { class: "stream", d: `M${x} ${low}V${high}` }), s("rect", hit));
}

function box({ x, y, width, height, norm }: Block): SVGElement[] {
  const frame = s("rect", { class: "box", x, y, width, height, rx: 5 });
  return norm ? [frame, s("path", { class: "strip", d: `M${x} ${y + height - norm}h${width}` })] : [frame];
}

/** The words on a block. They stand beside its button, whose name says more. */
function words({ x, y, width, height, norm, label, glyph }: Block): SVGTextElement[] {
  const [left, edge] = [x + (glyph ? glyph + 12 : 0), y + height - norm];
  const lines = label.map((line, i) =>
    s("text", { x: (left + x + width) / 2, y: (y + edge) / 2 + 5 + 16 * (i - (label.length - 1) / 2) }, line),
  );
  if (!norm) return lines;
  return [...lines, s("text", { class: "quiet", x: x + width / 2, y: edge + 13 }, "norm")];
}

const frame = ([x, y, width, height]: readonly number[]): SVGElement[] => [
  s("rect", { class: "frame", x: x!, y: y!, width: width!, height: height!, rx: 6 }),
  s("text", { class: "quiet", x: x! + width! / 2, y: y! + 17 }, "× 2 layers"),
];

/** The sum with which a sublayer's result enters the stream. */
const plus = ({ x, low }: Stream): SVGGElement =>
  s(
    "g",
    { class: "plus", transform: `translate(${x} ${low})` },
    s("circle", { r: 7 }),
    s("path", { d: "M-4 0h8M0 -4v8" }),
  );
