"""Ask for a state of a figure: the figure writes it as code, and that is the answer.

Such an exercise is one in code whose ``explorable`` names a class of the course, and whose
``binds`` name the state's field of each variable. Its checks are as in any code. Without ``binds``
the figure stands beside questions or code and answers nothing.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from coursekit.course import course_of
from coursekit.errors import DefinitionError

if TYPE_CHECKING:
    from coursekit.bank.model import Exercise

#: How long it takes to do something in a figure (minutes).
MINUTES = 6.0
#: A figure's button: on the page it fills in the answer, in a notebook it copies the answer.
PAGE_BUTTON, NOTEBOOK_BUTTON = "Use as answer", "Copy as answer"
_HOW_TO_USE = (
    f"The figure below has a button, **{NOTEBOOK_BUTTON}**. Paste what it copies into the answer "
    "cell in place of the lines there, run that cell, then run the check."
)
_PASTE_HERE = (
    f'# Press "{NOTEBOOK_BUTTON}" in the figure above and paste here; run this, then the check:'
)


def state_of(exercise: Exercise) -> dict[str, list[str]]:
    """Return the arguments that the figure's class takes: which of its fields are the answer."""
    return {"answers": [*exercise.binds.values()]} if exercise.binds else {}


def statement(exercise: Exercise) -> list[str]:
    """Return an exercise's statement for a notebook, and how the figure gives the answer. MyST."""
    text = exercise.statement.replace(PAGE_BUTTON, NOTEBOOK_BUTTON)
    return [text, _HOW_TO_USE] if exercise.binds else [text]


def starter(code: str) -> str:
    """Return a starter for a notebook: its comment names a button that is only in the page."""
    return re.sub(rf'^# .*"{PAGE_BUTTON}".*$', _PASTE_HERE, code, flags=re.MULTILINE)


def cell(exercise: Exercise) -> str:
    """Return the code of the notebook's cell that shows the figure."""
    arguments = ", ".join(f"{key}={value!r}" for key, value in state_of(exercise).items())
    return code_of(exercise.path, str(exercise.explorable), arguments)


def code_of(path: Path | str, figure: str, arguments: str) -> str:
    """Return code that shows a figure of the course to which a file belongs."""
    package, _, name = course_of(path).explorables.rpartition(".")
    if not name:
        raise DefinitionError(
            f"{path}: shows the figure {figure!r}, but the course names no "
            'module of figures; add explorables = "mylib.explorables" to '
            "[project.entry-points.coursekit] in its pyproject.toml"
        )
    imports = f"from {package} import {name}" if package else f"import {name}"
    return f"{imports}\n\n{name}.{figure}({arguments})"
