// Controls with a label in words that show their value: number fields, a slider, a switch.
import { clamp, tidy } from "../math.ts";
import { h, set } from "./dom.ts";
import { icon, type Role } from "./marks.ts";

/** A control that follows the state. */
export interface Control<V> {
  element: HTMLElement;
  show(value: V): void;
}

const PLACES = ["first", "second", "third", "fourth"];
const FURTHEST = 9;

/** Number fields for the components of one vector. */
export function vectorFields(
  name: string,
  role: Role,
  width: number,
  change: (value: number[]) => void,
): Control<readonly number[]> {
  const inputs = Array.from({ length: width }, (_, i) =>
    h("input", {
      type: "number",
      step: 0.1,
      min: -FURTHEST,
      max: FURTHEST,
      inputmode: "decimal",
      "aria-label": `${name}, ${PLACES[i] ?? `${i + 1}th`} component`,
    }),
  );
  let current: readonly number[] = [];
  const show = (value: readonly number[]): void => {
    current = value;
    inputs.forEach((input, i) => {
      // Do not overwrite unfinished input such as "1." or "-".
      if (Number(input.value) !== value[i] || input.value === "") input.value = String(value[i]);
    });
  };
  inputs.forEach((input, i) => {
    input.addEventListener("input", () => {
      if (input.value === "" || !Number.isFinite(input.valueAsNumber)) return;
      const typed = tidy(clamp(input.valueAsNumber, -FURTHEST, FURTHEST));
      change(current.map((x, j) => (j === i ? typed : x)));
    });
    input.addEventListener("blur", () => (input.value = String(current[i])));
  });
  const label = h("span", { class: `name ${role}` }, icon(role), name);
  return { element: h("div", { class: "vector", role: "group", "aria-label": name }, label, ...inputs), show };
}

/** A switch with its label. */
export function toggle(label: string, change: (on: boolean) => void): Control<boolean> {
  const box = h("input", { type: "checkbox" });
  box.addEventListener("change", () => change(box.checked));
  return { element: h("label", { class: "toggle" }, box, label), show: (on) => (box.checked = on) };
}

/** A slider over positions 0 … `steps`; `show` takes the meaning of a position in words. */
export function slider(
  label: string,
  ends: readonly [string, string],
  steps: number,
  change: (position: number) => void,
): Control<{ position: number; text: string }> {
  const input = h("input", { type: "range", min: 0, max: steps, step: 1, "aria-label": label });
  const value = h("output");
  input.addEventListener("input", () => change(input.valueAsNumber));
  const scale = h("span", { class: "ends", "aria-hidden": "true" }, ...ends.map((e) => h("span", {}, e)));
  const head = h("span", { class: "head" }, h("span", { class: "name" }, label), value);
  return {
    element: h("div", { class: "slider" }, head, input, scale),
    show({ position, text }) {
      input.value = String(position);
      set(input, { "aria-valuetext": text });
      value.textContent = text;
    },
  };
}

/** What a slider over numbers says of its ends, and of a number. */
interface Words {
  text?: (value: number) => string;
  ends?: readonly [string, string];
}

/** A slider over the numbers from `low` to `high` at equal distances. */
export function range(
  label: string,
  [low, high, step = 1]: readonly [number, number, number?],
  change: (value: number) => void,
  { text = String, ends = [text(low), text(high)] }: Words = {},
): Control<number> {
  const { element, show } = slider(label, ends, Math.round((high - low) / step), (at) => change(tidy(low + at * step)));
  return { element, show: (value) => show({ position: Math.round((value - low) / step), text: text(value) }) };
}

export function button(label: string, press: () => void): HTMLButtonElement {
  const element = h("button", { type: "button", class: "command" }, label);
  element.addEventListener("click", press);
  return element;
}

/** A row of buttons of which some are pressed, with classes for it and for each; `show` takes which. */
export function pressable(
  label: string,
  look: string,
  texts: readonly string[],
  press: (at: number) => void,
  each?: string,
): Control<(at: number) => boolean> {
  const buttons = texts.map((text, i) => {
    const element = h("button", { type: "button", class: each }, text);
    element.addEventListener("click", () => press(i));
    return element;
  });
  return {
    element: h("div", { class: look, role: "group", "aria-label": label }, ...buttons),
    show: (isPressed) => buttons.forEach((element, i) => set(element, { "aria-pressed": String(isPressed(i)) })),
  };
}

let groups = 0;

/** One of a few options, as radio buttons. */
export function choice(
  label: string,
  options: readonly string[],
  change: (chosen: number) => void,
): Control<number> {
  const name = `choice-${groups++}`;
  const inputs = options.map((_, i) => {
    const input = h("input", { type: "radio", name });
    input.addEventListener("change", () => change(i));
    return input;
  });
  const labels = options.map((option, i) => h("label", { class: "toggle" }, inputs[i]!, option));
  const legend = h("legend", {}, label);
  return {
    element: h("fieldset", { class: "choice" }, legend, ...labels),
    show(chosen) {
      const input = inputs[chosen];
      if (input) input.checked = true;
    },
  };
}
