// Choose the kind of each layer: areas are bytes of the caches, lines what the last output reaches.
import { h, s, set } from "../ui/dom.ts";
import { button } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { line, tableOf } from "../ui/value_table.ts";
import { bytesOfToken, KINDS, reaches, sizes, tokensKept, type Stack } from "./arithmetic.ts";
import style from "./layer_stack.css";

export interface State extends Common, Stack {}

const labelOf = (kind: string): string => (kind === "shared" ? "shared head" : kind);
const [ROW, LINE] = [32, 8]; // the height of a layer that keeps all heads, and of the line below it
const grouped = (n: number): string => n.toLocaleString("en");

/** One layer: its kind, an area for what its cache holds, and which of its inputs reach the output. */
function layerOf(index: number, count: number, choose: (kind: string) => void) {
  const options = KINDS.map((kind) => h("option", { value: kind }, labelOf(kind)));
  const select = h("select", { "aria-label": `Layer ${index + 1}` }, ...options);
  select.addEventListener("change", () => choose(select.value));
  const kept = s("rect", { class: "kept" });
  const reached = s("rect", { class: "reached", y: ROW + 3, height: LINE - 3 });
  const [size, tokens] = [h("td"), h("td", { class: "spare" })];
  const viewBox = `0 0 ${count} ${ROW + LINE}`;
  const picture = s("svg", { viewBox, preserveAspectRatio: "none", "aria-hidden": "true" });
  picture.append(s("rect", { class: "all", width: count, height: ROW }), kept, reached);
  const element = line(h("span", { class: "number" }, String(index + 1)), h("td", {}, picture), size, tokens);
  element.firstElementChild!.append(select);
  return {
    element,
    update(state: State, kind: string, reach: number): void {
      const [held, bytes] = [tokensKept(state, kind), bytesOfToken(state, kind)];
      const height = (ROW * bytes) / bytesOfToken(state, "global");
      select.value = kind;
      set(kept, { style: `x:${count - held}px;y:${ROW - height}px;width:${held}px;height:${height}px` });
      set(reached, { style: `x:${count - reach}px;width:${reach}px` });
      size.textContent = grouped(held * bytes);
      tokens.textContent = String(reach);
    },
  };
}

function build(context: Context<State>): Built<State> {
  const { layers, num_tokens: count, num_heads, window } = context.state();
  const choose = (at: number, kind: string): void =>
    context.change({ layers: context.state().layers.map((old, i) => (i === at ? kind : old)) });
  const rows = layers.map((_, i) => layerOf(i, count, (kind) => choose(i, kind)));
  const all = KINDS.map((kind) => button(`All ${kind}`, () => context.change({ layers: layers.map(() => kind) })));
  const heads = ["layer", `${count} tokens, the newest at the right`, "bytes", { text: "reached", spare: true }];
  // The last layer stands at the top, as in other figures of stacks.
  const body = h("tbody", {}, ...rows.map(({ element }) => element).reverse());
  const table = tableOf("Layers, the last one first", heads, body);
  table.className = "stack";
  const said = h("p", { class: "said", role: "status" });
  return {
    parts: [
      h("div", { class: "buttons presets", role: "group", "aria-label": "Start from" }, ...all),
      table,
      said,
      h("p", { class: "shape" }, `Global: keys and values of all tokens. Local: those of ${window} tokens. Shared head: one head of them, for all ${num_heads} heads of queries. Latent: a short vector for each token, from which every head makes its own.`),
      h("p", { class: "shape" }, "Areas: what each cache holds. Lines: the inputs of a layer that the last output depends on."),
    ],
    update(state) {
      const reach = reaches(state);
      rows.forEach((row, i) => row.update(state, state.layers[i]!, reach[i]!));
      said.textContent = saidOf(state);
    },
  };
}

function saidOf(state: State): string {
  const total = sizes(state).reduce((sum, size) => sum + size, 0);
  const whole = state.layers.length * state.num_tokens * bytesOfToken(state, "global");
  const share = ((100 * total) / whole).toFixed(0);
  return `${grouped(total)} bytes in all, ${share} % of what global layers keep. The last output can depend on ${reaches(state)[0]} of ${state.num_tokens} tokens.`;
}

export default explorable<State>({
  name: "A stack of layers and its caches",
  shows: [
    "layers", "num_tokens", "window", "num_heads", "head_dim", "d_latent", "rotary_dim",
    "bytes_per_number",
  ], // prettier-ignore
  answers: ["layers"],
  style,
  within: (state) => ({ ...state, layers: state.layers.map((kind) => (KINDS.includes(kind) ? kind : "global")) }),
  build,
  summary: saidOf,
});
