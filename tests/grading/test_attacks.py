"""Every attack in one batch, among honest submissions: none earns points or does harm."""

from __future__ import annotations

import inspect
import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from coursekit.grade.batch import run_batch
from coursekit.grade.grader import Grader
from coursekit.grade.intake import find_submissions
from coursekit.grade.pool import grade_on_this_machine
from coursekit.grade.results_file import ResultsFile

from .attacks import ATTACKS
from .attacks.attack import SERVER
from .conftest import (
    BANK,
    CHAPTER,
    EXERCISES,
    FULL,
    LIMITS,
    RIGHT,
    hand_in,
    notebook,
    processes_are_bounded,
    sandbox_for,
    task_for,
)

SECRET = "OPEN-SESAME, a secret of the tests"
_FIRST_UID = 0x7000_0000


@dataclass
class Aftermath:
    """What the batch left: rows, the folder outside, the most memory, survivors."""

    rows: dict[str, dict[str, Any]]
    outside: Path
    memory: int
    survivors: list[str]


@pytest.fixture(scope="module")
def after(tmp_path_factory: pytest.TempPathFactory) -> Aftermath:
    """Hand in honest and hostile notebooks in turn, grade them all, and inspect the machine."""
    sandbox = sandbox_for()
    sandbox.close()
    if not processes_are_bounded(sandbox):
        pytest.skip("nothing bounds a fork bomb here")
    folder = tmp_path_factory.mktemp("class")
    outside = tmp_path_factory.mktemp("outside")
    outside.chmod(0o777)
    (folder / "secret.txt").write_text(SECRET)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRADER_TOKEN", SECRET)
        with _listening(outside) as port, _WatchingMemory() as watched:
            rows = _grade_everything(folder, outside, port)
    # What was killed is gone soon, however busy the machine is; what was left behind stays.
    ending = [*_processes(watched.graders)]
    survivors = [process.name() for process in psutil.wait_procs(ending, timeout=60)[1]]
    return Aftermath(rows, outside, watched.peak, survivors)


def _grade_everything(folder: Path, outside: Path, port: int) -> dict[str, dict[str, Any]]:
    submitted = folder / "submitted"
    results = folder / "results.jsonl"
    places = _places(folder, port, outside)
    for number, (name, attack) in enumerate(ATTACKS.items()):
        hand_in(submitted, f"{number:03}-a-{_slug(name)}", notebook(places, *attack.cells))
        if number % 4 == 0:
            hand_in(submitted, f"{number:03}-honest", notebook(*RIGHT.values()))
    task = task_for(hidden=[str(submitted), str(results)], secret=SECRET)
    submissions = find_submissions(submitted, CHAPTER, task.limits.notebook_bytes)
    with ResultsFile(results) as file:
        run_batch(task, EXERCISES, submissions, file, partial(grade_on_this_machine, workers=2))
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    assert len(rows) == len(submissions)
    return {row["student"]: row for row in rows}


def _slug(name: str) -> str:
    return name.replace(" ", "-")


def _places(folder: Path, port: int, outside: Path) -> str:
    """Return the cell that defines the paths and the port for an attack."""
    names = {"PORT": port, "OUTSIDE": str(outside), "BANK": str(BANK)}
    names |= {"SUBMITTED": str(folder / "submitted"), "RESULTS": str(folder / "results.jsonl")}
    names |= {"SECRET": str(folder / "secret.txt")}
    return "\n".join(f"{name} = {value!r}" for name, value in names.items())


@contextmanager
def _listening(outside: Path) -> Iterator[int]:
    """Listen on TCP, UDP and two Unix sockets; an attack that reaches one says so."""
    with ExitStack() as open_ones:
        tcp = open_ones.enter_context(socket.create_server(("127.0.0.1", 0)))
        port = tcp.getsockname()[1]
        udp = open_ones.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", port))
        for name in (str(outside / "socket"), f"\0coursekit-test-{port}"):
            listener = open_ones.enter_context(socket.socket(socket.AF_UNIX))
            listener.bind(name)
            listener.listen()
        yield port


class _WatchingMemory:
    """Records the most memory that our submissions held at once (bytes), and our graders' ids."""

    def __init__(self) -> None:
        self.peak, self.graders = 0, set[int]()
        self._stop, self._thread = threading.Event(), threading.Thread(target=self._watch)

    def __enter__(self) -> _WatchingMemory:
        self._thread.start()
        return self

    def _watch(self) -> None:
        while not self._stop.wait(0.1):
            self.graders |= {child.pid for child in psutil.Process().children()}
            self.peak = max(self.peak, sum(map(_unshared, _processes(self.graders))))

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        self._thread.join()


def _processes(graders: set[int]) -> Iterator[psutil.Process]:
    """Yield the submissions' processes: their user id is one that only they have."""
    for process in psutil.process_iter(["uids"]):
        uids = process.info["uids"]
        if uids and uids.real - _FIRST_UID in graders:
            yield process


def _unshared(process: psutil.Process) -> int:
    with suppress(psutil.Error):
        return int(process.memory_full_info().pss)
    return 0


@pytest.mark.parametrize("name", ["ways round about", "connects", "reads other processes"])
def test_the_attack_succeeds_without_a_sandbox(tmp_path, name):
    # Otherwise the tests below would show nothing.
    (tmp_path / "secret.txt").write_text(SECRET)
    with closing(sandbox_for("none")) as sandbox, _listening(tmp_path) as port:
        grader = Grader(EXERCISES, sandbox, LIMITS)
        places = _places(tmp_path, port, tmp_path)
        row = grader.grade(notebook(places, *ATTACKS[name].cells)).as_json()
    assert row["score"] == 1.0


def test_attacks_on_the_server_find_it(grade):
    # Otherwise those attacks would do nothing.
    look = r"""
        names = ("_objects", "_packed", "_callback", "_do_call")
        if server._channel._socket and all(hasattr(server, name) for name in names):
            even = "b"
        """
    assert grade(SERVER, inspect.cleandoc(look))["score"] == 1.0


#: One of each kind: on values, on the server, on its messages, by metadata, by time, by memory …
TEN = (
    "equal to everything",
    "numbers that equal all numbers",
    "swaps types under the server",
    "forges answers in advance",
    "claims its own points",
    "endless loop that catches everything",
    "allocates at once",
    "hangs up",
    "reads checks and solutions from disk",
    "writes outside",
)


@pytest.mark.parametrize("name", TEN)
def test_each_kind_earns_nothing_and_leaves_the_next_alone(grade, tmp_path, name):
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o777)
    row = grade(_places(tmp_path, 9, outside), *ATTACKS[name].cells)
    assert row["status"] in ATTACKS[name].status, row["reason"]
    assert row["score"] == 0.0
    assert list(outside.iterdir()) == []
    assert grade(*RIGHT.values())["score"] == FULL


@pytest.mark.parametrize("name", ATTACKS)
def test_earns_nothing_and_has_its_row(after, name):
    row = next(r for s, r in after.rows.items() if s[4:] == f"a-{_slug(name)}")
    allowed = ATTACKS[name].status
    if any("os.fork()" in cell for cell in ATTACKS[name].cells):
        # The processes that it starts give way: on a busy machine their parent may wait too long.
        allowed += ("timeout",)
    assert row["status"] in allowed, row["reason"]
    assert row["score"] == 0.0, [c for c in row["checks"] if c["points"]]
    assert row["max_score"] == 10.0


def test_honest_submissions_beside_them_have_full_marks(after):
    honest = [row for student, row in after.rows.items() if student.endswith("honest")]
    assert len(honest) >= 10
    assert {(row["status"], row["score"]) for row in honest} == {("graded", FULL)}


def test_nothing_is_left_for_the_next(grade):
    # One grader, one fork server: the second notebook runs where the first one ran.
    loot = r"""
        import os
        for place in (".", "/tmp", "/dev/shm", "/var/tmp", "/", os.path.expanduser("~")):
            try:
                with open(os.path.join(place, "loot.txt"), "w") as file:
                    file.write("EMASES-NEPO"[::-1])
            except OSError:
                pass
        """
    grade(inspect.cleandoc(loot))
    assert grade(*ATTACKS["reads checks and solutions from disk"].cells)["score"] == 0.0


@pytest.mark.heavy
def test_the_machine_is_as_it_was(after):
    assert [path.name for path in after.outside.iterdir()] == ["socket"]
    assert after.survivors == []
    assert after.memory < 1 << 30
    if os.geteuid() == 0:  # otherwise submissions have our own user id, and are not told apart
        assert after.memory > 0
