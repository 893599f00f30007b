// Motion that says where a number comes from. With reduced motion there is only its end.

const TIME = 450; // ms
const isStill = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Copies of cells that fly into the cell that they make. */
export class Flight {
  private copies: HTMLElement[] = [];
  private to: HTMLElement | undefined;

  start(from: readonly HTMLElement[], to: HTMLElement | undefined): void {
    if (!to || from.length === 0 || isStill() || (to === this.to && this.copies.length > 0)) return;
    this.end();
    this.to = to;
    const goal = to.getBoundingClientRect();
    const sky = to.closest<HTMLElement>(".product")!;
    const base = sky.getBoundingClientRect();
    this.copies = from.map((cell) => {
      const { left, top, width, height } = cell.getBoundingClientRect();
      const copy = document.createElement("span");
      copy.className = `flying ${cell.className}`;
      copy.textContent = cell.textContent;
      copy.ariaHidden = "true";
      copy.style.cssText = `left:${left - base.left}px;top:${top - base.top}px;width:${width}px;height:${height}px`;
      const shift = `translate(${goal.left - left}px,${goal.top - top}px)`;
      const path = [{ transform: "none" }, { transform: shift, opacity: 1, offset: 0.9 }, { transform: shift, opacity: 0 }];
      copy.animate(path, { duration: TIME, easing: "ease-in-out", fill: "forwards" }).onfinish = () => this.end(to);
      return copy;
    });
    sky.append(...this.copies);
  }

  private end(of = this.to): void {
    if (of !== this.to) return;
    for (const copy of this.copies) copy.remove();
    this.copies = [];
  }
}

/** Lets a bar sink from the height of its frame to its own. */
export function sink(bar: HTMLElement, frame: HTMLElement): void {
  if (isStill() || frame.offsetHeight === 0) return;
  const from = `${frame.offsetHeight}px`;
  bar.animate([{ height: from }, { height: from, offset: 0.25 }, {}], { duration: TIME, easing: "ease-in-out" });
}
