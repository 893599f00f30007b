"""A chapter of the book as a notebook."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from coursekit.bank import Bank
from coursekit.cards import Card, cards_of, chapters_of
from coursekit.errors import CoursekitError, MissingExtraError
from coursekit.model import Exercise
from coursekit.notebook.commonmark import folded, to_commonmark
from coursekit.notebook.gates import Gate, waiting_cell
from coursekit.notebook.install import add_install_cell, imported_by
from coursekit.notebook.myst import Directive, parse, parse_nested, read_directive
from coursekit.notebook.nbformat_cells import (
    Node,
    code_cell,
    fold,
    markdown_cell,
    notebook,
    student_cells,
)
from coursekit.notebook.references import References, book_references
from coursekit.predictions import AWAITED_IS_MISSING, awaited
from coursekit.quoted import filled

#: Tags of the cells whose code the page hides.
_FOLDED = frozenset({"remove-cell", "remove-input", "hide-cell", "hide-input"})


def chapter_notebook(
    chapter: Path | str,
    bank: Bank,
    *,
    install: str | None = None,
    references: References | None = None,
    site: str = "",
    practice: bool = True,
    by_name: bool = False,
) -> Node:
    """Return a chapter as a notebook that runs from top to bottom, exercises unsolved.

    Cell ids are stable, so the same chapter gives the same notebook.

    Parameters
    ----------
    chapter : path
        A MyST notebook (jupytext ``md:myst``), beside the book's other chapters.
    bank : Bank
        The exercises that its ``{exercise}`` blocks name.
    install : str, optional
        What pip installs where the library is missing, one a line: a path, or
        ``name @ address``.
    references : References, optional
        What the chapter refers to; by default its folder is read, for every chapter again.
    site : str
        Address of the built site, to which references link. Without it they are plain text.
    practice, by_name : bool
        As for `cells_of`.

    Raises
    ------
    CoursekitError
        The chapter cannot be read, has an exercise twice, or one that the bank lacks, or something
        in it waits for a prediction that it does not have.
    """
    source = _read(chapter := Path(chapter))
    references = references or book_references(chapter.parent, bank.values(), site)
    made = partial(student_cells, practice=practice, by_name=by_name)
    cells = list(_cells(source, chapter, bank, references, made))
    converted = notebook(cells, source.metadata["kernelspec"])
    if install:
        exercises = [bank[id] for id in chapter_exercises(chapter)]
        add_install_cell(converted, imported_by(cells, exercises), install.splitlines())
    return converted


def chapter_exercises(chapter: Path | str) -> list[str]:
    """Return the ids that a chapter's ``{exercise}`` blocks name, in order."""
    text = Path(chapter).read_text(encoding="utf-8")
    return [piece.text for piece in _pieces(text) if piece.kind == "exercise"]


def _read(chapter: Path) -> Node:
    try:
        import jupytext
    except ImportError:
        raise MissingExtraError("jupytext", "grading") from None
    if not chapter.is_file():
        raise CoursekitError(f"no chapter at {chapter}")
    source = jupytext.reads(filled(chapter), fmt="md:myst")
    if "kernelspec" not in source.metadata:
        raise CoursekitError(
            f"{chapter}: the front matter has no kernelspec; expected a MyST notebook"
        )
    return source


def _cells(
    source: Node,
    chapter: Path,
    bank: Bank,
    references: References,
    made_of: Callable[[Exercise, References], list[Node]],
) -> Iterator[Node]:
    references = references.of_chapter(chapter.stem)
    placed: dict[str, Exercise] = {}
    number = 0
    _check_awaited(source, chapter)
    gate = Gate(bank)
    for cell in source.cells:
        if cell.cell_type != "markdown":
            number += 1
            yield gate.code(_code(cell, f"cell-{number}"))
            continue
        for piece in _pieces(cell.source):
            if piece.kind == "exercise":
                id = piece.text
                if id in placed:
                    raise CoursekitError(f"{chapter}: has the exercise {id!r} twice")
                if late := [used.id for used in bank[id].used if used.id not in placed]:
                    raise CoursekitError(f"{chapter}: {id!r} uses {late[0]!r}; place that above")
                placed[id] = bank[id]
                yield from gate.exercise(bank[id], made_of(bank[id], references), piece.awaited)
                continue
            if piece.kind == "cards":
                yield from _card_cells(bank, piece.text, references)
                continue
            for part, waits in gate.text(piece.text):
                if markdown := _commonmark(part, references, chapter):
                    number += 1
                    text_of = waiting_cell if waits and not piece.awaited else markdown_cell
                    text_cell = text_of(markdown, f"cell-{number}")
                    yield gate.folded(text_cell, piece.awaited)


def _card_cells(bank: Bank, route: str, references: References) -> Iterator[Node]:
    """Yield a Markdown cell for each chapter of a route, with folded answers."""
    folder = Path(next(iter(bank.values())).path).parents[1]
    for chapter in chapters_of(bank, folder, route or None):
        if cards := list(cards_of(bank.chapter(chapter))):
            title = to_commonmark(f"[]({chapter}.md)", references)
            text = [f"From {title}:", *(_card(card, references) for card in cards)]
            yield markdown_cell("\n\n".join(text), f"cards-{chapter}"[:64])


def _card(card: Card, references: References) -> str:
    asked = to_commonmark(f"{card.exercise.statement}\n\n{card.asked}", references)
    answer = f"{to_commonmark(card.answer, references)}\n\n{card.why}"
    return f"{asked}\n\n{folded('Answer', answer)}"


def _commonmark(text: str, references: References, chapter: Path) -> str:
    try:
        return to_commonmark(text, references)
    except CoursekitError as error:
        raise CoursekitError(f"{chapter}: {error}") from None


def _check_awaited(source: Node, chapter: Path) -> None:
    """Raise an error if something waits for a prediction that the chapter does not have."""
    there, marks = set(), []
    for cell in source.cells:
        marks += cell.metadata.get("tags", [])
        if cell.cell_type != "markdown":
            continue
        for directive in filter(None, map(read_directive, parse_nested(cell.source))):
            if directive.name == "exercise":
                there.add(directive.argument)
            elif directive.name == "container":
                marks += directive.argument.split()
    for id in awaited(marks):
        if id not in there:
            raise CoursekitError(f"{chapter}: {AWAITED_IS_MISSING.format(id)}")


class _Piece(NamedTuple):
    """A part of a text: "text" (MyST), "exercise" (its id) or "cards" (their route).

    ``awaited`` are the predictions in whose container it stands.
    """

    kind: str
    text: str
    awaited: tuple[str, ...] = ()


def _pieces(text: str) -> Iterator[_Piece]:
    """Yield the pieces of a MyST text in order."""
    lines = text.split("\n")
    done = 0
    for token in parse(text):
        directive = read_directive(token)
        if directive is None or token.map is None:
            continue
        inside = list(_placed(directive))
        if inside:
            start, stop = token.map
            yield _Piece("text", "\n".join(lines[done:start]))
            yield from inside
            done = stop
    yield _Piece("text", "\n".join(lines[done:]))


def _placed(directive: Directive) -> Iterator[_Piece]:
    """Yield the pieces of a directive that is an exercise, or of one with exercises in it."""
    if directive.name == "exercise":
        yield _Piece("exercise", directive.argument)
    elif directive.name == "review-cards":
        yield _Piece("cards", directive.argument)
    elif "code" not in directive.name:
        inside = list(_pieces(directive.body))
        if not any(piece.kind == "exercise" for piece in inside):
            return
        if directive.name == "container":
            ids = awaited(directive.argument.split())
            yield from (piece._replace(awaited=(*ids, *piece.awaited)) for piece in inside)
            return
        # Cells cannot be folded together, so its title stands above them.
        yield _Piece("text", f"**{directive.argument}**" if directive.argument else "")
        yield from inside


def _code(cell: Node, id: str) -> Node:
    if cell.cell_type == "raw":
        return markdown_cell(f"```\n{cell.source}\n```", id)
    code = code_cell(cell.source, id)
    tags = cell.metadata.get("tags", [])
    code.metadata.update(cell.metadata)
    if _FOLDED & set(tags):
        fold(code)
    return code
