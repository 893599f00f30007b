"""Run a notebook's cells without a kernel, as a kernel would."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from coursekit.bank.model import Exercise
from coursekit.bank.running import run_check, tell
from coursekit.in_notebook import Shown, cells, check_answer, load_checks, state
from coursekit.in_notebook.obfuscated import pack
from coursekit.judge.checks import Check
from coursekit.kinds.base import AutoGraded
from coursekit.notebooks.check_cells import attachment

_NUMBERS = count()


def execute(source: str, names: dict[str, Any]) -> None:
    """Run a cell; its source can be found again, as that of a kernel's cells can."""
    file = f"<cell {next(_NUMBERS)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), names)


def load(*exercises: Exercise, practice: bool = True) -> None:
    """Take what a notebook has of exercises."""
    load_checks(attachment(exercises, practice, []).split('"')[1])


def shown_by(exercise: Exercise, names: dict[str, Any], *, practice: bool = True) -> Shown:
    """Return what the check cell of an exercise shows of names in no kernel."""
    load(exercise, practice=practice)
    return check_answer(exercise.id, names)


def report(made: Check | AutoGraded, names: dict[str, Any], **options: Any) -> None:
    """Print the verdict of a check or a question, or raise it."""
    check = made if isinstance(made, Check) else made.check()
    tell(check.title, run_check(check, names, **options))


class Notebook:
    """An IPython shell in this process."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell

    def run(self, source: str, id: str = "") -> Any:
        """Run a cell and return its value; ``id`` is what JupyterLab says of it."""
        result = self._shell.run_cell(source, store_history=True, cell_id=id or None)
        return result.result

    def load(self, exercises: dict[str, Any]) -> None:
        """Run the cell with what the notebook has of its exercises."""
        self.run(f'import coursekit; coursekit.in_notebook.load_checks("{pack(exercises)}")')

    def answer(self, exercise: Exercise, source: str) -> Any:
        """Run an exercise's answer cell."""
        return self.run(source, f"{exercise.id}-answer")

    def check(self, exercise: Exercise) -> Shown:
        """Run an exercise's check cell."""
        shown = self.run(f'import coursekit; coursekit.check_answer("{exercise.id}")', "check")
        assert isinstance(shown, Shown)
        return shown


@contextmanager
def notebook() -> Iterator[Notebook]:
    """Open a notebook in a new kernel: until it is closed, its shell is that of this process."""
    state.known.clear()
    state.standings.clear()
    cells._ids.clear()
    config = Config()
    config.HistoryManager.enabled = False
    shell = InteractiveShell.instance(config=config)
    try:
        yield Notebook(shell)
    finally:
        InteractiveShell.clear_instance()
