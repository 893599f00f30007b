"""Honest and clumsy notebooks: what earns points, what does not, and the messages."""

from __future__ import annotations

import json
from dataclasses import replace

import nbformat
import pytest

from coursekit.assignment.source_notebook import source_notebook
from coursekit.grade.grader import Grader, _of_other_versions
from coursekit.grade.limits import Limits
from coursekit.grade.notebook_file import read_notebook
from coursekit.notebook import assignment_notebook
from coursekit.notebook.exercise_cells import WRITE_HERE, cells_of
from coursekit.verdict import TEXT_CELL

from .conftest import (
    CHAPTER,
    DOUBLE,
    EXERCISES,
    FULL,
    LIMITS,
    RIGHT,
    code,
    messages,
    notebook,
    points,
)
from .unconfined import NO_SANDBOX

#: An error that cannot say what it is.
ODD = "class Odd(Exception):\n    def __str__(self):\n        return 1 / 0\n    __repr__ = __str__"
WRONG = "def double(x):\n    return x"
NOISY = (
    "import sys, warnings\nwarnings.warn('careful')\nprint('x' * 10_000_000)\n"
    "print('oh', file=sys.stderr)\n"
)


@pytest.mark.parametrize(
    ("cells", "earned", "said"),
    [
        (["def double(x):\n    return [2.0, 4.0, 6.0]"], 1.5, "shape"),
        (["def double(x):\n    return x ** 2"], 0.0, "Twice three is six."),
        (["def double(x):\n    return float(input())"], 0.0, "EOFError"),
        ([RIGHT["counter"]], 0.0, "`double` is not defined"),
        (["import nowhere\n" + RIGHT["double"]], 0.0, "ModuleNotFoundError: No module"),
        (["import nowhere\n" + RIGHT["double"]], 0.0, "(line 1"),
        ([NOISY + RIGHT["double"]], 3.0, ""),
        ([WRONG, RIGHT["double"]], 3.0, ""),  # the last copy wins
        ([RIGHT["double"], WRONG], 0.0, ""),
    ],
)
def test_points_come_check_by_check_with_a_reason(grade, cells, earned, said):
    row = grade(*cells)
    assert points(row, "double") == earned
    assert said in messages(row, "double")


@pytest.mark.parametrize("is_starter", [True, False])
@pytest.mark.usefixtures("unconfined")
def test_an_untouched_starter_shows_no_misconception(is_starter):
    """A starter that runs, as in an exercise to mend it, fails as a mistake would."""
    mend = replace(DOUBLE, starter="def double(x):\n    return x * x\n")
    (starter,) = (part.source for part in cells_of(mend) if part.role == "answer")
    source = f"{starter}\n\n" if is_starter else starter.replace("x * x", "x ** 2")
    answer = code(source, coursekit={"exercise": "double", "role": "answer"})
    verdict = Grader([mend], NO_SANDBOX, LIMITS).grade(notebook(answer)).checks[0]
    expected = "not-started" if is_starter else "square"
    assert (verdict.status, verdict.misconception) == ("failed", expected)
    assert bool(verdict.explanation) is not is_starter


@pytest.mark.parametrize("kind", ["markdown", "raw"])
@pytest.mark.parametrize("about", [{"grade_id": "double-answer"}, {}])
def test_an_answer_that_became_a_text_cell_is_said(grade, kind, about):
    text = code(RIGHT["double"], nbgrader=about) | {"cell_type": kind}
    row = grade(text, RIGHT["counter"])
    assert messages(row, "double").endswith(f"gives. {TEXT_CELL}")  # as the notebook's check says
    assert row["status"] == "needs_review"
    assert row["reason"] == "the answer to double stands in a text cell"
    assert grade(text, RIGHT["double"])["status"] == "graded"


STUB = "def double(x):\n    raise NotImplementedError"
ANSWERS = {
    id: [code(RIGHT["double"], nbgrader={"grade_id": id, "solution": True})]
    for id in ("renamed", "double-answer")
}
CHECK = code("report()", nbgrader={"grade_id": "double-check-three_numbers", "grade": True})


@pytest.mark.parametrize(
    "cells",
    [
        ANSWERS["renamed"],  # found by name
        [*ANSWERS["double-answer"], "double = 'in passing'"],
        [code(STUB, nbgrader={"grade_id": "double-answer"}), RIGHT["double"], CHECK],
        [CHECK, *ANSWERS["double-answer"]],
        ["globals()['dou' + 'ble'] = lambda x: 2 * x"],
    ],
    ids=["renamed", "name used below", "below its cell", "below its checks", "dynamic"],
)
def test_an_answer_counts_wherever_it_stands(grade, cells):
    assert points(grade(*cells), "double") == 3.0


def test_the_notebooks_own_check_cells_do_not_run(grade):
    check = code("import os; os._exit(1)", coursekit={"exercise": "double", "role": "check"})
    row = grade(RIGHT["double"], check)
    assert row["status"] == "graded"
    assert points(row, "double") == 3.0


@pytest.mark.parametrize(
    "cell",
    [
        *("input('Your name? ')", "raise EOFError", "def f(): input()\nf()"),
        *("import sys\nsys.exit()", f"{ODD}\nraise Odd()", f"{ODD}\nraise KeyError(Odd())"),
    ],
)
def test_a_cell_that_fails_costs_that_cell_only(grade, cell):
    row = grade(cell, *RIGHT.values())
    assert (row["status"], row["score"]) == ("graded", FULL)


def test_a_notebook_without_any_answer_needs_review(grade):
    row = grade("some_other_chapter = 1")
    assert (row["status"], row["score"]) == ("needs_review", 0.0)
    assert "no answer to any exercise" in row["reason"]


@pytest.mark.parametrize("magic", ["%%time", "%%snakeviz", "# Watched:\n%%debug", "%%prun -q"])
def test_magics_shell_lines_and_help_do_no_harm(grade, magic):
    cell = "%matplotlib inline\n!rm -rf /\nfiles = !ls\ndouble?\n%time y = 3\n" + RIGHT["double"]
    written = ["%%writefile mine.py\neven = 'b'", "%%file -a mine.py\nhalf = 2.5", "%run mine.py"]
    row = grade(
        *(cell, f"{magic}\n{RIGHT['counter']}", "%%bash\nexit 1", *written),
        *("await __import__('asyncio').sleep(0)", "from mine import half", "%%python\ndouble = 1"),
    )
    assert (row["status"], row["score"]) == ("graded", FULL)


@pytest.mark.parametrize(
    "cell",
    [
        "ip = get_ipython()\nassert ip.user_ns is not None\nip.events",
        "from IPython import get_ipython as own\nassert own() is get_ipython()",
        "import IPython\nIPython.get_ipython().run_line_magic('matplotlib', 'inline')",
        "%pylab inline\narray([exp(0)])",
    ],
)
def test_what_a_notebook_uses_of_ipython_is_there(course_sandbox, cell):
    # Matplotlib takes its time on a busy machine.
    row = Grader(EXERCISES, course_sandbox, Limits()).grade(notebook(f"{cell}\n{RIGHT['double']}"))
    assert points(row.as_json(), "double") == 3.0


def test_prose_waits_for_a_person(grade):
    prose = {
        "cell_type": "markdown",
        "source": "Because of the factor two.",
        "metadata": {"nbgrader": {"grade_id": "questions-text-why"}},
    }
    row = grade(*RIGHT.values(), prose)
    assert "manual" in [check["status"] for check in row["checks"]]
    assert row["score"] == FULL
    untouched = {**prose, "source": "*Write your answer here.*"}
    assert "manual" not in [check["status"] for check in grade(untouched)["checks"]]
    row = grade(untouched, {**prose, "metadata": {}})  # typed into a cell below
    assert "manual" in [check["status"] for check in row["checks"]]


@pytest.mark.parametrize("keeps", [("cell_type", "source"), ("cell_type", "source", "metadata")])
def test_prose_without_metadata_is_found_below_its_question(grade, keeps):
    handout = json.loads(json.dumps(assignment_notebook(CHAPTER, EXERCISES)))
    cells = [{key: cell[key] for key in keeps} for cell in handout["cells"]]
    (at,) = (i for i, cell in enumerate(cells) if cell["source"] == WRITE_HERE)
    unanswered = grade(*cells)
    assert "No answer yet." in messages(unanswered, "questions")
    cells[at] = {"cell_type": "markdown", "source": "Because of the factor two."}
    row = grade(*cells)
    assert "manual" in [check["status"] for check in row["checks"]]
    assert "the answer to why was found by its place, below its question" in row["reason"]


def test_hidden_checks_follow_the_secret_and_visible_ones_do_not(grader):
    seen = (
        "seen = []\ndef double(x):\n    seen.append(x.tolist())\n    raise ValueError(str(x.sum()))"
    )
    messages_of = []
    for secret in ("first secret of the tests", "other secret of the tests"):
        other = Grader(grader._exercises, grader._sandbox, LIMITS, secret)
        row = other.grade(notebook(seen)).as_json()
        messages_of.append([c["message"] for c in row["checks"] if c["exercise"] == "double"])
    assert messages_of[0][0] == messages_of[1][0]
    assert messages_of[0][1] != messages_of[1][1]


GOOD = notebook(RIGHT["double"])
LATIN = notebook("# caf@\n" + RIGHT["double"]).replace(b"@", b"\xe9")
OLD = {"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code", "input": RIGHT["double"]}]}]}
BASH = json.loads(GOOD) | {"metadata": {"kernelspec": {"name": "bash", "language": "bash"}}}
CONFLICT = b'{"cells": [\n<<<<<<< HEAD\n1\n=======\n2\n>>>>>>> theirs\n]}'


@pytest.mark.parametrize(
    ("data", "status", "reason"),
    [
        (b"", "unreadable", "empty"),
        (b"{not json", "unreadable", "not JSON"),
        (b"[1, 2]", "unreadable", "no object"),
        (b'{"cells": 3}', "unreadable", "no cells"),
        (b"[" * 500_000, "unreadable", "deep"),
        (b'{"nbformat": ' + b"9" * 10_000 + b"}", "unreadable", "not JSON"),
        (b"\xff\xfe\x00", "unreadable", "UTF-16"),
        (b"{\\rtf1", "unreadable", "is a text in RTF, not a notebook"),
        (CONFLICT, "unreadable", "is a file with git's marks of a conflict, not a notebook"),
        (GOOD.decode().encode("utf-16"), "needs_review", "UTF-16"),
        (LATIN, "needs_review", "Latin"),
        (GOOD + bytes(9), "needs_review", "zero bytes at its end"),
        (json.dumps(GOOD.decode()).encode(), "needs_review", "JSON within a text"),
        (json.dumps(OLD).encode(), "needs_review", "format 3"),
        (json.dumps(BASH).encode(), "needs_review", "bash"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_whatever_the_bytes_there_is_an_outcome(grade, data, status, reason):
    row = grade(data)
    assert row["status"] == status
    assert reason in row["reason"]
    assert row["max_score"] == 10.0
    assert len(row["checks"]) == 6
    assert points(row, "double") == (3.0 if status == "needs_review" else 0.0)


def test_a_late_crash_keeps_earlier_points(grade):
    row = grade(RIGHT["double"], "import os\nos._exit(3)", RIGHT["counter"])
    assert row["status"] == "crashed"
    assert points(row, "double") == 3.0
    assert points(row, "counter") == 0.0
    assert "exit status 3" in messages(row, "counter")


def test_a_syntax_error_is_told_once_and_belongs_to_the_answer(grade):
    answer = code(
        "\ndef double(x)：\n    return 2 * x", coursekit={"exercise": "double", "role": "answer"}
    )
    text = messages(grade("x = 1", answer), "double")
    assert (
        "The answer's cell stopped with SyntaxError: Python does not read ： (fullwidth colon"
        in text
    )
    assert "U+FF1A): type `:` in its place (line 2: def double(x)：)." in text
    assert "<cell" not in text


def test_a_cell_that_takes_too_long_is_stopped_and_the_rest_goes_on(grade):
    endless = "while True: pass"
    row = grade(endless, f"def double(x):\n    {endless}", RIGHT["counter"])
    assert row["status"] == "timeout"
    assert "Your code raised TimeoutError: stopped after " in messages(row, "double")
    assert points(row, "counter") == 2.0


# --- notebooks with another version of an exercise than the course has ----------------------------


@pytest.mark.parametrize("make", [assignment_notebook, source_notebook])
@pytest.mark.parametrize(("handed_out", "now"), [(1, 1), (2, 2), (1, 2), (3, 2)])
def test_work_on_another_version_is_for_a_person_to_look_at(make, handed_out, now):
    work = nbformat.writes(make("Numbers", [replace(DOUBLE, version=handed_out)])).encode()
    told = [*_of_other_versions([replace(DOUBLE, version=now)], read_notebook(work)[0])]
    line = f"its notebook has version {handed_out} of double, which was graded as version {now}"
    assert told == [line] * (handed_out != now)


@pytest.mark.parametrize("digits", [5, 2000, 4000])
def test_a_forged_version_number_floods_nothing(grade, digits):
    about = {"exercise": "double", "role": "answer", "version": int("9" * digits)}
    row = grade(code("def double(x):\n    return 2 * x", coursekit=about))
    assert row["status"] == "needs_review"
    assert "its notebook has an impossible version of double, which" in row["reason"]
    assert "9999" not in json.dumps(row)
