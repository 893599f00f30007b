"""Checks after an answer that did not run, in a real kernel: no verdict on the code before it."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator
from itertools import count

import nbformat
import pytest
from nbclient import NotebookClient

from coursekit.kernel import attempts
from coursekit.model import Exercise

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

    def outputs(self, source: str) -> list[nbformat.NotebookNode]:
        """Run a cell and return what it gave."""
        cell = nbformat.v4.new_code_cell(source)
        self.client.nb.cells.append(cell)
        self.client.execute_cell(cell, len(self.client.nb.cells) - 1)
        return list(cell.outputs)

    def run(self, source: str) -> str:
        """Run a cell and return the text of its value, or its error."""
        for output in self.outputs(source):
            if output.output_type == "error":
                return f"{output.ename}: {output.evalue}"
            if output.output_type == "execute_result":
                return str(output.data["text/plain"])
        return ""


@pytest.fixture(scope="module")
def kernel() -> Iterator[Kernel]:
    client = NotebookClient(nbformat.v4.new_notebook(), allow_errors=True, timeout=60)
    with client.setup_kernel():
        yield Kernel(client)


@pytest.fixture
def name() -> str:
    return f"two_{next(_NAMES)}"


def check_cell(name: str) -> str:
    source = (
        "from coursekit import check, expect\n\n"
        f"@check(points=1)\ndef gives_two({name}):\n    '''Two'''\n"
        f"    rows = {name}()\n    expect(rows == 2, 'Not two.')\n"
    )
    about = {"id": name, "starter": STARTER.format(name=name), "misconceptions": {}, "known": {}}
    text = json.dumps(about | {"code": source, "names": ["gives_two"]})
    word = base64.b64encode(zlib.compress(text.encode())).decode()
    return f'#@title Check\n__import__("coursekit.kernel").kernel.check_packed("{word}", globals())'


def said_after(kernel: Kernel, name: str, *cells: str) -> str:
    for cell in cells:
        kernel.run(cell.format(name=name) if "{name}" in cell else cell)
    return kernel.run(check_cell(name))


UNREAD = 'Python does not read “ (left double quotation mark, U+201C): type `"` in its place'


@pytest.mark.parametrize(
    ("attempt", "how"),
    [
        (BROKEN, "line 2: SyntaxError: incomplete input"),
        ("{name} = “2”", f"line 1: SyntaxError: {UNREAD}"),
        ("def {name}()\n    return 2\n", "line 1: SyntaxError: expected ':'"),
        ("dfe {name}():\n    return 2\n", "line 1: SyntaxError: invalid syntax"),
        ("{name} = lambda: 2\nreturn 2\n", "line 2: SyntaxError: 'return' outside function"),
        (UNBOUND, "line 2: NameError: name '{name}_missing' is not defined"),
        ("@{name}_missing\n" + RIGHT, "line 1: NameError: name '{name}_missing' is not defined"),
    ],
)
@pytest.mark.parametrize("before", [(), (RIGHT,)], ids=["first", "again"])
def test_an_attempt_that_did_not_run_is_said_in_place_of_the_old_verdict(
    kernel: Kernel, name: str, before: tuple[str, ...], attempt: str, how: str
) -> None:
    expected = f"✗ Your last change did not run: {how.format(name=name)}. {MENDED}"
    assert said_after(kernel, name, *before, attempt) == expected


@pytest.mark.parametrize(
    "between", ["1 + 1", "1 / 0", "other = [", "!true", "{name}?", "import numpy as np", "%pwd"]
)
@pytest.mark.parametrize("attempt", [BROKEN, UNBOUND], ids=["syntax", "run time"])
def test_cells_in_between_change_nothing(
    kernel: Kernel, name: str, attempt: str, between: str
) -> None:
    kernel.run("from coursekit.kernel import check_answer")
    said = said_after(kernel, name, RIGHT, check_cell(name), attempt, between, check_cell(name))
    assert said.startswith("✗ Your last change did not run: line 2: ")


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
        (BROKEN, "exec('def {name}(): return 3')"),
        (BROKEN, "globals()['{name}'] = lambda: 3"),
        (BROKEN, "get_ipython().push(dict({name}=lambda: 3))"),
        (WRONG + "\n{name}() / 0\n",),
        (WRONG + "{name}(); 1 / 0\n",),
        ("%%time\n" + WRONG,),
        ("!echo '[\n" + WRONG,),
        ("%matplotlib inline\nimport asyncio\nawait asyncio.sleep(0)\n" + WRONG,),
        # The same source fails, and runs later: it needed another cell.
        (
            "del_{name} = 0",
            "{name} = need_{name}",
            "need_{name} = lambda: 3",
            "{name} = need_{name}",
        ),
    ],
)
def test_it_is_never_said_of_an_answer_that_ran(
    kernel: Kernel, name: str, cells: tuple[str, ...]
) -> None:
    assert said_after(kernel, name, check_cell(name), *cells).startswith("Not there yet.")


def test_a_starter_that_raises_is_not_started(kernel: Kernel, name: str) -> None:
    raises = "{name} = 0\nraise NotImplementedError\n{name} = ..."
    for starter in (STARTER, STARTER + "print({name}())\n", raises):
        assert "did not run" not in said_after(kernel, name, check_cell(name), starter)


def test_a_form_is_not_checked_either(kernel: Kernel, name: str) -> None:
    form = f"{name}={{'options': ['a']}}"
    said = f"from coursekit.kernel import check_forms\n\ncheck_forms(globals(), {form})"
    kernel.run(f"{name} = 'a'")
    assert kernel.run(said).startswith("· ")
    kernel.run(f"{name} = 'a")
    assert kernel.run(said).startswith("✗ Your last change did not run: line 1: SyntaxError")


def test_the_numbers_of_a_reset_shell_are_not_mistaken(kernel: Kernel, name: str) -> None:
    reset, attempt = "get_ipython().reset(new_session=True)", "{name} = need_{name}"
    assert "did not run" in said_after(kernel, name, reset, check_cell(name), attempt)
    again = said_after(kernel, name, reset, f"need_{name} = lambda: 3", attempt)
    assert again.startswith("Not there yet.")


def test_without_ipython_the_names_are_judged(double: Exercise) -> None:
    assert attempts.failed_attempt(globals(), {"double"}) == ""


LOOP = "def {name}():\n    count = 0\n    while True:\n        count += 1\n"


def test_an_interrupt_is_told_in_one_line_and_ends_the_run(kernel: Kernel, name: str) -> None:
    # The kernel is interrupted as by SIGINT, after some processor time of its own.
    kernel.run("import signal\nsignal.signal(signal.SIGVTALRM, signal.default_int_handler)")
    kernel.run(check_cell("nothing_yet"))  # what checks import is no part of that time
    kernel.run(LOOP.format(name=name))
    stopped = f"signal.setitimer(signal.ITIMER_VIRTUAL, 0.5)\n{check_cell(name)}"
    (output,) = kernel.outputs(stopped)
    assert output.output_type == "error"  # so that *Run All* stops here, too
    (line,) = output.traceback
    why = r"Stopped\. The usual reason is a loop that never ends: line [34] of your code: "
    assert re.fullmatch(why + r"(while True:|count \+= 1)", line)
