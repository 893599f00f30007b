// An exercise at a figure: the explorable's answer ("query = [1.0, 0.5]") goes into the reader's code,
// and what was answered comes back into the figure.

/** An explorable bound to the exercise, as its custom element shows itself to us. */
type Explorable = HTMLElement & { setState?: (state: Record<string, unknown>) => void };

type Values = Record<string, unknown>;

interface Bound {
  /** The reader's variable → the field of the explorable's state that it restores. */
  binds: Record<string, string>;
  answered: (code: string, values: Values) => void;
  /** Whether the figure shows something else than what was answered. */
  moved: (isMoved: boolean) => void;
}

/**
 * The contract with explorables: an "answer" event to us, `setState` from us. Returns what shows
 * the values of an answer in the figure again.
 */
export function bindFigure(block: HTMLElement, { binds, answered, moved }: Bound): (values: Values) => void {
  block.addEventListener("answer", (event) => {
    const { code, values } = (event as CustomEvent<{ code: string; values: Values }>).detail;
    answered(code, values);
    moved(false);
  });
  block.addEventListener("statechange", () => moved(true));
  return (values) => {
    const state = Object.entries(binds).flatMap(([name, field]) => (values[name] === undefined ? [] : [[field, values[name]]]));
    const inside = block.querySelectorAll<Explorable>(".ck-explorable *");
    const figure = [...inside].find((element) => element.localName.includes("-"));
    if (!figure || state.length === 0) return;
    // The figure's script may come after ours.
    void customElements.whenDefined(figure.localName).then(() => {
      figure.setState?.(Object.fromEntries(state));
      moved(false);
    });
  };
}

/** Returns `code` in which the statements of `answer` replace the assignments to the same names. */
export function fillAnswer(code: string, answer: string): string {
  let lines = code.replace(/\n+$/, "").split("\n");
  // A statement goes on until the next assignment begins: a matrix has a line for each row.
  for (const statement of answer.trim().split(/\n(?=[A-Za-z_]\w*\s*=)/)) {
    const name = assigned(statement);
    const at = name === null ? -1 : lines.findIndex((l) => assigned(l) === name);
    const added = statement.split("\n");
    if (at < 0) lines = [...lines, ...added];
    else lines.splice(at, extent(lines, at), ...added);
  }
  return `${lines.join("\n")}\n`;
}

/** The name that an unindented line assigns to. */
function assigned(line: string): string | null {
  return /^([A-Za-z_]\w*)\s*=(?!=)/.exec(line)?.[1] ?? null;
}

/** How many lines the statement takes that starts at `at`: it goes on while a bracket is open. */
function extent(lines: string[], at: number): number {
  let open = 0;
  for (let i = at; i < lines.length; i++) {
    const code = lines[i]!.replace(/#.*/, "");
    open += (code.match(/[([{]/g) ?? []).length - (code.match(/[)\]}]/g) ?? []).length;
    if (open <= 0) return i - at + 1;
  }
  return 1; // never closed: only the line itself is surely meant
}
