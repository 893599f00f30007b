// Drags the lines of a Parsons problem. A mouse takes a line anywhere, a finger by its grip: beside
// the grip it scrolls the page.

/** What a drag may do; `null` as a place is outside the answer. */
interface Lines {
  depth: (letter: string) => number;
  put: (letter: string, place: number | null, depth: number) => void;
  save: () => string[];
  undo: (placed: string[]) => void;
}

interface Drag {
  item: HTMLElement;
  letter: string;
  pointer: number;
  x: number;
  y: number;
  depth: number;
  saved: string[];
  begun: boolean;
}

/** Pixels before a press becomes a drag; of one level of indentation; of the screen's edge. */
const SLACK = 5;
const LEVEL = 28;
const EDGE = 48;

export function followPointer(root: HTMLElement, answer: HTMLElement, lines: Lines): void {
  let drag: Drag | null = null;
  root.addEventListener("pointerdown", (event) => {
    const target = event.target as HTMLElement;
    const item = target.closest<HTMLElement>("[data-line]");
    const byHand = event.pointerType === "mouse" || target.closest(".ck-grip") !== null;
    if (!item || !byHand || event.button !== 0 || drag) return;
    const letter = item.dataset["line"]!;
    const { pointerId: pointer, clientX: x, clientY: y } = event;
    drag = { item, letter, pointer, x, y, depth: lines.depth(letter), saved: lines.save(), begun: false };
  });
  root.addEventListener("pointermove", (event) => {
    if (event.pointerId !== drag?.pointer) return;
    const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > SLACK;
    if (!drag.begun && !far) return;
    // The list's own node takes the pointer: a line leaves the document when it changes its list.
    if (!drag.begun) root.setPointerCapture(drag.pointer);
    drag.begun = true;
    drag.item.classList.add("ck-dragged");
    const depth = Math.max(0, drag.depth + Math.round((event.clientX - drag.x) / LEVEL));
    lines.put(drag.letter, placeAt(root, answer, drag.item, event.clientY), depth);
    if (event.clientY < EDGE) window.scrollBy(0, -EDGE / 4);
    if (event.clientY > window.innerHeight - EDGE) window.scrollBy(0, EDGE / 4);
  });
  const end = (event: PointerEvent) => {
    if (event.pointerId !== drag?.pointer) return;
    const { item, saved, begun } = drag;
    drag = null;
    item.classList.remove("ck-dragged");
    if (begun && event.type === "pointercancel") lines.undo(saved);
  };
  root.addEventListener("pointerup", end);
  root.addEventListener("pointercancel", end);
}

/** The place in the answer at this height, counted without the dragged line; null above it. */
function placeAt(root: HTMLElement, answer: HTMLElement, item: HTMLElement, y: number): number | null {
  const height = y - root.getBoundingClientRect().top; // offsets do not see that a line glides
  if (height < answer.offsetTop) return null;
  const others = [...answer.children].filter((other) => other !== item) as HTMLElement[];
  return others.filter((other) => other.offsetTop + other.offsetHeight / 2 < height).length;
}
