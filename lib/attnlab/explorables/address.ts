// A state has an address: `#figure=NAME`, and the parts of it that differ from the page's own.

type Figure = HTMLElement & { setState?(part: Record<string, unknown>): void };

const KEY = "figure";
let areNamed = false;

/** Gives each figure of the page the id that its address begins with: its kind, and which of several. */
export function nameFigures(): void {
  areNamed = true;
  const count = new Map<string, number>();
  for (const figure of document.querySelectorAll<Figure>("[data-explorable]")) {
    const kind = figure.dataset["explorable"]!;
    const place = (count.get(kind) ?? 0) + 1;
    count.set(kind, place);
    figure.id ||= `${KEY}=${place === 1 ? kind : `${kind}-${place}`}`;
  }
}

/** What stands behind `#` for a figure, in a state. */
export function hashOf(id: string, changed: Readonly<Record<string, unknown>>): string {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(changed)) parts.set(name, JSON.stringify(value));
  return [id, ...(parts.size > 0 ? [parts.toString()] : [])].join("&");
}

/** Brings the figure that the page's address names into its state, and into view. */
export function follow(): void {
  if (!areNamed) {
    nameFigures();
    // What else follows an address can find the figure now: a prediction may have shut it away.
    dispatchEvent(new HashChangeEvent("hashchange"));
    return;
  }
  const parts = new URLSearchParams(location.hash.slice(1));
  const figure = document.getElementById(`${KEY}=${parts.get(KEY)}`) as Figure | null;
  if (!figure) return;
  parts.delete(KEY);
  for (let fold = foldOf(figure); fold; fold = foldOf(figure)) fold.open = true;
  void customElements.whenDefined(figure.localName).then(() => {
    figure.setState?.(Object.fromEntries([...parts].map(([name, text]) => [name, parsed(text)])));
    figure.scrollIntoView();
  });
}

const foldOf = (figure: Element): HTMLDetailsElement | null => figure.closest("details:not([open])");

/** What an address says, which may be anything; the figure ignores what does not fit. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
