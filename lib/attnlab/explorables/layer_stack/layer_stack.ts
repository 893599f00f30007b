// Choose the kind of each layer: areas are bytes of the caches, the row below is what is reached.
import type { Host } from "../host.ts";
import { h, s, set } from "../ui/dom.ts";
import { button } from "../ui/fields.ts";
import { mount, type Common, type Context, type Spec } from "../ui/frame.ts";
import { hatch } from "../ui/mask_map.ts";
import { bytesOfToken, KINDS, reach, sizes, tokensKept } from "./arithmetic.ts";
import style from "./layer_stack.css";

export interface State extends Common {
  layers: readonly string[];
  num_tokens: number;
  window: number;
  num_heads: number;
  head_dim: number;
  d_latent: number;
  rotary_dim: number;
  bytes_per_number: number;
}

const LABELS: Readonly<Record<string, string>> = {
  global: "global",
  local: "local",
  shared: "shared head",
  latent: "latent",
};
const ROW = 32; // height of a layer that keeps all heads
const grouped = (n: number): string => n.toLocaleString("en");

function build(context: Context<State>): { parts: Node[]; update(state: State): void } {
  const { layers, num_tokens: count } = context.state();
  const rows = layers.map((_, i) => new Layer(i, count, (kind) => {
    const changed = context.state().layers.map((old, j) => (j === i ? kind : old));
    context.change({ layers: changed });
  }));
  const all = KINDS.map((kind) =>
    button(`All ${LABELS[kind]}`, () => context.change({ layers: layers.map(() => kind) })),
  );
  const reached = new Reached(count);
  const said = h("p", { class: "said", role: "status" });
  // The last layer stands at the top, as in other figures of stacks.
  const stack = [...rows].reverse().map(({ element }) => element);
  return {
    parts: [
      h("div", { class: "buttons presets", role: "group", "aria-label": "Start from" }, ...all),
      h("div", { class: "stack" }, ...stack, reached.element),
      said,
    ],
    update(state) {
      rows.forEach((row, i) => row.update(state, state.layers[i]!));
      reached.update(reach(state));
      said.textContent = saidOf(state);
    },
  };
}

/** One layer: its kind, and an area for what its cache holds. */
class Layer {
  readonly element = h("div", { class: "layer" });
  private readonly select: HTMLSelectElement;
  private readonly area = s("rect", { class: "kept" });
  private readonly size = h("span", { class: "size" });

  constructor(index: number, count: number, choose: (kind: string) => void) {
    const options = KINDS.map((kind) => h("option", { value: kind }, LABELS[kind]!));
    this.select = h("select", { "aria-label": `Layer ${index + 1}` }, ...options);
    this.select.addEventListener("change", () => choose(this.select.value));
    const viewBox = `0 0 ${count} ${ROW}`;
    const frame = s("rect", { class: "whole", width: count, height: ROW });
    const picture = s("svg", { viewBox, preserveAspectRatio: "none", "aria-hidden": "true" }, frame, this.area);
    this.element.append(h("span", { class: "number" }, String(index + 1)), this.select, picture, this.size);
  }

  update(state: State, kind: string): void {
    const [kept, bytes] = [tokensKept(state, kind), bytesOfToken(state, kind)];
    const height = (ROW * bytes) / bytesOfToken(state, "global");
    this.select.value = kind;
    set(this.area, { x: state.num_tokens - kept, y: ROW - height, width: kept, height });
    this.size.textContent = grouped(kept * bytes);
  }
}

/** The tokens: hatched where the last output cannot depend on them. */
class Reached {
  readonly element = h("div", { class: "layer reached" });
  private readonly far = s("rect", { height: ROW / 2 });
  private readonly near = s("rect", { class: "near", height: ROW / 2 });
  private readonly count: number;
  private readonly size = h("span", { class: "size" });

  constructor(count: number) {
    this.count = count;
    const id = `far-${Math.random().toString(36).slice(2)}`;
    this.far.setAttribute("fill", `url(#${id})`);
    const viewBox = `0 0 ${count} ${ROW / 2}`;
    const picture = s("svg", { viewBox, preserveAspectRatio: "none", "aria-hidden": "true" });
    picture.append(s("defs", {}, hatch(id)), this.far, this.near);
    this.element.append(h("span", { class: "number" }), h("span", {}, "reached"), picture, this.size);
  }

  update(reached: number): void {
    set(this.far, { width: this.count - reached });
    set(this.near, { x: this.count - reached, width: reached });
    this.size.textContent = `${reached} of ${this.count}`;
  }
}

function saidOf(state: State): string {
  const total = sizes(state).reduce((sum, size) => sum + size, 0);
  const whole = state.layers.length * state.num_tokens * bytesOfToken(state, "global");
  const share = ((100 * total) / whole).toFixed(0);
  const each = grouped(Math.round(total / state.num_tokens));
  return `${grouped(total)} bytes in all, ${each} for each token: ${share} % of what global layers keep. The last output can depend on ${reach(state)} of ${state.num_tokens} tokens.`;
}

const spec: Spec<State> = {
  shows: [
    "layers", "num_tokens", "window", "num_heads", "head_dim", "d_latent", "rotary_dim",
    "bytes_per_number",
  ],
  answers: ["layers"],
  style,
  build,
  summary: saidOf,
};

export const render = (host: Host<State>): (() => void) => mount(host, spec);
export default { render };
