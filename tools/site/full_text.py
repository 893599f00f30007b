"""Write all chapters as one Markdown file for language models: ``llms-full.txt``.

It is made of the notebooks, in which references, exercises and formulas are Markdown already.
Checks and figures' code are left out: they say nothing to somebody who reads.
"""

from __future__ import annotations

from typing import Any

import nbformat

from tools.site.project import Project

FILE = "llms-full.txt"
_HIDDEN = {"remove-cell", "remove-input", "hide-input", "hide-cell"}
#: What coursekit's cells are that readers read; its other cells are programs.
_READ = {"chapter", "statement", "answer", "hints", "text"}


def write_full_text(project: Project) -> None:
    """Write the file into the site, or remove it where no chapter is a notebook."""
    files = [
        file
        for path in project.notebooks().values()
        if (file := project.html / "notebooks" / path).is_file()
    ]
    target = project.html / FILE
    if not files:
        target.unlink(missing_ok=True)
        return
    chapters = [as_markdown(nbformat.read(file, as_version=4).cells) for file in files]
    target.write_text("\n\n".join(chapters) + "\n", encoding="utf-8")


def as_markdown(cells: list[Any]) -> str:
    """Return what is to be read of a notebook's cells."""
    return "\n\n".join(text for cell in cells if (text := _text(cell)))


def _text(cell: Any) -> str:
    metadata = cell.metadata
    role = metadata.get("coursekit", {}).get("role")
    if (role and role not in _READ) or _HIDDEN & set(metadata.get("tags", [])):
        return ""
    source = str(cell.source).strip()
    return f"```python\n{source}\n```" if cell.cell_type == "code" else source
