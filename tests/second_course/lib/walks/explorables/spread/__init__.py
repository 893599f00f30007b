"""Where walks of some length end: a slider, a bar for each place, and the typical distance."""

from __future__ import annotations

from math import comb, sqrt
from pathlib import Path
from typing import Any

import anywidget
import traitlets

_BUNDLE = Path(__file__).parents[1] / "_dist" / "spread.js"


class Spread(anywidget.AnyWidget):
    """A widget in a notebook, an element in a page, and a table where neither runs."""

    _esm = _BUNDLE.read_text("utf-8") if _BUNDLE.is_file() else "export default {}"
    steps = traitlets.Int(16, min=1, max=100).tag(sync=True)

    def table(self) -> str:
        """Return the chances of the places nearest to the start as an HTML table."""
        head = "<tr><th>place</th><th>chance</th></tr>"
        places = [place for place in range(-(self.steps % 2), 5, 2) if abs(place) <= self.steps]
        rows = "".join(
            f"<tr><td>{place}</td><td>{self.chance(place):.3f}</td></tr>" for place in places
        )
        return f"<table>{head}{rows}</table><p>√n = {sqrt(self.steps):.2f}</p>"

    def chance(self, place: int) -> float:
        """Return the chance of a walk to end at ``place``."""
        return comb(self.steps, (self.steps + place) // 2) / 2**self.steps

    def _repr_mimebundle_(self, **options: Any) -> Any:
        live = super()._repr_mimebundle_(**options)
        data, metadata = live if isinstance(live, tuple) else (live or {}, {})
        element = f'<walks-spread steps="{self.steps}">{self.table()}</walks-spread>'
        return {**data, "text/html": element, "text/plain": f"Spread(steps={self.steps})"}, metadata
