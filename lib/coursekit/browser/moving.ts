// Items that a reader moves. A mouse takes an item anywhere, a finger by its grip: beside the grip it
// scrolls the page.
import { h } from "./dom.ts";

/** An item under the pointer: what was saved when it was taken, and how far right it has gone. */
export interface Dragged<Saved> {
  item: HTMLElement;
  key: string;
  saved: Saved;
  right: number;
}

/** What a drag does; heights and places are those of the window. */
interface Moves<Saved> {
  save: () => Saved;
  move: (dragged: Dragged<Saved>, x: number, y: number) => void;
  undo: (saved: Saved) => void;
}

interface Drag<Saved> extends Dragged<Saved> {
  pointer: number;
  x: number;
  y: number;
  begun: boolean;
}

/** Pixels before a press becomes a drag; of the screen's edge. */
const SLACK = 5;
const EDGE = 48;

export function followPointer<Saved>(root: HTMLElement, moves: Moves<Saved>): void {
  let drag: Drag<Saved> | null = null;
  root.addEventListener("pointerdown", (event) => {
    const target = event.target as HTMLElement;
    const item = target.closest<HTMLElement>("[data-line]");
    const byHand = event.pointerType === "mouse" || target.closest(".ck-grip") !== null;
    if (!item || !byHand || event.button !== 0 || drag) return;
    const { pointerId: pointer, clientX: x, clientY: y } = event;
    drag = { item, key: item.dataset["line"]!, pointer, x, y, right: 0, saved: moves.save(), begun: false };
  });
  root.addEventListener("pointermove", (event) => {
    if (event.pointerId !== drag?.pointer) return;
    const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > SLACK;
    if (!drag.begun && !far) return;
    // The root takes the pointer: an item leaves the document when it changes its list.
    if (!drag.begun) root.setPointerCapture(drag.pointer);
    drag.begun = true;
    drag.item.classList.add("ck-dragged");
    drag.right = event.clientX - drag.x;
    moves.move(drag, event.clientX, event.clientY);
    if (event.clientY < EDGE) window.scrollBy(0, -EDGE / 4);
    if (event.clientY > window.innerHeight - EDGE) window.scrollBy(0, EDGE / 4);
  });
  const end = (event: PointerEvent) => {
    if (event.pointerId !== drag?.pointer) return;
    const { item, saved, begun } = drag;
    drag = null;
    item.classList.remove("ck-dragged");
    if (begun && event.type === "pointercancel") moves.undo(saved);
  };
  root.addEventListener("pointerup", end);
  root.addEventListener("pointercancel", end);
}

/** An item with its grip; its button hears of presses and keys. */
export function movable(
  key: string,
  content: Node[],
  press: () => void,
  typed: (event: KeyboardEvent) => void,
): HTMLElement {
  const line = h("button", { type: "button", class: "ck-line", onclick: press }, h("span", { class: "ck-letter" }, key), ...content);
  line.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.altKey && !event.metaKey) typed(event);
  });
  const grip = h("span", { class: "ck-grip", "aria-hidden": "true" }, "⠿");
  return h("li", { "data-line": key }, grip, line);
}

/** Marks the item that is selected, of those that are `used`; the tools are for it. */
export function showSelected(items: Map<string, HTMLElement>, used: (key: string) => boolean, selected: string): void {
  for (const [key, item] of items) {
    const line = item.querySelector("button")!;
    if (used(key)) line.setAttribute("aria-pressed", String(key === selected));
    else line.removeAttribute("aria-pressed");
  }
}

/** Lets items change their places, and shows in the time that motion may take where each came from. */
export function glideAfter(items: Iterable<HTMLElement>, change: () => void): void {
  const before = [...items].map((item): [HTMLElement, number] => [item, item.offsetTop]);
  change();
  for (const [item, top] of before) glide(item, top - item.offsetTop);
}

/** Gives a list these items; one that stands right is not touched, so that it keeps its focus. */
export function fill(list: HTMLElement, items: HTMLElement[]): void {
  items.forEach((item, i) => {
    if (list.children[i] !== item) list.insertBefore(item, list.children[i] ?? null);
  });
  while (list.children.length > items.length) list.lastElementChild!.remove();
}

function glide(item: HTMLElement, from: number): void {
  const duration = Number.parseFloat(getComputedStyle(item).getPropertyValue("--ck-motion"));
  if (from === 0 || !(duration > 0) || item.classList.contains("ck-dragged")) return;
  item.animate([{ transform: `translateY(${from}px)` }, { transform: "none" }], { duration });
}
