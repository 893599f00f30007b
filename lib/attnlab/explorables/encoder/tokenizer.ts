// Text to pieces of words (WordPiece), as BERT's tokenizer for lower-case English makes them.

const MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] as const;
/** A longer word is unknown as a whole. */
const LONGEST = 100;

const CONTROL = /\p{C}/u;
const SPACE = /[\t\n\r\p{White_Space}]/u;
const PUNCTUATION = /[!-/:-@[-`{-~\p{P}]/u;
const ACCENT = /\p{Mn}/gu;
const IDEOGRAPH =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/u;

export interface Encoded {
  readonly tokens: readonly string[];
  readonly ids: readonly number[];
}

export class Tokenizer {
  private readonly numbers: ReadonlyMap<string, number>;

  /** @param vocabulary - all pieces, in the order of their numbers */
  constructor(vocabulary: readonly string[]) {
    this.numbers = new Map(vocabulary.map((piece, number) => [piece, number]));
  }

  /** The pieces of a text with [CLS] before and [SEP] after them. */
  encode(text: string): Encoded {
    const parts = text.split(/(\[(?:PAD|UNK|CLS|SEP|MASK)\])/);
    const inside = parts.flatMap((part) =>
      (MARKS as readonly string[]).includes(part) ? [part] : words(part).flatMap((word) => this.pieces(word)),
    );
    const tokens = ["[CLS]", ...inside, "[SEP]"];
    const ids = tokens.map((token) => this.numbers.get(token)!);
    return { tokens, ids };
  }

  /** The longest known beginning, again and again; a word with an unknown rest is unknown. */
  private pieces(word: string): string[] {
    const characters = [...word];
    if (characters.length > LONGEST) return ["[UNK]"];
    const found: string[] = [];
    let start = 0;
    while (start < characters.length) {
      const known = (end: number): string | undefined => {
        const piece = (start > 0 ? "##" : "") + characters.slice(start, end).join("");
        return this.numbers.has(piece) ? piece : undefined;
      };
      let end = characters.length;
      while (end > start && known(end) === undefined) end--;
      if (end === start) return ["[UNK]"];
      found.push(known(end)!);
      start = end;
    }
    return found;
  }
}

/** Words and signs of punctuation, in lower case and without accents. */
function words(text: string): string[] {
  const found: string[] = [];
  let word = "";
  const end = (): void => {
    if (word) found.push(word);
    word = "";
  };
  for (const character of plain(text)) {
    if (SPACE.test(character)) end();
    else if (PUNCTUATION.test(character)) {
      end();
      found.push(character);
    } else word += character;
  }
  end();
  return found;
}

function plain(text: string): string {
  let clean = "";
  for (const character of text) {
    if (/[\t\n\r]/.test(character)) clean += " ";
    else if (character === "\ufffd" || CONTROL.test(character)) continue;
    else if (SPACE.test(character)) clean += " ";
    else clean += IDEOGRAPH.test(character) ? ` ${character} ` : character;
  }
  // Letter by letter: as a whole, a Greek word would end in another sigma.
  const bare = clean.normalize("NFD").replace(ACCENT, "");
  return Array.from(bare, (letter) => letter.toLowerCase()).join("");
}
