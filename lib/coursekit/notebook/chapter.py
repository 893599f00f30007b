"""A chapter of the book as a notebook."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from coursekit.bank import Bank
from coursekit.errors import CoursekitError, MissingExtraError
from coursekit.notebook.cells import (
    Node,
    code_cell,
    fold,
    markdown_cell,
    notebook,
    student_cells,
)
from coursekit.notebook.commonmark import to_commonmark
from coursekit.notebook.install import add_install_cell, from_source
from coursekit.notebook.myst import parse, read_directive
from coursekit.notebook.references import References, book_references

#: Tags of cells whose code the page does not show.
_FOLDED = frozenset({"remove-cell", "remove-input", "hide-cell", "hide-input"})


def chapter_notebook(
    chapter: Path | str,
    bank: Bank,
    *,
    install: str | None = None,
    references: References | None = None,
    site: str = "",
    practice: bool = True,
) -> Node:
    """Return a chapter as a notebook that runs from top to bottom, exercises unsolved.

    Parameters
    ----------
    chapter : path
        A MyST notebook (jupytext ``md:myst``), beside the book's other chapters.
    bank : Bank
        The exercises that its ``{exercise}`` blocks name.
    install : str, optional
        What pip is to install where the library is missing: a path, or ``name @ address``.
        None: no such cell; `add_install_cell` adds one that knows more.
    references : References, optional
        What the chapter refers to; by default read from its folder. Give it where many chapters
        are made.
    site : str
        Address of the built site, to which references link. Empty: they are text.
    practice : bool
        As for `exercise_parts`: False for work that earns marks.

    Returns
    -------
    NotebookNode
        Cells have stable ids: the same chapter gives the same notebook.

    Raises
    ------
    CoursekitError
        The chapter names an exercise that the bank lacks, or one twice, or cannot be read.
    """
    chapter = Path(chapter)
    written = _read(chapter)
    text = "\n\n".join(cell.source for cell in written.cells if cell.cell_type == "markdown")
    references = references or book_references(chapter.parent, bank.values(), site)
    cells = list(_cells(written.cells, chapter, bank, references.of_chapter(text), practice))
    made = notebook(cells)
    if install:
        add_install_cell(made, from_source(cells, install))
    made.metadata.update({"kernelspec": written.metadata["kernelspec"]})
    return made


def chapter_exercises(chapter: Path | str) -> list[str]:
    """Return the ids that a chapter's ``{exercise}`` blocks name, in order."""
    text = Path(chapter).read_text(encoding="utf-8")
    return [piece for kind, piece in _pieces(text) if kind == "exercise"]


def _read(chapter: Path) -> Node:
    try:
        import jupytext
    except ImportError:
        raise MissingExtraError("jupytext", "grading") from None
    if not chapter.is_file():
        raise CoursekitError(f"no chapter at {chapter}")
    written = jupytext.read(chapter, fmt="md:myst")
    if "kernelspec" not in written.metadata:
        raise CoursekitError(f"{chapter}: its front matter names no kernel, so it is no notebook")
    return written


def _cells(
    written: list[Node], chapter: Path, bank: Bank, references: References, practice: bool
) -> Iterator[Node]:
    seen: set[str] = set()
    number = 0
    for cell in written:
        if cell.cell_type != "markdown":
            number += 1
            yield _code(cell, f"cell-{number}")
            continue
        for kind, piece in _pieces(cell.source):
            if kind == "exercise":
                if piece in seen:
                    raise CoursekitError(f"{chapter}: the exercise {piece!r} stands there twice")
                seen.add(piece)
                yield from student_cells(bank[piece], references, practice=practice)
            elif plain := to_commonmark(piece, references):
                number += 1
                yield markdown_cell(plain, f"cell-{number}")


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Yield ("text", Markdown) and ("exercise", id) in order."""
    lines = text.split("\n")
    written = 0
    for token in parse(text):
        directive = read_directive(token)
        if directive and directive.name == "exercise" and token.map:
            start, stop = token.map
            yield "text", "\n".join(lines[written:start])
            yield "exercise", directive.argument
            written = stop
    yield "text", "\n".join(lines[written:])


def _code(cell: Node, id: str) -> Node:
    if cell.cell_type == "raw":
        return markdown_cell(f"```\n{cell.source}\n```", id)
    made = code_cell(cell.source, id)
    tags = cell.metadata.get("tags", [])
    made.metadata.update(cell.metadata)
    if _FOLDED & set(tags):
        fold(made)
    if "hide-output" in tags:
        made.metadata.setdefault("jupyter", {})["outputs_hidden"] = True
    return made
