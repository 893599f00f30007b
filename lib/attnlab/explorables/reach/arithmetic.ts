// How far back the last position of a sentence sees, layer by layer.

export interface Stack {
  kernel: number;
  layers: number;
  /** One layer of attention in place of the convolutions. */
  attention: boolean;
}

/** What informs the last of `tokens` positions: row 0 has the words, the last row only itself. */
export function cone(tokens: number, { kernel, layers, attention }: Stack): boolean[][] {
  const step = attention ? tokens : kernel - 1;
  const depth = attention ? 1 : layers;
  return Array.from({ length: depth + 1 }, (_, row) =>
    Array.from({ length: tokens }, (_, at) => tokens - 1 - at <= (depth - row) * step),
  );
}

/** How many convolutions it takes to see the first of `tokens` positions. */
export const needed = (tokens: number, kernel: number): number =>
  Math.ceil((tokens - 1) / (kernel - 1));

/** The sentence with so many phrases of two tokens between its subject and its last two. */
export const shortened = (tokens: readonly string[], phrases: number): string[] => [
  ...tokens.slice(0, 1 + 2 * phrases),
  ...tokens.slice(-2),
];
