// Puts an explorable's answer ("query = [1.0, 0.5]") into the reader's code.

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
