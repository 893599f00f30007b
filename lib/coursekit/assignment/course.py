"""An nbgrader course: the folders and settings in which nbgrader does its work."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from coursekit.assignment.source_notebook import source_notebook
from coursekit.command import make_folder
from coursekit.errors import CoursekitError, MissingExtraError
from coursekit.model import Exercise
from coursekit.notebook.exercise_cells import WRITE_HERE
from coursekit.notebook.nbformat_cells import nbformat

_SETTINGS = f'''\
# nbgrader's settings. `coursekit release --nbgrader` wrote this file once; it is yours to edit.
from coursekit.assignment.rubrics import feedback_steps
from coursekit.assignment.starters import preprocessors

c = get_config()
# Students start from each exercise's own first lines.
c.GenerateAssignment.preprocessors = preprocessors()
c.ClearSolutions.text_stub = "{WRITE_HERE}"
# Rubrics are for those who grade.
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
        When nbgrader refuses, for example because cells changed after the first submissions.
    """
    if find_spec("nbgrader") is None:
        raise MissingExtraError("nbgrader", "grading")
    source = source_file(course, chapter)
    make_folder(source.parent)
    before = source.read_text(encoding="utf-8") if source.exists() else None
    nbformat().write(source_notebook(title, exercises, install, practice=practice), source)
    settings = course / "nbgrader_config.py"
    if not settings.exists():
        settings.write_text(_SETTINGS, encoding="utf-8")
    elif "coursekit.assignment.starters" not in settings.read_text("utf-8", errors="replace"):
        print(
            f"{settings}: without `GenerateAssignment.preprocessors = preprocessors()` of "
            "coursekit.assignment.starters, students start from nbgrader's stubs; a new course "
            "folder shows the lines",
            file=sys.stderr,
        )
    try:
        nbgrader(course, "generate_assignment", chapter, "--force")
    except CoursekitError:
        if before is not None:  # nbgrader has removed the release: leave the course as it was.
            source.write_text(before, encoding="utf-8")
            nbgrader(course, "generate_assignment", chapter, "--force")
        raise
    return course / "release" / chapter / f"{chapter}.ipynb"


def source_file(course: Path, chapter: str) -> Path:
    """Return where the instructor's notebook is, solutions and hidden checks included."""
    return course / "source" / chapter / f"{chapter}.ipynb"


def nbgrader(course: Path, *arguments: str) -> None:
    """Run one of nbgrader's commands in a course, or raise `CoursekitError` with its reason."""
    command = [sys.executable, "-m", "nbgrader", *arguments]
    # nbgrader runs `alembic`, which lies beside Python in an environment that is not activated.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        command,
        cwd=course,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise CoursekitError(f"nbgrader {' '.join(arguments)} failed: {_reason(done.stderr)}")


def _reason(log: str) -> str:
    """Return the line of a log that says why: the last exception's, or the last error's."""
    exceptions = re.findall(r"^\s+(?:\w+\.)*(\w+: .+)$", log, re.MULTILINE)
    errors = re.findall(r"ERROR\] (.+)$", log, re.MULTILINE)
    return str(([*errors, *exceptions] or ["it did not say why"])[-1])
