"""Give notebooks the outputs of their chapters' cells, so that they can be read without running.

The outputs are those that the pages show, and the figures of exercises as they open. A picture is
stored as an image beside its description: a viewer that trusts nobody would print an inline
picture's letters one after the other.
"""

from __future__ import annotations

import base64
import json
import re
from itertools import count
from pathlib import Path
from typing import Any

from jupyter_cache import get_cache
from nbformat.v4 import new_output

from coursekit.notebooks.nbformat_cells import markdown_cell
from tools.site.environment import BuildError
from tools.site.execute import KEYS, READER
from tools.site.project import Project

_NOTE = (
    "*This copy has the outputs of its cells, to be read where nothing runs, and so it also shows "
    "what the questions ask you to predict. To work through the chapter, open [{}]({}).*"
)
_WIDGET = "application/vnd.jupyter.widget-view+json"
_LINK = re.compile(r"\]\((?:[\w.-]+/)*([\w-]+\.ipynb)\)")
_OWN_CELL = re.compile(r"cell-\d+\Z")
_SVG = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_LABEL = re.compile(r'aria-label="([^"]*)"')
_SVG_ROOT = '<svg xmlns="http://www.w3.org/2000/svg" font-family="system-ui, sans-serif"'


class Outputs:
    """The outputs in the cache which the pages are built from."""

    def __init__(self, project: Project) -> None:
        file = project.cache / KEYS
        self._keys = json.loads(file.read_text()) if file.exists() else {}
        self._folder = project.cache / "jupyter"

    def key(self, chapter: str) -> str:
        """Return what changes where a chapter's outputs do."""
        return str(self._keys.get(chapter, ""))

    def of(self, chapter: Path) -> list[list[Any]]:
        """Return the outputs of each of a chapter's code cells, in order."""
        cache = get_cache(str(self._folder))
        try:
            record = cache.add_nb_to_project(str(chapter), read_data=READER)
            cached = cache.match_cache_notebook(cache.get_project_notebook(record.pk).nb)
            notebook = cache.get_cache_bundle(cached.pk).nb
        finally:
            cache.db.dispose()
        return [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]


def to_read(notebook: Any, outputs: list[list[Any]], original: str) -> None:
    """Put a chapter's outputs below the cells of its notebook, and say what this copy is."""
    own = [c for c in notebook.cells if c.cell_type == "code" and _OWN_CELL.match(c.id)]
    if len(own) != len(outputs):
        raise BuildError(f"{original}: {len(own)} cells for the outputs of {len(outputs)}")
    outputs_of = dict(zip((cell.id for cell in own), outputs, strict=True))
    shown = (output.get("data", {}).get("text/html", "") for made in outputs for output in made)
    style = "".join(_STYLE.findall("".join(shown)))
    numbers = count(1)
    for cell in notebook.cells:
        if cell.get("metadata", {}).get("coursekit", {}).get("role") == "figure":
            made = [_shown(cell.source)]
        elif cell.id in outputs_of:
            made = outputs_of[cell.id]
        else:
            continue
        number = next(numbers)
        cell.outputs = [_storable(output, number, style) for output in made]
        cell.execution_count = number if made else None
        cell.metadata.get("jupyter", {}).pop("outputs_hidden", None)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":  # the copies of all lie side by side
            cell.source = _LINK.sub(r"](\1)", cell.source)
    name = original.rsplit("/", 1)[-1]
    notebook.cells.insert(1, markdown_cell(_NOTE.format(name, original), "to-read"))


def _shown(source: str) -> Any:
    """Return the output of an exercise's figure, whose last line is the figure."""
    imports, _, figure = source.rpartition("\n")
    names: dict[str, Any] = {}
    exec(imports, names)
    shown = eval(figure, names)._repr_mimebundle_()
    return new_output("execute_result", data=shown[0] if isinstance(shown, tuple) else shown)


def _storable(output: Any, number: int, style: str) -> Any:
    """Return an output with an image for a picture, and without what only a kernel can show."""
    output = output.copy()
    if output.output_type == "execute_result":
        output.execution_count = number
    if data := output.get("data"):
        data = {kind: value for kind, value in data.items() if kind != _WIDGET}
        if svg := data.get("image/svg+xml"):
            data.pop("text/html", None)
            data["text/markdown"] = _image(svg, data.get("text/plain", "Figure"))
        elif html := data.get("text/html"):
            data["text/html"] = _SVG.sub(lambda svg: _inline(svg[0], style), html)
        output.data = data
    return output


def _inline(svg: str, style: str) -> str:
    """Return a picture inside HTML as an image, with the style that it had from around it."""
    label = _LABEL.search(svg)
    if "style=" not in svg:
        svg = svg.replace(">", f"><style><![CDATA[{style}]]></style>", 1)
    if "xmlns=" not in svg:
        svg = svg.replace("<svg", _SVG_ROOT, 1)
    return f'<img alt="{label[1] if label else ""}" src="{_address(svg)}">'


def _image(svg: str, description: str) -> str:
    """Return a picture as Markdown, which every viewer may show."""
    words = " ".join(re.sub(r"[\[\]\\]", "", description).split())
    return f"![{words}]({_address(svg)})"


def _address(svg: str) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"
