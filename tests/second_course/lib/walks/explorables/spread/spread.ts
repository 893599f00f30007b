// Where walks of n steps end: a bar for each place, two marks at the typical distance.

export interface Model {
  get(name: "steps"): number;
  set(name: "steps", value: number): void;
  save_changes(): void;
}

/** The chances of the places -n, -n + 2, …, n after n steps. */
export function chances(n: number): number[] {
  let row = [1];
  for (let step = 0; step < n; step++) {
    row = [...row, 0].map((value, i) => (value + (row[i - 1] ?? 0)) / 2);
  }
  return row;
}

function bars(n: number): string {
  const all = chances(n);
  const top = Math.max(...all);
  const width = 200 / all.length;
  const places = all.map((chance, i) => {
    const height = (60 * chance) / top;
    return `<rect x="${i * width}" y="${60 - height}" width="${width}" height="${height}"/>`;
  });
  const marks = [-1, 1].map((side) => {
    const x = 100 * (1 + side / Math.sqrt(n + 1));
    return `<line x1="${x}" x2="${x}" y1="0" y2="60"/>`;
  });
  return `<svg viewBox="0 0 200 60" preserveAspectRatio="none" aria-hidden="true">${[...places, ...marks].join("")}</svg>`;
}

export function render({ model, el }: { model: Model; el: HTMLElement }): void {
  const picture = document.createElement("div");
  const label = document.createElement("label");
  const slider = Object.assign(document.createElement("input"), {
    type: "range",
    min: "1",
    max: "100",
    value: String(model.get("steps")),
  });
  const said = document.createElement("output");
  const show = () => {
    const steps = model.get("steps");
    picture.innerHTML = bars(steps);
    said.textContent = ` ${steps} steps, typical distance ${Math.sqrt(steps).toFixed(2)}`;
  };
  slider.addEventListener("input", () => {
    model.set("steps", slider.valueAsNumber);
    model.save_changes();
    show();
  });
  label.append("Steps ", slider);
  el.replaceChildren(picture, label, said);
  show();
}

export default { render };
