// The writer: a text that grows word by word, where each word looks, and what may come next. It
// takes its words from any source, such as the model in the page or a reader's own functions.
import { randomNumbers } from "../random.ts";
import { h, set } from "../ui/dom.ts";
import { button, range } from "../ui/fields.ts";
import { barsOf } from "./bars.ts";
import { type Head, headsOf, sharpest } from "./heads.ts";
import { looked } from "./sentence.ts";
import { Sheet } from "./sheet.ts";
import { END, probabilities, type Reading, type Source } from "./source.ts";
import { isWord, shown, spoken } from "./words.ts";

/** How a text begins. */
export interface Beginning {
  readonly label: string;
  readonly tokens: readonly number[];
  /** How many of them were given; undefined for all. */
  readonly given?: number | undefined;
  /** The head that is shown; undefined follows the sharpest. */
  readonly head?: Head | undefined;
  /** Where its random numbers begin. */
  readonly seed: number;
  /** What is said besides, while the text has its given words only. */
  readonly note?: string;
}

export interface Settings {
  readonly temperature: number;
  readonly head: Head | undefined;
}

/** Milliseconds: from word to word; to see which bar was taken; before a sentence is spoken. */
const [PACE, PICKED, QUIET] = [460, 130, 700];
const [ENDED, FULL] = ["The model wrote its end mark.", "The text is as long as the model can read."];
const AFTER = " Tap a word to see where it looked, or choose another one there: the model goes on from yours.";

const isStill = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Panel {
  readonly element = h("div", { class: "writer" });
  tokens: readonly number[] = [];
  private source: Source;
  private settings: Settings;
  private readonly changed: (settings: Settings) => void;
  private beginning: Beginning | undefined;
  private readings: readonly Reading[] = [];
  /** How many words were given, and how often this text has begun. */
  private given = 0;
  private times = 0;
  /** The word that looks back; undefined for the newest. */
  private focus: number | undefined;
  private isPlaying = !isStill();
  /** Why the text goes on no further; "" while it does. */
  private end = "";
  private isSeen = true;
  /** Rises with each change of the text: an answer to an older one is dropped. */
  private turn = 0;
  private draw = randomNumbers(0);
  /** The random number of the next word: it stays when a word on its way does not come. */
  private drawn: number | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The turn in which a whole text is being read; undefined otherwise. */
  private reading: number | undefined;
  private speaking: ReturnType<typeof setTimeout> | undefined;
  private readonly chips: [Beginning, HTMLButtonElement][];
  private readonly sentence = h("p", { class: "say" });
  private readonly aloud = h("p", { class: "hidden", "aria-live": "polite" });
  private readonly status = h("p", { class: "status", role: "status" });
  private readonly play = button("", () => this.pressPlay());
  private readonly sheet = new Sheet((at) => this.look(at), (by) => this.lookBy(by));
  private readonly bars = barsOf((token) => void this.force(token));
  private readonly heat = range("Temperature", [0, 2, 0.1], (temperature) => this.change({ temperature }), {
    text: (temperature) => temperature.toFixed(1),
  });
  private readonly heads: ReturnType<typeof headsOf>;
  private readonly seen = new IntersectionObserver((entries) => this.see(entries.at(-1)!.isIntersecting));

  /** @param changed - called when a reader has chosen another temperature or head */
  constructor(source: Source, beginnings: readonly Beginning[], settings: Settings, changed: Panel["changed"] = () => {}) {
    [this.source, this.settings, this.changed] = [source, settings, changed];
    this.chips = beginnings.map((each) => [each, button(each.label, () => this.choose(each))]);
    this.heads = headsOf(source.heads, (head) => this.change({ head }));
    this.element.append(...this.parts());
    this.seen.observe(this.sheet.element);
  }

  private parts(): HTMLElement[] {
    const lead = h("span", { class: "lead" }, "Begin with");
    const buttons = this.chips.map(([, chip]) => chip);
    const chips = h("div", { class: "chips flow", role: "group", "aria-label": "How it begins" }, lead, ...buttons);
    const one = button("One word", () => this.pressOne());
    const line = h("div", { class: "line" }, this.sentence, h("div", { class: "play flow" }, this.play, one));
    this.bars.element.append(this.heat.element);
    const side = h("div", { class: "side" }, this.bars.element, this.heads.element);
    return [chips, h("div", {}, line, this.sheet.element, this.status), side, this.aloud];
  }

  /** Begins a text, and writes on unless nothing may move. */
  async begin(beginning: Beginning): Promise<void> {
    if (beginning !== this.beginning || this.tokens.length === 0) this.times = 0;
    if (beginning !== this.beginning && (this.beginning || beginning.head)) {
      this.settings = { ...this.settings, head: beginning.head };
      this.changed(this.settings);
    }
    this.beginning = beginning;
    this.draw = randomNumbers(beginning.seed + this.times++);
    this.drawn = undefined;
    await this.readAll(beginning.tokens, beginning.given ?? beginning.tokens.length);
  }

  /** Goes on with the words of another source; the text stays. */
  async use(source: Source): Promise<void> {
    this.source = source;
    if (this.tokens.length === 0 && this.beginning) return this.begin(this.beginning);
    await this.readAll(this.tokens, this.given, this.focus);
  }

  /** Takes over what was set from outside. */
  set(settings: Settings): void {
    this.settings = settings;
    this.show(false);
  }

  /** Says something on the source, such as that it is on its way; "" for nothing. */
  tell(text: string): void {
    this.status.textContent = text;
  }

  /** Stops after the word that is shown. */
  pause(): void {
    this.turn++;
    this.playing(false);
  }

  /** Begins once more as the last text did, with other random numbers. */
  another(): void {
    this.playing(!isStill());
    if (this.beginning) void this.begin(this.beginning);
  }

  stop(): void {
    this.turn++;
    this.seen.disconnect();
    clearTimeout(this.timer);
    clearTimeout(this.speaking);
  }

  // The text ------------------------------------------------------------------------------------

  /** Takes a text over with what the source reads in it. */
  private async readAll(tokens: readonly number[], given: number, focus?: number): Promise<void> {
    clearTimeout(this.timer); // a word in the meantime would take the text's place
    const turn = (this.reading = ++this.turn);
    const readings = await this.asked(() => this.source.read(tokens, 0));
    if (turn !== this.turn) return;
    this.reading = undefined;
    if (!readings) return;
    this.end = "";
    [this.tokens, this.readings, this.given, this.focus] = [tokens, readings, given, focus];
    this.show(false);
    this.schedule(this.beginning?.note ? 7 * PACE : PICKED);
  }

  /** What a source answers; where it fails, its message is told, and the writing stops. */
  private async asked<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await ask();
    } catch (error) {
      this.playing(false);
      this.tell((error as Error).message);
      return undefined;
    }
  }

  private schedule(wait = PACE): void {
    clearTimeout(this.timer);
    if (this.isPlaying && this.isSeen && !this.end) this.timer = setTimeout(() => void this.advance(), wait);
  }

  /** Writes the next word. */
  private async advance(): Promise<void> {
    const [turn, reading] = [this.turn, this.readings.at(-1)];
    if (!reading || this.end || !this.element.isConnected) return;
    const { temperature } = this.settings;
    const draw = (this.drawn ??= this.draw());
    const token = await this.asked(() => this.source.choose(reading, temperature, draw, this.tokens));
    if (turn === this.turn && token !== undefined) await this.take(token);
  }

  private async take(token: number): Promise<void> {
    const turn = ++this.turn;
    const tokens = [...this.tokens, token];
    const isLast = token === END || tokens.length >= this.source.most;
    this.bars.pick(token);
    const seen = new Promise((resolve) => setTimeout(resolve, isStill() ? 0 : PICKED));
    const read = isLast ? [] : await this.asked(() => this.source.read(tokens, tokens.length - 1));
    await seen;
    if (turn !== this.turn || !read) return;
    this.drawn = undefined;
    if (isLast) {
      this.end = token === END ? ENDED : FULL;
      this.playing(false);
      this.speak(this.end);
    } else [this.tokens, this.readings] = [tokens, [...this.readings, ...read]];
    this.show(true);
    this.schedule();
  }

  /** Goes on with a word that the reader chooses, at the word that looks back. */
  private async force(token: number): Promise<void> {
    this.cutHere();
    await this.take(token);
    if (!this.isPlaying) this.speakSentence();
  }

  /** Drops what comes after the word that looks back. */
  private cutHere(): void {
    if (this.focus === undefined) return;
    const count = this.focus + 1;
    [this.tokens, this.readings] = [this.tokens.slice(0, count), this.readings.slice(0, count)];
    [this.given, this.focus, this.end] = [Math.min(this.given, count), undefined, ""];
  }

  // What readers do -----------------------------------------------------------------------------

  /** Begins a text unasked, unless the reader wants no motion. */
  start(beginning: Beginning): void {
    this.playing(!isStill());
    void this.begin(beginning);
  }

  private choose(beginning: Beginning): void {
    if (!this.source.isRecorded) this.start(beginning);
  }

  private pressPlay(): void {
    this.playing(!this.isPlaying);
    if (!this.isPlaying) {
      this.dropWord();
      return this.show(false);
    }
    if (this.end) return this.another();
    this.focus = undefined;
    this.show(false);
    this.schedule(0);
  }

  /** Lets a word on its way not come; a text that is being read still does. */
  private dropWord(): void {
    if (this.reading !== this.turn) this.turn++;
  }

  private async pressOne(): Promise<void> {
    this.playing(false);
    this.focus = undefined;
    if (this.end && this.beginning) await this.begin(this.beginning);
    else await this.advance();
    this.speakSentence();
  }

  private look(at: number): void {
    if (this.readings.length === 0) return; // the text is still being read
    this.playing(false);
    this.dropWord();
    this.focus = at;
    this.show(false);
    this.speakSentence();
  }

  private lookBy(step: number): void {
    const last = this.tokens.length - 1;
    if (step === 0) this.focus = last;
    this.look(Math.min(last, Math.max(0, (this.focus ?? last) + step)));
  }

  private change(part: Partial<Settings>): void {
    this.settings = { ...this.settings, ...part };
    this.show(false);
    this.speakSentence();
    this.changed(this.settings);
  }

  private playing(isOn: boolean): void {
    this.isPlaying = isOn;
    if (!isOn) clearTimeout(this.timer);
    this.play.textContent = isOn ? "Pause" : this.end ? "Tell another" : "Write on";
  }

  private see(isSeen: boolean): void {
    this.isSeen = isSeen;
    if (isSeen) this.schedule();
    else clearTimeout(this.timer);
  }

  // The picture ---------------------------------------------------------------------------------

  private show(isNew: boolean): void {
    const { words, isRecorded } = this.source;
    const at = this.focus ?? this.tokens.length - 1;
    const reading = this.readings[at];
    if (!reading) return;
    const texts = shown(words, this.tokens);
    const areWords = this.tokens.map((token) => isWord(words[token]!));
    const head = this.settings.head ?? sharpest(reading, areWords);
    const weights = reading.weights[head[0]]?.[head[1]];
    const shares = probabilities(reading, this.settings.temperature);
    this.sheet.write(texts, this.given, this.end !== "");
    this.sheet.look(at, weights, isNew && !isStill());
    const where = spoken(words, this.tokens[at]!, texts[at]!.text);
    const title = this.focus === undefined ? "What comes next? Choose for it." : `After ${where}: choose another word.`;
    this.bars.update(words, shares, isRecorded ? "What comes next" : title, isRecorded ?? false);
    this.heads.update(reading, areWords, head, this.settings.head === undefined);
    this.heat.show(this.settings.temperature);
    const isGiven = this.focus === undefined && this.tokens.length === this.given;
    const note = isGiven ? (this.beginning?.note ?? "") : "";
    const text = looked(words, this.tokens, texts, at, weights, shares, note);
    this.sentence.replaceChildren(...(this.end && this.focus === undefined ? [this.end + AFTER] : text));
    this.playing(this.isPlaying);
    for (const [beginning, chip] of this.chips) {
      // Not `disabled`: the one that has the focus keeps it.
      set(chip, { "aria-pressed": String(beginning === this.beginning), "aria-disabled": isRecorded && "true" });
    }
  }

  private speakSentence(): void {
    this.speak(this.sentence.textContent);
  }

  /** Tells screen readers, once nothing has changed for a moment. */
  private speak(text: string): void {
    clearTimeout(this.speaking);
    this.speaking = setTimeout(() => (this.aloud.textContent = text), QUIET);
  }
}
