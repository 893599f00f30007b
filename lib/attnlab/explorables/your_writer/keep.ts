// A fable to take away: as text, and as a picture.
import { shown } from "../writer/words.ts";

/** A text as one reads it, without the mark at its beginning. */
export function fable(words: readonly string[], tokens: readonly number[]): string {
  const parts = shown(words, tokens).slice(1);
  return parts.map(({ text, isApart }) => (isApart ? ` ${text}` : text)).join("");
}

const [WIDTH, MARGIN, SIZE, LEADING] = [1080, 84, 40, 62];

/** Saves a text as a picture, in the colours and the type of an element. */
export async function savePicture(text: string, signature: string, of: Element): Promise<void> {
  const style = getComputedStyle(of);
  const colour = (name: string): string => style.getPropertyValue(`--attn-${name}`).trim();
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d")!;
  const type = `${SIZE}px ${colour("text-font")}`;
  pen.font = type;
  const lines = inLines(text, (line) => pen.measureText(line).width <= WIDTH - 2 * MARGIN);
  [canvas.width, canvas.height] = [WIDTH, 2 * MARGIN + (lines.length + 1) * LEADING];
  pen.fillStyle = colour("paper");
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.font = type; // a new size forgets it
  pen.fillStyle = colour("ink");
  lines.forEach((line, i) => pen.fillText(line, MARGIN, MARGIN + SIZE + i * LEADING));
  pen.font = `26px ${colour("ui-font")}`;
  pen.fillStyle = colour("marker");
  pen.fillText(signature, MARGIN, canvas.height - MARGIN + 12);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob!);
  link.download = "fable.png";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** A text in lines that fit. */
export function inLines(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
    if (lines.length > 0 && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
