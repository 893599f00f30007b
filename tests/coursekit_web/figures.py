"""A stand-in for a package of explorables: one figure that keeps the contract of them all."""

from __future__ import annotations


class Point:
    """A figure with a button, whose page element dispatches ``answer`` and has ``setState``."""

    def __init__(self, answers: list[str] | None = None) -> None:
        self.answers = answers

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/html": "<test-point>a point</test-point>", "text/plain": "Point()"}


#: What a page's own script for the figure would be.
SCRIPT = """
customElements.define("test-point", class extends HTMLElement {
  connectedCallback() {
    this.innerHTML = "<button type='button'>Use as answer</button> <output></output>";
    this.querySelector("button").onclick = () => this.dispatchEvent(new CustomEvent("answer", {
      bubbles: true, detail: { code: "point = [1.5, 2.0]", values: { point: [1.5, 2] } } }));
  }
  setState(state) { this.querySelector("output").textContent = JSON.stringify(state); }
});
"""
