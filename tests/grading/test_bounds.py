"""How long one notebook can hold a worker: bounds on its code, on the grader's time, on tries."""

from __future__ import annotations

import ast
import socket
import threading
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from coursekit.bank.load import load_bank, load_sources
from coursekit.cli import main
from coursekit.grade.grader import Grader
from coursekit.grade.notebook_file import Cell
from coursekit.grade.plan import plan
from coursekit.grade.session import Session, SessionOver
from coursekit.grade.wire import Channel
from coursekit.sandbox.sandbox import Ending

from .conftest import (
    BANK,
    CHAPTER,
    FULL,
    LIMITS,
    RIGHT,
    code,
    grade_words,
    hand_in,
    notebook,
    rows_of,
)

EXERCISES = load_bank(BANK).chapter(CHAPTER)


@pytest.mark.parametrize(
    ("cells", "seen", "allowed"),
    [
        (["x = 1"] * 498, "501 cells of code", "at most 500"),
        ([f"double = {'9' * 11_000!r}"] * 460, "5.1 million characters", "at most 5 million"),
    ],
)
def test_more_code_than_is_run_is_refused_by_name(grade, cells, seen, allowed):
    row = grade(*RIGHT.values(), *cells)
    assert (row["status"], row["score"]) == ("unreadable", 0.0)
    for words in (seen, allowed, "Hand in a notebook with"):
        assert words in row["reason"]


def test_outputs_text_and_skipped_cells_do_not_count(grade):
    picture = {"output_type": "display_data", "data": {"image/png": "A" * 9_000_000}}
    shown = {**code(RIGHT["double"]), "outputs": [picture]}
    text = {"cell_type": "markdown", "source": "t" * 10_000, "metadata": {}}
    skipped = code("x = 1", tags=["skip-execution"])
    row = grade(shown, RIGHT["counter"], RIGHT["questions"], *[text] * 600, *[skipped] * 600)
    assert (row["status"], row["score"]) == ("graded", FULL)


def _parsed(monkeypatch: pytest.MonkeyPatch, sources: list[str]) -> int:
    """Return how many characters planning parses."""
    parsed = []
    parse = ast.parse
    with monkeypatch.context() as patch:  # pytest parses, too, to say what has failed
        patch.setattr(ast, "parse", lambda source: parsed.append(len(source)) or parse(source))
        plan([Cell(source, is_code=True) for source in sources], EXERCISES)
    return sum(parsed)


def test_only_what_may_hold_an_answer_is_parsed_and_not_much_of_it(monkeypatch):
    assert _parsed(monkeypatch, [f"x{i} = {'1' * 9_000!r}" for i in range(500)]) == 0
    assert _parsed(monkeypatch, ["double = a" + "\N{COMBINING DOT BELOW}" * 1000]) == 0
    padding = [f"double_{i} = {'1' * 9_900!r}" for i in range(500)]
    assert 900_000 < _parsed(monkeypatch, padding) <= 1_000_000


def test_an_answer_is_found_below_everything_that_is_not_parsed(grade):
    padding = [f"double_{i} = {'1' * 99_000!r}" for i in range(20)]
    assert grade(*padding, *RIGHT.values())["score"] == FULL
    # Python takes the letter for an ordinary d.
    assert grade(RIGHT["double"].replace("double", "\N{MATHEMATICAL BOLD SMALL D}ouble"))["score"]


BUSY = '''
"""Be busy."""

import time

from coursekit import check, exercise

exercise(id="busy", chapter="work", title="Busy", hints=[])


def busy():
    # BEGIN SOLUTION
    return 1
    # END SOLUTION


def _work():
    end = time.process_time() + 0.4
    while time.process_time() < end:
        pass
'''.lstrip()


def test_the_graders_own_time_counts_for_all_checks_together(grader):
    checks = [
        f'\n\n@check(points=1)\ndef c{i}(busy):\n    """Is"""\n    _work()\n' for i in range(9)
    ]
    file = Path("/in memory/work/busy.py")
    exercises = load_sources({file: BUSY + "".join(checks)}).chapter("work")
    limits = replace(LIMITS, total_seconds=1.0)
    row = Grader(exercises, grader._sandbox, limits).grade(notebook("def busy(): return 1"))
    assert (row.status, row.score) == ("timeout", 2.0)
    assert "kept the grader busy for more than 1 second" in row.reason


class _Silent:
    """A sandbox whose submission never answers; it has used, and waited for, the processor."""

    def __init__(self, used: float, queued: float) -> None:
        self._used, self._queued = used, queued

    def fork(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        self._thread = threading.Thread(target=self._listen, args=(theirs,))
        self._thread.start()
        return ours

    def _listen(self, theirs: socket.socket) -> None:
        with theirs, suppress(EOFError, OSError):
            while True:
                Channel(theirs, LIMITS).receive()

    def seconds_used(self) -> float:
        return self._used

    def seconds_queued(self) -> float:
        return self._queued

    def end(self) -> Ending:
        self._thread.join()
        return Ending(signal=9)


@pytest.mark.parametrize(
    ("used", "queued", "is_idle"), [(0.0, 0.0, True), (9.0, 0.0, False), (0.0, 9.0, False)]
)
def test_only_a_wait_of_its_own_makes_a_submission_idle(used, queued, is_idle):
    session = Session(_Silent(used, queued), replace(LIMITS, grace_seconds=0.0, wall_factor=1.0))
    with pytest.raises(SessionOver):
        session.request(0.1, do="names", names=["double"])
    assert session.is_idle is is_idle


SLEEPS = (
    "import time\nwhile True:\n    try:\n        time.sleep(1000)\n    except BaseException: pass"
)
WAITS = "import time\ntime.sleep(1000)"
SPINS = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    """Return the rows of three that run out of time, each in its way."""
    folder = tmp_path_factory.mktemp("slow")
    for student, cell in {"sleeps": SLEEPS, "waits": WAITS, "spins": SPINS}.items():
        hand_in(folder / "class", student, notebook(RIGHT["double"], cell))
    limits = ["--jobs", "2", "--cell-seconds", "0.3", "--total-seconds", "3"]
    assert main(grade_words(folder / "class", folder / "results.jsonl", *limits)) == 0
    return {str(row["student"]): row for row in rows_of(folder / "results.jsonl")}


@pytest.mark.parametrize("student", ["sleeps", "waits"])
def test_what_waits_is_not_tried_again_and_keeps_its_points(slow, student):
    row = slow[student]
    assert (row["status"], row["score"], row["is_idle"]) == ("timeout", 3.0, True)
    assert row["reason"].endswith("it waited instead of computing, and was not tried again")


def test_what_computes_is_tried_again(slow):
    row = slow["spins"]
    assert (row["status"], row["score"], row["is_idle"]) == ("timeout", 3.0, False)
    assert row["reason"].endswith("a second try alone ended in the same way")


def test_the_help_says_how_long_one_try_takes(capsys):
    with pytest.raises(SystemExit):
        main(["grade", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "takes at most 4 times --total-seconds and a minute for the grader" in said
    assert "(13 minutes by default)" in said
