// Choose the kind of each layer: areas are bytes of the caches, lines what the last output reaches.
import { h, s, set } from "../ui/dom.ts";
import { button } from "../ui/fields.ts";
import { explorable, type Built, type Common, type Context } from "../ui/frame.ts";
import { bytesOfToken, KINDS, reaches, sizes, tokensKept } from "./arithmetic.ts";
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
const [ROW, LINE] = [32, 8]; // the height of a layer that keeps all heads, and of the line below it
const grouped = (n: number): string => n.toLocaleString("en");

/** The state without what an address may have that does not fit. */
const within = (state: State): State => ({
  ...state,
  layers: state.layers.map((kind) => (kind in LABELS ? kind : "global")),
});

/** One layer: its kind, an area for what its cache holds, and which of its inputs reach the output. */
class Layer {
  readonly element: HTMLElement;
  private readonly select: HTMLSelectElement;
  private readonly kept = s("rect", { class: "kept" });
  private readonly reached = s("rect", { class: "reached", y: ROW + 3, height: LINE - 3 });
  private readonly size = h("td");
  private readonly count = h("td", { class: "spare" });

  constructor(index: number, count: number, choose: (kind: string) => void) {
    const options = KINDS.map((kind) => h("option", { value: kind }, LABELS[kind]!));
    this.select = h("select", { "aria-label": `Layer ${index + 1}` }, ...options);
    this.select.addEventListener("change", () => choose(this.select.value));
    const viewBox = `0 0 ${count} ${ROW + LINE}`;
    const picture = s("svg", { viewBox, preserveAspectRatio: "none", "aria-hidden": "true" });
    picture.append(s("rect", { class: "all", width: count, height: ROW }), this.kept, this.reached);
    const head = h("th", { scope: "row" }, h("span", { class: "number" }, String(index + 1)), this.select);
    this.element = h("tr", {}, head, h("td", { class: "picture" }, picture), this.size, this.count);
  }

  update(state: State, kind: string, reach: number): void {
    const [kept, bytes, count] = [tokensKept(state, kind), bytesOfToken(state, kind), state.num_tokens];
    const height = (ROW * bytes) / bytesOfToken(state, "global");
    this.select.value = kind;
    set(this.kept, { style: `x:${count - kept}px;y:${ROW - height}px;width:${kept}px;height:${height}px` });
    set(this.reached, { style: `x:${count - reach}px;width:${reach}px` });
    this.size.textContent = grouped(kept * bytes);
    this.count.textContent = String(reach);
  }
}

function build(context: Context<State>): Built<State> {
  const { layers, num_tokens: count, num_heads, window } = context.state();
  const rows = layers.map(
    (_, i) =>
      new Layer(i, count, (kind) => {
        context.change({ layers: context.state().layers.map((old, j) => (j === i ? kind : old)) });
      }),
  );
  const all = KINDS.map((kind) =>
    button(`All ${kind}`, () => context.change({ layers: layers.map(() => kind) })),
  );
  const heads = ["layer", `${count} tokens, the newest at the right`, "bytes", "reached"].map((head, i) =>
    h("th", { scope: "col", class: i === 3 && "spare" }, head),
  );
  const table = h("table", { class: "stack" }, h("caption", { class: "hidden" }, "Layers, the last one first"));
  table.append(
    h("thead", {}, h("tr", {}, ...heads)),
    // The last layer stands at the top, as in other figures of stacks.
    h("tbody", {}, ...rows.map(({ element }) => element).reverse()),
  );
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
      const now = within(state);
      const reach = reaches(now);
      rows.forEach((row, i) => row.update(now, now.layers[i]!, reach[i]!));
      said.textContent = saidOf(now);
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
  build,
  summary: (state) => saidOf(within(state)),
});
