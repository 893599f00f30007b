// A file of NumPy's `savez_compressed` with numbers of 16 bits: a zip of compressed arrays.
import type { Matrix } from "../math.ts";

/** Arrays by name, row by row; a vector is a matrix of one row. */
export type Arrays = Readonly<Record<string, Matrix>>;

const [ENTRY, END, END_SIZE, ENTRY_SIZE, HEAD_SIZE] = [0x02014b50, 0x06054b50, 22, 46, 30];

/** The arrays of a file; anything else than such a file is an error. */
export async function unpack(content: ArrayBuffer): Promise<Arrays> {
  const view = new DataView(content);
  const end = content.byteLength - END_SIZE;
  if (end < 0 || view.getUint32(end, true) !== END) {
    throw new RangeError(`${content.byteLength} bytes that are not an npz file`);
  }
  const arrays: Record<string, Matrix> = {};
  let at = view.getUint32(end + 16, true);
  while (view.getUint32(at, true) === ENTRY) {
    const [size, start] = [view.getUint32(at + 20, true), view.getUint32(at + 42, true)];
    const [named, extra, comment] = [28, 30, 32].map((i) => view.getUint16(at + i, true)) as [number, number, number];
    const name = new TextDecoder().decode(new Uint8Array(content, at + ENTRY_SIZE, named));
    const from = start + HEAD_SIZE + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
    arrays[name.replace(".npy", "")] = arrayOf(await inflated(new Uint8Array(content, from, size)));
    at += ENTRY_SIZE + named + extra + comment;
  }
  return arrays;
}

const inflated = (bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> =>
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer();

/** The rows of one array in NumPy's format. */
function arrayOf(content: ArrayBuffer): Matrix {
  const view = new DataView(content);
  const start = 10 + view.getUint16(8, true);
  const header = new TextDecoder().decode(new Uint8Array(content, 10, start - 10));
  const sizes = /'shape': \(([^)]*)\)/.exec(header)?.[1]?.match(/\d+/g)?.map(Number);
  if (!header.includes("'<f2'") || !sizes) throw new RangeError(`not numbers of 16 bits: ${header}`);
  const columns = sizes.at(-1)!;
  const rows = (content.byteLength - start) / 2 / columns;
  return Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => half(view.getUint16(start + 2 * (i * columns + j), true))),
  );
}

/** A number of 16 bits: a sign, five bits of exponent, ten of fraction. */
function half(bits: number): number {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size = exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction * 2 ** -24;
  return bits & 0x8000 ? -size : size;
}
