"""What a cell shows: HTML where there is any, and plain text everywhere."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any

from coursekit.colours import colours

#: What shows a notebook in the dark: JupyterLab and Notebook 7, Colab, VS Code.
_DARK = ('[data-jp-theme-light="false"]', 'html[theme="dark"]', "body.vscode-dark")


class Shown:
    """The value of a cell's last line: Jupyter shows its HTML, a terminal its text."""

    def __init__(self, html: str, text: str) -> None:
        self.html, self.text = html, text

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        html = f'<div class="ck-shown"><style>{style()}</style>{self.html}</div>'
        return {"text/plain": self.text, "text/html": html}


@functools.cache
def style() -> str:
    """Return the style sheet of what cells show, its colours for the light and for the dark."""
    sheet = Path(__file__).with_name("shown.css").read_text(encoding="utf-8")
    sheet = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    light, dark = (
        "".join(f"--ck-{name}:{pair[at]};" for name, pair in colours().items() if name in sheet)
        for at in (0, 1)
    )
    selectors = ",".join(f"{place} .ck-shown" for place in _DARK)
    sheet = f".ck-shown{{{light}}}@media screen{{{selectors}{{{dark}}}}}{sheet}"
    return re.sub(r"\s*\n\s*", "", sheet)
