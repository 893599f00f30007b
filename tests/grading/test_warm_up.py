"""What the solutions import, the fork server imports once, and no submission again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from coursekit.bank import load_bank
from coursekit.grade.grader_process import GraderProcess, warm_up
from coursekit.grade.session import Session
from coursekit.sandbox.sandbox import Sandbox

from .conftest import LIMITS, notebook, sandbox_for, task_for

EXERCISE = '''"""Write `answer`, which returns {value}."""

from coursekit import check, exercise

exercise(title="Late", hints=["Import."])


# BEGIN SOLUTION
def answer():
    import sys

    was_loaded = "colorsys" in sys.modules
    import colorsys

    return {returned}
# END SOLUTION


@check(points=1)
def right(answer):
    assert answer() == {value}
'''


def _file(folder: Path, returned: str, value: str) -> Path:
    path = folder / "imports" / "late.py"
    path.parent.mkdir()
    path.write_text(EXERCISE.format(returned=returned, value=value))
    return path


def _found(sandbox: Sandbox, module: str = "colorsys") -> dict[str, Any]:
    """Return whether a new submission finds a module imported, and what is in its folder."""
    session = Session(sandbox, LIMITS)
    source = f"import os, sys\nloaded = {module!r} in sys.modules\n"
    source += "left = os.listdir(os.environ['TMPDIR'])"
    session.request(LIMITS.cell_seconds, do="cell", source=source)
    names = session.request(LIMITS.call_seconds, do="names", names=["loaded", "left"])
    session.close()
    return dict(names)


@pytest.fixture
def fresh() -> Iterator[Sandbox]:
    """Return a sandbox that no other test has warmed up."""
    with closing(sandbox_for()) as sandbox:
        yield sandbox


def test_a_submission_finds_imported_what_solutions_import(tmp_path, fresh):
    _file(tmp_path, "1", "1")
    assert not _found(fresh)["loaded"]
    assert warm_up(load_bank(tmp_path).chapter("imports"), fresh, LIMITS)
    assert _found(fresh)["loaded"]


def test_preloading_that_harms_the_solutions_is_noticed_and_undone(tmp_path, fresh):
    path = _file(tmp_path, "was_loaded", "False")
    assert not warm_up(load_bank(tmp_path).chapter("imports"), fresh, LIMITS)
    task = replace(task_for(), chapter="imports", files={path.name: path.read_text()})
    with closing(GraderProcess(task)) as process:
        answer = load_bank(tmp_path)["late"].solution
        assert process.grade(notebook(answer))["score"] == 1.0


def test_a_module_may_write_when_it_is_imported_and_leaves_nothing(tmp_path, monkeypatch):
    source = "import os\nopen(os.environ['TMPDIR'] + '/cache', 'w').close()\n"
    (tmp_path / "writes_on_import.py").write_text(source)
    tmp_path.chmod(0o755)
    monkeypatch.syspath_prepend(tmp_path)
    with closing(sandbox_for(preload=("writes_on_import",))) as sandbox:
        assert _found(sandbox, "writes_on_import") == {"loaded": True, "left": []}


def test_a_solution_that_ends_its_process_is_no_obstacle(tmp_path, fresh):
    _file(tmp_path, "__import__('os')._exit(3)", "1")
    warm_up(load_bank(tmp_path).chapter("imports"), fresh, LIMITS)
    assert not _found(fresh)["loaded"]
