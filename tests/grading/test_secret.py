"""The secret: what a row records of it, and what a run with another one does."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import CHAPTER, RIGHT, hand_in, notebook, rows_of


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """Return a class of two."""
    for student in ("anton", "berta"):
        hand_in(tmp_path / "submitted", student, notebook(*RIGHT.values()))
    return tmp_path / "submitted"


@pytest.fixture
def secret(tmp_path: Path) -> list[str]:
    """Return the option with a secret."""
    (tmp_path / "secret.txt").write_text("a secret of some length\n")
    return ["--secret", str(tmp_path / "secret.txt")]


def test_a_row_tells_whether_a_secret_was_used_and_not_which(work, tmp_path, secret, run):
    results = tmp_path / "r.jsonl"
    assert "warning: without --secret FILE" in run(work)
    before = rows_of(results)
    assert [row["secret_fingerprint"] for row in before] == ["", ""]
    said = run(work, *secret)
    assert not {row["key"] for row in before} & {row["key"] for row in rows_of(results)}
    assert "secret" not in said
    first, second = (row["secret_fingerprint"] for row in rows_of(results))
    assert first == second
    assert len(first) == 8
    assert "a secret" not in results.read_text()


def test_rows_with_a_secret_are_graded_again_with_another_one_and_never_without(
    work, tmp_path, secret, run
):
    run(work, *secret)
    content = (tmp_path / "r.jsonl").read_bytes()
    before = {row["secret_fingerprint"] for row in rows_of(tmp_path / "r.jsonl")}
    line = run(work, status=2).splitlines()[-1]
    assert f"its rows of {CHAPTER} were graded with a secret; expected the same" in line
    assert (tmp_path / "r.jsonl").read_bytes() == content
    (tmp_path / "secret.txt").write_text("another secret of some length")
    assert "that were graded with another secret" in run(work, *secret)
    assert not before & {row["secret_fingerprint"] for row in rows_of(tmp_path / "r.jsonl")}
    assert "another secret" not in run(work, *secret)
