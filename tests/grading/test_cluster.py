"""Grading on dask workers: the rows of one machine, and nothing sent for others to read."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from coursekit.cli import main
from coursekit.errors import CoursekitError
from coursekit.grade.pool import Job, grade_on_cluster

from .conftest import BANK, CHAPTER, RIGHT, hand_in, notebook
from .conftest import rows_of as rows
from .test_grader_process import RIGHT as RIGHT_DOSE
from .test_grader_process import poison_task


def grade(tmp_path: Path, *where: str) -> list[dict[str, Any]]:
    """Return a class's rows; in a process of its own, for a local cluster changes this one."""
    results = tmp_path / f"{where[0].strip('-')}.jsonl"
    words = ["grade", CHAPTER, str(tmp_path / "submitted"), "--results", str(results)]
    words += ["--exercises", str(BANK), "--secret", str(tmp_path / "secret.txt"), *where]
    subprocess.run([sys.executable, "-m", "coursekit.cli", *words], check=True)
    return rows(results)


@pytest.mark.heavy
@pytest.mark.timeout(900)  # it starts a dozen graders, and a busy machine takes long for each
def test_a_cluster_gives_the_rows_of_one_machine_and_survives_what_kills_its_workers(tmp_path):
    import dask
    from distributed import LocalCluster

    (tmp_path / "secret.txt").write_text("a secret of thirty characters, or more")
    for number in range(12):
        cells = ["thought = 1", *(RIGHT.values() if number % 3 == 0 else ())]
        hand_in(tmp_path / "submitted", f"student-{number:02}", notebook(*cells))
    quiet: dict[str, Any] = {"dashboard_address": None, "silence_logs": 50}
    # One lost worker is enough: a busy machine takes long to start another.
    once = dask.config.set({"distributed.scheduler.allowed-failures": 0})
    with once, LocalCluster(n_workers=2, threads_per_worker=1, **quiet) as cluster:
        there = grade(tmp_path, "--dask", cluster.scheduler_address)
        poison = notebook("def dose(): return 'kill its parent'")
        jobs: list[Job] = [(n, poison if n == 5 else RIGHT_DOSE, ()) for n in range(12)]
        done = grade_on_cluster(poison_task(), jobs, address=cluster.scheduler_address)
        outcomes = {label: row for label, row, _ in done}
    assert there == grade(tmp_path, "--jobs", "1")
    assert len(outcomes) == 12
    assert outcomes.pop(5)["status"] == "crashed"
    assert {row["score"] for row in outcomes.values()} == {1.0}


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("there:8786", "expected tls://HOST:8786"),
        ("tls://there", "expected tls://HOST:8786"),
        ("tcp://192.0.2.7:8786", "another machine can reach this"),
        ("tcp://no-such-machine.invalid:8786", "another machine can reach this"),
    ],
)
def test_nothing_is_sent_where_others_could_read_it(tmp_path, capsys, address, message):
    results = str(tmp_path / "r.jsonl")
    assert main(["grade", CHAPTER, str(tmp_path), "--results", results, "--dask", address]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("scheme", ["tcp", "tls"])
def test_no_scheduler_is_one_line(monkeypatch, scheme):
    monkeypatch.setattr("coursekit.grade.pool._CONNECT_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"{scheme}://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(CoursekitError, match=f"no dask scheduler at {address} ") as raised:
        list(grade_on_cluster(poison_task(), [(0, RIGHT_DOSE, ())], address=address))
    assert "\n" not in str(raised.value)
