// All heads at one glance: a small map for each, one layer in a row.
import { ARROWS, h, set } from "../ui/dom.ts";
import { type Head, mapOf, type Reading } from "./reading.ts";

/** Heads as buttons, both counted from 0; the arrow keys go from one to the next. */
export class Overview {
  readonly element: HTMLElement;
  private readonly tiles: HTMLButtonElement[][];
  private drawn: readonly unknown[] = [];
  private reading: Reading | undefined;
  /** Pixels do not follow a change of the theme by themselves. */
  private readonly themes = new MutationObserver(() => this.draw(this.reading));

  /** @param look - called for the head under the pointer or the focus */
  constructor(numLayers: number, numHeads: number, choose: (head: Head) => void, look: (head: Head) => void) {
    this.tiles = Array.from({ length: numLayers }, (_, layer) =>
      Array.from({ length: numHeads }, (_, head) => {
        const tile = h("button", { type: "button", class: "tile" }, h("canvas", { width: 1, height: 1 }));
        tile.addEventListener("click", () => choose([layer, head]));
        for (const event of ["pointerenter", "focus"]) tile.addEventListener(event, () => look([layer, head]));
        tile.addEventListener("keydown", (event) => this.move(event, layer, head, choose));
        return tile;
      }),
    );
    const columns = Array.from({ length: numHeads }, (_, head) => h("span", { class: "count" }, `${head + 1}`));
    const rows = this.tiles.flatMap((tiles, layer) => [h("span", { class: "count" }, `${layer + 1}`), ...tiles]);
    const style = `grid-template-columns: 1.2rem repeat(${numHeads}, 1fr)`;
    this.element = h(
      "div",
      { class: "overview", style, role: "group", "aria-label": "All heads: a row for each layer, arrow keys move" },
      h("span"),
      ...columns,
      ...rows,
    );
    this.themes.observe(document.documentElement, { attributes: true });
  }

  stop(): void {
    this.themes.disconnect();
  }

  /** Shows a reading; `chosen` and `other` are marked, those that are `off` crossed out. */
  update(reading: Reading | undefined, chosen: Head, other: Head | undefined, off: readonly Head[]): void {
    const same = (a: Head | undefined, layer: number, head: number): boolean => a?.[0] === layer && a[1] === head;
    this.tiles.forEach((tiles, layer) =>
      tiles.forEach((tile, head) => {
        const isChosen = same(chosen, layer, head);
        const isOff = off.some((each) => same(each, layer, head));
        const isHere = reading?.layers[layer] !== undefined;
        const name = `layer ${layer + 1}, head ${head + 1}${isOff ? ", off" : ""}${isHere ? "" : ", not there yet"}`;
        const second = same(other, layer, head);
        set(tile, { "aria-label": name, "aria-pressed": `${isChosen}`, tabindex: isChosen ? 0 : -1 });
        tile.classList.toggle("second", second);
        tile.classList.toggle("off", isOff);
      }),
    );
    this.draw(reading);
  }

  private draw(reading: Reading | undefined): void {
    this.reading = reading;
    const ink = getComputedStyle(this.element).color; // the text's
    const now = [reading, ink, ...(reading?.layers ?? [])];
    if (now.length === this.drawn.length && now.every((part, i) => part === this.drawn[i])) return;
    this.drawn = now;
    const rgb = (ink.match(/\d+/g) ?? []).map(Number);
    this.tiles.forEach((tiles, layer) => {
      const weights = reading?.layers[layer]?.weights;
      const count = reading?.tokens.length ?? 1;
      tiles.forEach((tile, head) => paint(tile.firstChild as HTMLCanvasElement, weights && mapOf(weights, head, count), count, rgb));
    });
  }

  private move(event: KeyboardEvent, layer: number, head: number, choose: (head: Head) => void): void {
    const step = ARROWS[event.key];
    if (!step) return;
    event.preventDefault();
    const next: Head = [layer + step[0], head + step[1]];
    const tile = this.tiles[next[0]]?.[next[1]];
    if (!tile) return;
    choose(next);
    tile.focus();
  }
}

/** Draws a map, one pixel a cell: paper is 0 and ink is 1. */
function paint(canvas: HTMLCanvasElement, map: Float32Array | undefined, count: number, rgb: readonly number[]): void {
  [canvas.width, canvas.height] = [count, count];
  const context = canvas.getContext("2d");
  if (!context || !map) return;
  const image = context.createImageData(count, count);
  map.forEach((weight, i) => image.data.set([...rgb, Math.round(255 * weight)], 4 * i));
  context.putImageData(image, 0, 0);
}
