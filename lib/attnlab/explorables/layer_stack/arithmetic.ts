// What the caches of a stack of layers hold, and what its last output can depend on.
export interface Stack {
  layers: readonly string[];
  num_tokens: number;
  window: number;
  num_heads: number;
  head_dim: number;
  d_latent: number;
  rotary_dim: number;
  bytes_per_number: number;
}

export const KINDS: readonly string[] = ["global", "local", "shared", "latent"];

/** Bytes that a layer keeps of one token. */
export function bytesOfToken(stack: Stack, kind: string): number {
  const numbers = {
    shared: 2 * stack.head_dim,
    latent: stack.d_latent + stack.rotary_dim,
  }[kind] ?? 2 * stack.num_heads * stack.head_dim;
  return numbers * stack.bytes_per_number;
}

/** How many tokens a layer keeps. */
export const tokensKept = ({ num_tokens: count, window }: Stack, kind: string): number =>
  kind === "local" ? Math.min(window, count) : count;

/** The bytes of each cache. */
export const sizes = (stack: Stack): number[] =>
  stack.layers.map((kind) => bytesOfToken(stack, kind) * tokensKept(stack, kind));

/** For each layer how many of its input tokens, the newest included, the last output depends on. */
export function reaches(stack: Stack): number[] {
  let count = 1;
  return [...stack.layers]
    .reverse()
    .map((kind) => (count = Math.min(stack.num_tokens, count - 1 + tokensKept(stack, kind))))
    .reverse();
}
