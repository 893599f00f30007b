// How large may a tile of scores be, and how many bytes does its size save?
import type { Host } from "../host.ts";
import * as text from "../text.ts";
import { h, set } from "../ui/dom.ts";
import { slider } from "../ui/fields.ts";
import { mount, type Common, type Context, type Spec } from "../ui/frame.ts";
import { Table } from "../ui/value_table.ts";
import { movedByAll, movedByTiles, onChip } from "./arithmetic.ts";
import style from "./tiles.css";

export interface State extends Common {
  num_tokens: number;
  tile: number;
  chip_kib: number;
}

const KIB = 1024;
/** Sliders of powers of two: the exponents at their ends. */
const TOKENS = [9, 16] as const;
const TILES = [4, 10] as const;
const CHIP = { step: 20, most: 240 } as const;

function build(context: Context<State>): { parts: Node[]; update(state: State): void } {
  const controls = controlsOf(context);
  const bar = h("span");
  const fill = h("div", { class: "fill", "aria-hidden": "true" }, bar);
  const verdict = h("p", { class: "verdict" });
  const table = new Table("Bytes moved", ["", "bytes read and written", "of all scores"]);
  return {
    parts: [
      h("div", { class: "panels" }, ...controls.panels),
      verdict,
      fill,
      h("div", { class: "outcome" }, table.element),
    ],
    update(state) {
      controls.show(state);
      const share = onChip(state.tile) / (state.chip_kib * KIB);
      bar.style.width = `${Math.min(100, 100 * share)}%`;
      set(fill, { class: share > 1 ? "fill over" : "fill" });
      verdict.textContent = onChipInWords(state);
      table.update(rows(state));
    },
  };
}

const fits = ({ tile, chip_kib }: State): boolean => onChip(tile) <= chip_kib * KIB;

function onChipInWords(state: State): string {
  const needed = `A tile of ${state.tile} × ${state.tile} scores needs ${text.number(onChip(state.tile) / KIB, 1)} KiB on the chip`;
  return `${needed}, which has ${state.chip_kib} KiB: it ${fits(state) ? "fits" : "does not fit"}.`;
}

function rows(state: State) {
  const all = movedByAll(state.num_tokens);
  const tiles = movedByTiles(state.num_tokens, state.tile);
  const share = `${text.number((100 * tiles) / all, 1)} %`;
  return [
    { head: "all scores", cells: [size(all), "100 %"] },
    { head: "tiles", cells: fits(state) ? [size(tiles), share] : ["does not fit", "–"] },
  ];
}

/** A number of bytes as text. */
function size(bytes: number): string {
  const mib = bytes / KIB ** 2;
  return mib < KIB ? `${text.number(mib, 1)} MiB` : `${text.number(mib / KIB, 1)} GiB`;
}

function controlsOf(context: Context<State>): { panels: Node[]; show(state: State): void } {
  const power = (label: string, [low, high]: readonly [number, number], set: (n: number) => void) =>
    slider(label, [String(2 ** low), String(2 ** high)], high - low, (to) => set(2 ** (low + to)));
  const tokens = power("tokens", TOKENS, (num_tokens) => context.change({ num_tokens }));
  const tile = power("queries and keys in a tile", TILES, (to) => context.change({ tile: to }));
  const ends = [`${CHIP.step} KiB`, `${CHIP.most} KiB`] as const;
  const chip = slider("memory on the chip", ends, CHIP.most / CHIP.step - 1, (to) =>
    context.change({ chip_kib: CHIP.step * (to + 1) }),
  );
  const panel = (...parts: Node[]): HTMLElement => h("div", { class: "panel" }, ...parts);
  return {
    panels: [panel(tokens.element, tile.element), panel(chip.element)],
    show({ num_tokens, tile: side, chip_kib }) {
      tokens.show({ position: Math.log2(num_tokens) - TOKENS[0], text: String(num_tokens) });
      tile.show({ position: Math.log2(side) - TILES[0], text: String(side) });
      chip.show({ position: chip_kib / CHIP.step - 1, text: `${chip_kib} KiB` });
    },
  };
}

const spec: Spec<State> = {
  shows: ["num_tokens", "tile", "chip_kib"],
  answers: ["tile"],
  whole: ["num_tokens", "tile", "chip_kib"],
  style,
  build,
  summary(state) {
    const moved = `Tiles move ${size(movedByTiles(state.num_tokens, state.tile))}, all scores ${size(movedByAll(state.num_tokens))}.`;
    return fits(state) ? `${onChipInWords(state)} ${moved}` : onChipInWords(state);
  },
};

export const render = (host: Host<State>): (() => void) => mount(host, spec);
export default { render };
