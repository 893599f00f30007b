// What exact attention moves between the large memory and the chip: all scores at once, or in tiles.

const WIDTH = 64; // numbers in a query, a key and a value
const BYTES = 2; // float16

/** Bytes read and written with all scores: each is written, read, written as a weight and read. */
export const movedByAll = (tokens: number): number =>
  BYTES * (4 * tokens * WIDTH + 4 * tokens * tokens);

/** With tiles: queries and outputs once, keys and values once for every block of queries. */
export const movedByTiles = (tokens: number, tile: number): number =>
  BYTES * (2 * tokens * WIDTH + 2 * tokens * WIDTH * Math.ceil(tokens / tile));

/** Bytes on the chip: a block of queries, keys, values and outputs, their scores, and m and l. */
export const onChip = (tile: number): number => BYTES * (4 * tile * WIDTH + tile * tile + 2 * tile);
