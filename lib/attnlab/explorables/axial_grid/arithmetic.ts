// Axial positions: which row of each of two tables a position gets, and how many numbers they hold.

export interface Grid {
  rows: number;
  columns: number;
  columnMajor: boolean;
}

/** The row of the first and of the second table that make up a position. */
export const tableRows = (position: number, { rows, columns, columnMajor }: Grid): [number, number] =>
  columnMajor
    ? [position % rows, Math.floor(position / rows)]
    : [Math.floor(position / columns), position % columns];

/** The position at a place of the grid. */
export const positionAt = (row: number, column: number, { rows, columns, columnMajor }: Grid): number =>
  columnMajor ? column * rows + row : row * columns + column;

/** Numbers in both tables, each of half the width. */
export const inTwoTables = ({ rows, columns }: Grid, width: number): number =>
  ((rows + columns) * width) / 2;

/** Numbers in one table with a row for each position. */
export const inOneTable = ({ rows, columns }: Grid, width: number): number => rows * columns * width;
