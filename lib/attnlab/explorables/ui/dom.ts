// Elements in one expression.

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
type Child = Node | string;

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  set(element, attributes);
  element.append(...children);
  return element;
}

/** Sets attributes; `false` and `undefined` remove one, `true` makes it empty. */
export function set(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** An HTML element. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  return fill(element, attributes, children);
}

/** Where a pointer is in a drawing, in the units of its view box. */
export function pointIn(svg: SVGSVGElement, { clientX, clientY }: MouseEvent): readonly [number, number] {
  const [box, view] = [svg.getBoundingClientRect(), svg.viewBox.baseVal];
  const x = view.x + ((clientX - box.left) * view.width) / box.width;
  return [x, view.y + ((clientY - box.top) * view.height) / box.height];
}

/** Follows a pointer from a press on an element until it is let go, unless `press` says false. */
export function follow(
  element: HTMLElement | SVGElement,
  press: (event: PointerEvent) => false | void,
  move: (event: PointerEvent) => void,
): void {
  element.onpointerdown = (event) => {
    if (event.button !== 0 || press(event) === false) return;
    element.setPointerCapture(event.pointerId);
    event.preventDefault();
  };
  element.onpointermove = (event) => {
    if (element.hasPointerCapture(event.pointerId)) move(event);
  };
}

/** Where the arrow keys go in a grid: rows and columns. */
export const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};
