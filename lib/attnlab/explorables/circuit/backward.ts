// The gradient of the loss of one text, by hand: the steps of forward.ts from the last to the first.
import { attendBack } from "./attention.ts";
import type { LayerPass, Pass } from "./forward.ts";
import { addTo, layerNormBack, linearBack, rotate } from "./layers.ts";
import { HEAD_DIM, NUM_HEADS, NUM_LAYERS, NUM_WORDS, projection, WIDTH, type Weights } from "./weights.ts";

export type Gradients = Record<string, Float64Array>;

/** Adds the gradient of the mean loss of all next tokens, times `factor`, to `sum`. */
export function addGradients(weights: Weights, pass: Pass, sum: Gradients, factor = 1): void {
  let dx = lossBack(weights, pass, sum, factor);
  for (let layer = NUM_LAYERS - 1; layer >= 0; layer--) {
    addTo(dx, layerBack(weights, pass.layers[layer]!, layer, dx, sum));
  }
  const dEmbedding = sum["embedding.weight"]!;
  pass.text.forEach((word, t) => {
    const row = dEmbedding.subarray(word * WIDTH, (word + 1) * WIDTH);
    addTo(row, dx.subarray(t * WIDTH, (t + 1) * WIDTH));
  });
}

/** From the loss to what the layers have added up. */
function lossBack(weights: Weights, { text, shares, last }: Pass, sum: Gradients, factor: number): Float64Array {
  const count = text.length - 1;
  const dLogits = new Float64Array(shares.length); // nothing is predicted at the last token
  const dBias = sum["to_logits.bias"]!;
  for (let t = 0; t < count; t++) {
    for (let word = 0; word < NUM_WORDS; word++) {
      const at = t * NUM_WORDS + word;
      dLogits[at] = ((shares[at]! - (word === text[t + 1] ? 1 : 0)) * factor) / count;
      dBias[word]! += dLogits[at]!;
    }
  }
  const dLast = new Float64Array(last.y.length);
  linearBack(dLogits, last.y, weights["to_logits.weight"]!, sum["to_logits.weight"]!, dLast, WIDTH);
  const name = `norms.${NUM_LAYERS}`;
  const [gain, dGain] = [weights[`${name}.weight`]!, sum[`${name}.weight`]!];
  return layerNormBack(dLast, last, gain, dGain, sum[`${name}.bias`]!);
}

/** The gradient of a layer's input, from that of its output `dx`. */
function layerBack(weights: Weights, pass: LayerPass, layer: number, dx: Float64Array, sum: Gradients): Float64Array {
  const zeros = (): Float64Array => new Float64Array(dx.length);
  const output = projection(layer, "output");
  const dContexts = zeros();
  linearBack(dx, pass.contexts, weights[output]!, sum[output]!, dContexts, WIDTH);
  const d = { query: zeros(), key: zeros(), value: zeros() };
  for (let head = 0; head < NUM_HEADS; head++) {
    attendBack(dContexts, pass.weights[head]!, pass, d, head * HEAD_DIM);
  }
  rotate(d.query, WIDTH, -1);
  rotate(d.key, WIDTH, -1);
  const dNormed = zeros();
  for (const part of ["query", "key", "value"] as const) {
    const name = projection(layer, part);
    linearBack(d[part], pass.normed.y, weights[name]!, sum[name]!, dNormed, WIDTH);
  }
  const [gain, bias] = [`norms.${layer}.weight`, `norms.${layer}.bias`];
  return layerNormBack(dNormed, pass.normed, weights[gain]!, sum[gain]!, sum[bias]!);
}
