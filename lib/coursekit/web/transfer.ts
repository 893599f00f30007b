// Takes the reader's work out of the browser, and in again: as a file of progress, and as the
// chapter's notebook. Loaded when it is asked for.
import { button, h, liveRegion } from "./dom.ts";
import { fill, type Answered, type Notebook } from "./hand_in.ts";
import { merged, readProgress, written } from "./progress_file.ts";
import { CELL, type Store } from "./store.ts";

/** What the page gives. */
export interface Kit {
  course: string;
  store: Store;
}

export interface TransferModule {
  fileControls(place: HTMLElement, kit: Kit): void;
  handIn(address: string, work: Answered[]): Promise<string>;
}

declare global {
  interface Window {
    coursekitTransfer?: TransferModule;
  }
}

const LARGEST = 20_000_000; // bytes; a file of all exercises has some hundred thousand
const NOT_HERE = "The notebook could not be fetched. Open this page from its website, check the connection and try again.";

/** Puts *Save to a file* and *Read from a file* into a place. */
function fileControls(place: HTMLElement, kit: Kit): void {
  const said = liveRegion("ck-said");
  const say = (text: string) => (said.textContent = text);
  const input = h("input", { type: "file", accept: ".json,application/json", hidden: true, "aria-label": "File" });
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file) void taken(file, kit).then(say);
    input.value = "";
  });
  const save = () => {
    const exercises = kit.store.all();
    offer(`${kit.course}-progress.json`, written(kit.course, exercises), "application/json");
    const answered = exercises.filter(isExercise).length;
    say(answered ? `Saved: ${counted(answered)}.` : "Saved; there are no answers yet.");
  };
  const buttons = [button("Save to a file", "ck-plain", save), button("Read from a file", "ck-plain", () => input.click())];
  place.replaceChildren(h("span", { class: "ck-forget" }, ...buttons, input), said);
}

/** Merges a file into what is here; returns what to say of it. */
async function taken(file: File, { course, store }: Kit): Promise<string> {
  if (file.size > LARGEST) return "This is not a file of progress: it is too large. Choose one that was saved here.";
  const read = readProgress(await file.text(), course);
  if ("problem" in read) return read.problem;
  const mine = new Map(store.all());
  let changed = 0;
  for (const [id, theirs] of read) {
    const before = mine.get(id);
    const after = merged(before, theirs);
    if (JSON.stringify(before) === JSON.stringify(after)) continue;
    store.put(id, after);
    if (isExercise([id])) changed++;
  }
  store.tell();
  return `Read: ${counted(read.filter(isExercise).length)}, ${changed} of them new or changed here. Later answers were kept.`;
}

/** Offers the chapter's notebook with the answers; returns what to say of it. */
async function handIn(address: string, work: Answered[]): Promise<string> {
  let notebook: Notebook;
  try {
    const reply = await fetch(address);
    if (!reply.ok) return NOT_HERE;
    notebook = (await reply.json()) as Notebook;
  } catch {
    return NOT_HERE; // offline, or a page opened from a folder
  }
  const made = fill(notebook, work);
  if (made.filled.length === 0) return "There is no answer on this page yet.";
  const name = new URL(address).pathname.split("/").at(-1)!;
  offer(name, `${JSON.stringify(made.notebook, null, 1)}\n`, "application/x-ipynb+json");
  const of = work.length;
  const said = `${name} has your answers to ${made.filled.length} of ${of} exercises. Hand it in as your course asks for it.`;
  const older = made.older.length;
  if (older === 0) return said;
  const changed = older === 1 ? "1 exercise has" : `${older} exercises have`;
  return `${said} ${changed} changed since you answered: check your answers on this page first, and press the button again.`;
}

/** Has the browser save a text as a file. */
function offer(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // ms; the download has begun by then
}

/** Not a code cell: the reader's code in cells goes along uncounted. */
const isExercise = ([id]: [string, ...unknown[]]) => !id.startsWith(CELL);
const counted = (count: number) => `${count} exercise${count === 1 ? "" : "s"}`;

window.coursekitTransfer = { fileControls, handIn };
