// The translator: a GRU reads in both directions, another one writes and attends to what was read.
// The same arithmetic as attnlab.models.numpy_translator.
import { dot, mixture, softmax, type Matrix, type Vector } from "../math.ts";
import type { Arrays } from "./npz.ts";

const [BEGIN, END] = [0, 1];
/** How many words it may write beyond those of a right translation before it is stopped. */
const SPARE = 4;
/** How many numbers of a context vector, and how many candidates for a word, are kept. */
const [NUM_SHOWN, NUM_BEST] = [4, 3];

export interface Step {
  /** The token that is written. */
  word: number;
  scores: Vector;
  weights: Vector;
  /** The first numbers of the context vector. */
  context: Vector;
  /** The likeliest tokens with their probabilities. */
  best: readonly (readonly [number, number])[];
}

const add = (a: Vector, b: Vector): number[] => a.map((x, i) => x + b[i]!);
const times = (matrix: Matrix, x: Vector): number[] => matrix.map((row) => dot(row, x));
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/** The next state of a GRU; rows of its matrices: reset gate, update gate, new state. */
function gru(model: Arrays, layer: string, end: string, inputs: Vector, state: Vector): number[] {
  const array = (part: string): Matrix => model[`${layer}.${part}${end}`]!;
  const given = add(times(array("weight_ih"), inputs), array("bias_ih")[0]!);
  const own = add(times(array("weight_hh"), state), array("bias_hh")[0]!);
  const width = state.length;
  return state.map((before, i) => {
    const [j, k] = [i + width, i + 2 * width];
    const update = sigmoid(given[j]! + own[j]!);
    const fresh = Math.tanh(given[k]! + sigmoid(given[i]! + own[i]!) * own[k]!);
    return (1 - update) * fresh + update * before;
  });
}

/** A vector for each token, and the state that the decoder starts with. */
function encode(model: Arrays, tokens: readonly number[]): { encoded: Matrix; start: Vector } {
  const embedded = tokens.map((token) => model["embed_source.weight"]![token]!);
  const width = model["encoder.weight_hh_l0"]![0]!.length;
  const read = (inputs: Matrix, direction: string): number[][] => {
    let state: number[] = Array.from({ length: width }, () => 0);
    return inputs.map((x) => (state = gru(model, "encoder", `_l0${direction}`, x, state)));
  };
  const [forwards, backwards] = [read(embedded, ""), read([...embedded].reverse(), "_reverse")];
  const start = [...forwards.at(-1)!, ...backwards.at(-1)!];
  return { encoded: forwards.map((state, i) => [...state, ...backwards.at(-1 - i)!]), start };
}

/** What the decoder does at each step, until it has written the mark for the end. */
export function translate(
  model: Arrays,
  tokens: readonly number[],
  hidden: readonly number[],
  uniform: boolean,
): Step[] {
  const { encoded, start } = encode(model, tokens);
  const keys = encoded.map((vector) => mixture(vector, model["score.w_key"]!));
  const isVisible = tokens.map((_, i) => !hidden.includes(i));
  const steps: Step[] = [];
  let [state, word] = [start, BEGIN];
  while (steps.length <= tokens.length + SPARE && (steps.length === 0 || word !== END)) {
    const query = mixture(state, model["score.w_query"]!);
    const scores = keys.map((key) => dot(model["score.w_score"]![0]!, add(query, key).map(Math.tanh)));
    const weights = softmax(uniform ? scores.map(() => 0) : scores, isVisible);
    const context = mixture(weights, encoded);
    state = gru(model, "decoder", "", [...model["embed_target.weight"]![word]!, ...context], state);
    const logits = times(model["to_logits.weight"]!, [...state, ...context]);
    const shares = softmax(add(logits, model["to_logits.bias"]![0]!));
    const best = [...shares.entries()].sort(([, a], [, b]) => b - a).slice(0, NUM_BEST);
    word = best[0]![0];
    steps.push({ word, scores, weights, context: context.slice(0, NUM_SHOWN), best });
  }
  return steps;
}
