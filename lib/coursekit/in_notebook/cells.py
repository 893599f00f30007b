"""Find an answer's code in a notebook's IPython, and run it on its own.

The kernel's names may hold an older version: a cell that fails leaves them as they were, and so
does one in which a function was renamed. So the answer is judged by its source. The shell's history
has that of each cell that was run; JupyterLab and VS Code say which cell it was, and where nobody
does, a cell that is much like a later one is taken for its older version.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from coursekit.bank.alone import Ran, run_alone
from coursekit.judge.own_cells import Candidate, attempted, digest, own_cells
from coursekit.judge.shell import Shell

#: What a notebook has of its exercises, by id.
Exercises = Mapping[str, Mapping[str, Any]]
#: Two sources are versions of one cell if so much of them is the same.
_ALIKE = 0.8

#: The frontend's ids of the cells that were run, by execution count.
_ids: dict[int, str] = {}


class Cell(NamedTuple):
    """A cell that was run; ``id`` is empty where nobody says."""

    source: str
    id: str = ""


def callers() -> dict[str, Any]:
    """Return the globals of the cell that called: those of the first frame outside this package."""
    frame = sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__package__") == __package__:
        frame = frame.f_back
    return frame.f_globals


def shell_of(names: Mapping[str, Any]) -> Any:
    """Return the IPython whose names these are; None where there is none with a history."""
    ipython = sys.modules.get("IPython")
    shell: Any = ipython.get_ipython() if ipython else None
    history = getattr(shell, "history_manager", None)
    return shell if hasattr(history, "input_hist_raw") and shell.user_ns is names else None


def watch(shell: Any) -> None:
    """Have the id of each cell noted that runs from now on."""
    if shell and _note not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("post_run_cell", _note)


def _note(result: Any) -> None:
    if result.execution_count is not None:  # a cell outside the history
        _ids[result.execution_count] = getattr(result.info, "cell_id", None) or ""


def cells_of(shell: Any) -> list[Cell]:
    """Return the newest version of each cell that was run, in the order of these runs."""
    history = enumerate(shell.history_manager.input_hist_raw)
    cells: dict[str, Cell] = {}
    for count, source in history:
        id = _ids.get(count, "")
        key = id or source
        cells.pop(key, None)
        cells[key] = Cell(source, id)
    return list(cells.values())


def sources_of(about: Mapping[str, Any], known: Exercises, cells: Sequence[Cell]) -> list[str]:
    """Return the sources that an exercise's answer is made of, as `own_cells` does.

    ``about`` has the exercise's ``answer`` (the id of its cell), its ``names``, what is ``given``
    and the digests of the ``chapter``'s own cells; ``known`` is what the notebook has of all.
    """
    return own_cells(_candidates(about, known, cells)[0], about["names"], about["given"])


def _candidates(
    about: Mapping[str, Any], known: Exercises, cells: Sequence[Cell]
) -> tuple[list[Candidate], set[str]]:
    """Return the cells that may be the answer's, and the names that it no longer defines."""
    names = {*about["names"]}
    others = {name for other in known.values() for name in other["names"]} - names
    marks = {other["answer"] for other in known.values()} - {""}
    candidates: list[Candidate] = []
    gone: set[str] = set()
    for index, cell in reversed([*enumerate(cells)]):
        if not (is_marked := cell.id == about["answer"]):
            if cell.id in marks or digest(cell.source) in about["chapter"]:
                continue
            if attempted(cell.source, others):
                continue
            if tried := attempted(cell.source, names):
                if _is_older(cell, cells[index + 1 :]):
                    gone |= tried
                if not cell.id and tried <= gone:
                    continue
        candidates.append(Candidate(cell.source, is_marked))
    return candidates[::-1], gone


def _is_older(cell: Cell, later: Sequence[Cell]) -> bool:
    if cell.id:
        return False  # newer versions have its id
    return any(
        not other.id and SequenceMatcher(None, cell.source, other.source).ratio() > _ALIKE
        for other in later
    )


def run_own(about: Mapping[str, Any], known: Exercises, names: Mapping[str, Any]) -> Ran:
    """Run an exercise's answer on its own.

    Parameters
    ----------
    about : mapping
        What the notebook has of the exercise.
    known : mapping of str to mapping
        What it has of all of its exercises.
    names : mapping of str to object
        What the learner has defined. It is judged where no cell is known to be the answer's: in
        other kernels than IPython, and where ``exec`` or a magic has bound the names. A quiz is
        answered by values, which may come from any cell.
    """
    if (shell := shell_of(names)) is None:
        return Ran(Shell(names))
    cells = cells_of(shell)
    candidates, gone = _candidates(about, known, cells)
    own = own_cells(candidates, about["names"], about["given"])
    if not own:
        return Ran(Shell({name: value for name, value in names.items() if name not in gone}))
    if "questions" in about or "forms" in about:
        there = {name: value for name, value in names.items() if name not in about["names"]}
        return run_alone([], *own, names=there, kernel=shell)
    before = [about["setup"]]
    for used in about["uses"]:
        before[-1:-1] = [used["setup"], *sources_of(used, known, cells)]
    return run_alone(before, *own, without_torch=about["without_torch"], kernel=shell)
