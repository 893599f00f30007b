// Reads a file in the format of safetensors: a line of JSON, then the numbers.

export interface Tensor {
  readonly shape: readonly number[];
  readonly data: Int8Array | Float32Array;
}

export type Tensors = ReadonlyMap<string, Tensor>;

/** The matrix and the bias of a linear layer. Each run of a row of int8 has a scale: (rows, runs). */
export interface Linear {
  readonly weight: Int8Array;
  readonly scale: Float32Array;
  readonly bias: Float32Array;
}

interface About {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

/** The arrays of a file by name; they share its memory. */
export function tensorsOf(file: ArrayBuffer): Tensors {
  const size = Number(new DataView(file).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 8, size))) as Record<string, About>;
  const entries = Object.entries(header).map(([name, { dtype, shape, data_offsets }]) => {
    const [start, end] = data_offsets;
    const at = 8 + size + start;
    const data =
      dtype === "I8" ? new Int8Array(file, at, end - start) : new Float32Array(file, at, (end - start) / 4);
    return [name, { shape, data }] as const;
  });
  return new Map(entries);
}

function tensor(tensors: Tensors, name: string): Tensor {
  const found = tensors.get(name);
  if (!found) throw new Error(`the file has no ${name}; it has ${[...tensors.keys()].join(", ")}`);
  return found;
}

/** A vector of float32. */
export const vector = (tensors: Tensors, name: string): Float32Array =>
  tensor(tensors, name).data as Float32Array;

/** A linear layer; one without a bias has zeros. */
export function linearOf(tensors: Tensors, name: string): Linear {
  const { data, shape } = tensor(tensors, `${name}.weight`);
  return {
    weight: data as Int8Array,
    scale: vector(tensors, `${name}.weight.scale`),
    bias: (tensors.get(`${name}.bias`)?.data as Float32Array | undefined) ?? new Float32Array(shape[0]!),
  };
}

/** A matrix's rows as plain numbers, one row at a time. */
export function rowsOf(tensors: Tensors, name: string): (row: number) => Float64Array {
  const { shape, data } = tensor(tensors, name);
  const width = shape[1]!;
  const scale = vector(tensors, `${name}.scale`);
  const runs = scale.length / shape[0]!;
  return (row) =>
    Float64Array.from(
      data.subarray(row * width, (row + 1) * width),
      (x, i) => x * scale[row * runs + Math.floor((i * runs) / width)]!,
    );
}
