"""Show HTML in a cell where it can be shown, and plain text everywhere."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any

from coursekit.colours import colours

#: What shows a notebook in the dark: JupyterLab and Notebook 7, Colab, VS Code.
_DARK = ('[data-jp-theme-light="false"]', 'html[theme="dark"]', "body.vscode-dark")

_NOT_LOADED = (
    "This notebook's checks are not loaded yet, as after a restart: run the two cells at its top, "
    "then this one again."
)


class Shown:
    """The value of a cell's last line: Jupyter shows its HTML, a terminal its text."""

    def __init__(self, html: str, text: str) -> None:
        self.html, self.text = html, text

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        sheets = (
            "in_notebook/shown.css",
            *(["browser/drawn.css"] if "ck-drawing" in self.html else []),
        )
        html = f'<div class="ck-shown"><style>{style(*sheets)}</style>{self.html}</div>'
        return {"text/plain": self.text, "text/html": html}


def not_loaded() -> Shown:
    """Return what a cell shows before the notebook's first cells have run, as after a restart."""
    return Shown(f"<p>{_NOT_LOADED}</p>", _NOT_LOADED)


@functools.cache
def style(*sheets: str) -> str:
    """Return style sheets of what cells show as one, its colours for the light and for the dark."""
    folder = Path(__file__).parents[1]
    sheet = "".join((folder / name).read_text(encoding="utf-8") for name in sheets)
    sheet = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    light, dark = (
        "".join(f"--ck-{name}:{pair[at]};" for name, pair in colours().items() if name in sheet)
        for at in (0, 1)
    )
    selectors = ",".join(f"{place} .ck-shown" for place in _DARK)
    sheet = f".ck-shown{{{light}}}@media screen{{{selectors}{{{dark}}}}}{sheet}"
    return re.sub(r"\s*\n\s*", "", sheet)
