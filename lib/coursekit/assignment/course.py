"""An nbgrader course: its folders, its settings, and the commands that run in it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from coursekit.assignment.source_notebook import source_notebook
from coursekit.command import make_folder, tell
from coursekit.errors import CoursekitError, MissingExtraError
from coursekit.model import Exercise
from coursekit.notebook.exercise_cells import WRITE_HERE
from coursekit.notebook.nbformat_cells import nbformat
from coursekit.private_files import owner_only

_SETTINGS = f'''\
# nbgrader's settings. `coursekit release --nbgrader` wrote this file and will not change it again.
from coursekit.assignment.steps import feedback_steps, preprocessors

c = get_config()
# Students start from each exercise's own first lines.
c.GenerateAssignment.preprocessors = preprocessors()
c.ClearSolutions.text_stub = "{WRITE_HERE}"
# Feedback for students leaves out the rubrics.
c.GenerateFeedback.preprocessors = feedback_steps()
'''


def write_course(
    course: Path,
    chapter: str,
    title: str,
    exercises: Sequence[Exercise],
    install: str | None,
    *,
    practice: bool = False,
) -> Path:
    """Write a chapter's source notebook into an nbgrader course and have nbgrader release it.

    Returns
    -------
    Path
        The students' notebook, ``release/<chapter>/<chapter>.ipynb``.

    Raises
    ------
    CoursekitError
        nbgrader refuses, for example because cells changed after the first submissions.
    """
    if find_spec("nbgrader") is None:
        raise MissingExtraError("nbgrader", "grading")
    source = source_file(course, chapter)
    make_folder(source.parent)
    before = source.read_text(encoding="utf-8") if source.exists() else None
    nbformat().write(source_notebook(title, exercises, install, practice=practice), source)
    _write_settings(course / "nbgrader_config.py")
    try:
        nbgrader(course, "generate_assignment", chapter, "--force")
    except CoursekitError:
        if before is not None:  # nbgrader has deleted the release, so make the old one again.
            source.write_text(before, encoding="utf-8")
            nbgrader(course, "generate_assignment", chapter, "--force")
        raise
    return course / "release" / chapter / f"{chapter}.ipynb"


def _write_settings(settings: Path) -> None:
    """Write nbgrader's settings where there are none, or warn about missing ones."""
    if not settings.exists():
        settings.write_text(_SETTINGS, encoding="utf-8")
        open(settings.with_name("gradebook.db"), "ab", opener=owner_only).close()
    elif "coursekit.assignment.steps" not in settings.read_text("utf-8", errors="replace"):
        tell(
            f"{settings}: without `GenerateAssignment.preprocessors = preprocessors()` of "
            "coursekit.assignment.steps, students start from nbgrader's stubs; release into a "
            "new folder to see the lines to add"
        )


def source_file(course: Path, chapter: str) -> Path:
    """Return the path of the instructor's notebook, which has solutions and hidden checks."""
    return course / "source" / chapter / f"{chapter}.ipynb"


def nbgrader(course: Path, *arguments: str) -> None:
    """Run a command of nbgrader in a course, or raise `CoursekitError` with the reason it gives."""
    command = [sys.executable, "-m", "nbgrader", *arguments]
    with python_on_path():
        process = subprocess.run(command, cwd=course, capture_output=True, text=True, check=False)
    if process.returncode:
        raise CoursekitError(f"nbgrader {' '.join(arguments)} failed: {_reason(process.stderr)}")


@contextmanager
def python_on_path() -> Iterator[None]:
    """Let nbgrader find `alembic`, which lies beside Python, where no environment is activated."""
    before = os.environ.get("PATH", "")
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), before])
    try:
        yield
    finally:
        os.environ["PATH"] = before


def _reason(log: str) -> str:
    """Return the line of a log that tells the reason: of the last exception or error in it."""
    exceptions = re.findall(r"^\s+(?:\w+\.)*(\w+: .+)$", log, re.MULTILINE)
    errors = re.findall(r"ERROR\] (.+)$", log, re.MULTILINE)
    return str(([*errors, *exceptions] or ["it gave no reason"])[-1])
