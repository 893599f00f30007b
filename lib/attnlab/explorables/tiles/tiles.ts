// How large may a tile of scores be, and how many bytes does its size save?
import * as text from "../text.ts";
import { h, set } from "../ui/dom.ts";
import { range } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { panel, panels } from "../ui/layout.ts";
import { Table } from "../ui/value_table.ts";
import { movedByAll, movedByTiles, onChip } from "./arithmetic.ts";
import style from "./tiles.css";

export interface State extends Common {
  num_tokens: number;
  tile: number;
  chip_kib: number;
}

const KIB = 1024;

function build(context: Context<State>): Built<State> {
  const power = (label: string, ends: readonly [number, number], set: (n: number) => void) =>
    range(label, ends, (exponent) => set(2 ** exponent), { text: (exponent) => String(Math.round(2 ** exponent)) });
  const tokens = power("tokens", [9, 16], (num_tokens) => context.change({ num_tokens }));
  const tile = power("queries and keys in a tile", [4, 10], (to) => context.change({ tile: to }));
  const chip = range("memory on the chip", [20, 240, 20], (chip_kib) => context.change({ chip_kib }), {
    text: (kib) => `${kib} KiB`,
  });
  const controls = panels(panel(tokens.element, tile.element), panel(chip.element));
  const bar = h("span");
  const fill = h("div", { class: "fill", "aria-hidden": "true" }, bar);
  const verdict = h("p", { class: "verdict" });
  const table = new Table("Bytes moved", ["", "bytes read and written", "of all scores"]);
  return {
    parts: [controls, verdict, fill, h("div", { class: "outcome" }, table.element)],
    update(state) {
      tokens.show(Math.log2(state.num_tokens));
      tile.show(Math.log2(state.tile));
      chip.show(state.chip_kib);
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

export default explorable<State>({
  name: "Tiles of scores",
  shows: ["num_tokens", "tile", "chip_kib"],
  answers: ["tile"],
  whole: ["num_tokens", "tile", "chip_kib"],
  style,
  build,
  summary(state) {
    const moved = `Tiles move ${size(movedByTiles(state.num_tokens, state.tile))}, all scores ${size(movedByAll(state.num_tokens))}.`;
    return fits(state) ? `${onChipInWords(state)} ${moved}` : onChipInWords(state);
  },
});
