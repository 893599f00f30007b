"""Checks in a real kernel: which code is judged, and how what does not end is stopped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from coursekit.in_notebook.obfuscated import pack

MENDED = "Mend it, run its cell, then this one."
STARTER = "def {name}():\n    raise NotImplementedError('Replace this line with your code.')\n"
RIGHT, WRONG = "def {name}():\n    return 2\n", "def {name}():\n    return 3\n"
BROKEN = "def {name}():\n    return [2\n"
UNBOUND = "rows = 3\n{name} = {name}_missing(rows)\n"
_NAMES = count()


class Kernel:
    """One kernel for all tests here; each takes a name of its own for its answer."""

    def __init__(self, client: NotebookClient) -> None:
        self.client = client

    def cell(self, source: str) -> nbformat.NotebookNode:
        """Run a cell and return it."""
        cell = nbformat.v4.new_code_cell(source)
        self.client.nb.cells.append(cell)
        self.client.execute_cell(cell, len(self.client.nb.cells) - 1)
        return cell

    def run(self, source: str) -> str:
        """Run a cell and return the text of its value, or its error."""
        for output in self.cell(source).outputs:
            if output.output_type == "error":
                return f"{output.ename}: {output.evalue}"
            if output.output_type == "execute_result":
                return str(output.data["text/plain"])
        return ""


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    folder = {"metadata": {"path": str(tmp_path_factory.mktemp("kernel"))}}
    client = NotebookClient(
        nbformat.v4.new_notebook(), allow_errors=True, timeout=60, resources=folder
    )
    with client.setup_kernel():
        yield Kernel(client)


@pytest.fixture
def name(kernel: Kernel) -> str:
    """Return the name of an answer whose checks the notebook has."""
    name = f"two_{next(_NAMES)}"
    checks = (
        f"from coursekit import check, expect\n\n@check(points=1)\ndef gives_two({name}):\n"
        f"    '''Two'''\n    rows = {name}()\n    expect(rows == 2, 'Not two.')\n"
    )
    about = {
        "exercise": name,
        "version": 1,
        "title": name,
        "points": 1.0,
        "hidden": 0,
        "by_hand": 0,
        "names": [name],
        "answer": f"{name}-answer",
        "given": [],
        "chapter": [],
        "setup": "",
        "uses": [],
        "starter": STARTER.format(name=name),
        "solution": "",
        "without_torch": False,
        "check_source": checks,
        "checks": ["gives_two"],
        "titles": {"gives_two": "Two"},
        "misconceptions": {},
        "known": {},
    }
    kernel.run(f'import coursekit; coursekit.in_notebook.load_checks("{pack({name: about})}")')
    return name


def check_cell(name: str) -> str:
    return f'import coursekit; coursekit.check_answer("{name}")'


def said_after(kernel: Kernel, name: str, *cells: str) -> str:
    for cell in cells:
        kernel.run(cell.format(name=name) if "{name}" in cell else cell)
    return kernel.run(check_cell(name))


@pytest.mark.parametrize(
    ("attempt", "how"),
    [
        (BROKEN, "SyntaxError: '[' was never closed (line 2: return [2)"),
        ("def {name}()\n    return 2\n", "SyntaxError: expected ':' (line 1: def {name}())"),
        ("dfe {name}():\n    return 2\n", "SyntaxError: invalid syntax (line 1: dfe {name}():)"),
        (
            "{name} = lambda: 2\nreturn 2\n",
            "SyntaxError: 'return' outside function (line 2: return 2)",
        ),
        (
            UNBOUND,
            "NameError: name '{name}_missing' is not defined "
            "(line 2: {name} = {name}_missing(rows))",
        ),
        (
            "@{name}_missing\n" + RIGHT,
            "NameError: name '{name}_missing' is not defined (line 1: @{name}_missing)",
        ),
    ],
)
@pytest.mark.parametrize("before", [(), (RIGHT,)], ids=["first", "again"])
def test_an_attempt_that_did_not_run_is_said_in_place_of_the_old_verdict(
    kernel: Kernel, name: str, before: tuple[str, ...], attempt: str, how: str
) -> None:
    said = said_after(kernel, name, *before, attempt)
    assert said.startswith(f"✗ Your answer does not run: {how.format(name=name)}.")
    assert said.endswith(MENDED)


@pytest.mark.parametrize(
    "between", ["1 + 1", "1 / 0", "other = [", "!true", "{name}?", "import numpy as np", "%pwd"]
)
@pytest.mark.parametrize("attempt", [BROKEN, UNBOUND], ids=["syntax", "run time"])
def test_cells_in_between_change_nothing(
    kernel: Kernel, name: str, attempt: str, between: str
) -> None:
    said = said_after(kernel, name, RIGHT, check_cell(name), attempt, between, check_cell(name))
    assert said.startswith("✗ Your answer does not run: ")


@pytest.mark.parametrize(
    "cells",
    [
        (BROKEN, WRONG),
        (UNBOUND, WRONG),
        (WRONG, "1 / 0"),
        (WRONG, "{name}(["),
        (WRONG, "{name}() == [2"),
        (WRONG, "print {name}()"),
        (WRONG, "if {name}(:"),
        (BROKEN, "%%capture\n" + WRONG),
        ("globals()['{name}'] = lambda: 3",),
        ("get_ipython().push(dict({name}=lambda: 3))",),
        (WRONG + "\n{name}() / 0\n",),
        (WRONG + "{name}(); 1 / 0\n",),
        ("%%time\n" + WRONG,),
        ("!echo '[\n" + WRONG,),
        ("%matplotlib inline\nimport asyncio\nawait asyncio.sleep(0)\n" + WRONG,),
        # A helper may stand in a cell of its own.
        ("need_{name} = lambda: 3", "{name} = need_{name}"),
    ],
)
def test_it_is_never_said_of_an_answer_that_ran(
    kernel: Kernel, name: str, cells: tuple[str, ...]
) -> None:
    assert said_after(kernel, name, check_cell(name), *cells).startswith("Not there yet.")


def test_a_starter_that_raises_is_not_started(kernel: Kernel, name: str) -> None:
    raises = "{name} = 0\nraise NotImplementedError\n{name} = ..."
    for starter in (STARTER, STARTER + "print({name}())\n", raises):
        assert "does not run" not in said_after(kernel, name, check_cell(name), starter)


def test_what_another_cell_has_left_is_not_the_answer_s(kernel: Kernel, name: str) -> None:
    uses = "def {name}():\n    return left_by_a_magic\n"
    said = said_after(kernel, name, "globals()['left_by_a_magic'] = 2", uses)
    assert "NameError: name 'left_by_a_magic' is not defined" in said
    assert "what it uses has to stand in its cell" in said


def test_what_was_checked_and_has_changed_is_said_in_the_progress(
    kernel: Kernel, name: str
) -> None:
    assert said_after(kernel, name, RIGHT).startswith("✓ Done.")
    kernel.run(WRONG.format(name=name))
    rows = kernel.run("coursekit.progress()").splitlines()
    (row,) = [row.split(maxsplit=1)[1] for row in rows if row.split()[0] == name]
    assert row == "1 of 1  changed since: check it again"
    assert said_after(kernel, name, RIGHT).startswith("✓ Done.")


def test_the_folder_of_verdicts_stands_beside_the_notebook(kernel: Kernel, name: str) -> None:
    said_after(kernel, name, "import os; os.chdir('/')", WRONG)
    (path,) = (kernel.client.resources["metadata"]["path"],)
    assert (Path(path) / ".coursekit" / f"{name}.json").is_file()


LOOP = "def {name}():\n    count = 0\n    while True:\n        count += 1\n"
WHERE = r"The usual reason is a loop that never ends{}line [34]: (while True:|count \+= 1)"


def test_what_does_not_end_is_stopped_in_one_sentence(kernel: Kernel, name: str) -> None:
    kernel.run("coursekit.judge.stopped.SECONDS = 0.5")
    said = said_after(kernel, name, LOOP)
    kernel.run("coursekit.judge.stopped.SECONDS = 8")
    still = r"✗ Stopped: the code was still running after 0\.5 seconds\. "
    assert re.fullmatch(still + WHERE.format(r" \(") + r"\)\.", said), said


def test_an_interrupt_is_told_in_one_line_and_ends_the_run(kernel: Kernel, name: str) -> None:
    # The kernel is interrupted as by SIGINT, after some processor time of its own.
    kernel.run("import signal\nsignal.signal(signal.SIGVTALRM, signal.default_int_handler)")
    kernel.run(LOOP.format(name=name))
    cell = kernel.cell(f"signal.setitimer(signal.ITIMER_VIRTUAL, 0.5)\n{check_cell(name)}")
    (output,) = cell.outputs
    assert output.output_type == "error"  # so that *Run All* stops here, too
    (line,) = output.traceback
    assert re.fullmatch(r"Stopped\. " + WHERE.format(": "), line)
