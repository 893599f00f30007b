"""The secret: what a row records of it, and what a run with another one does."""

from __future__ import annotations

from pathlib import Path

import pytest

from coursekit.cli import main

from .conftest import CHAPTER, RIGHT, grade_words, hand_in, notebook, rows_of

pytestmark = pytest.mark.usefixtures("unconfined")


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


def fingerprints(results: Path) -> list[str]:
    """Return what the rows record of the secret."""
    return [row["secret_fingerprint"] for row in rows_of(results)]


def test_a_row_tells_whether_a_secret_was_used_and_not_which(work, tmp_path, secret, capsys):
    results = tmp_path / "r.jsonl"
    assert main(grade_words(work, results)) == 0
    assert "warning: without --secret FILE" in capsys.readouterr().err
    assert fingerprints(results) == ["", ""]
    keys = {row["key"] for row in rows_of(results)}
    assert main(grade_words(work, results, *secret)) == 0
    assert not keys & {row["key"] for row in rows_of(results)}
    captured = capsys.readouterr()
    assert "secret" not in captured.err
    first, second = fingerprints(results)
    assert first == second
    assert len(first) == 8
    assert "a secret" not in results.read_text() + captured.out


def test_rows_with_a_secret_are_graded_again_with_another_one_and_never_without(
    work, tmp_path, secret, capsys
):
    results = tmp_path / "r.jsonl"
    assert main(grade_words(work, results, *secret)) == 0
    before, content = fingerprints(results), results.read_bytes()
    assert main(grade_words(work, results)) == 2
    line = capsys.readouterr().err.splitlines()[-1]
    assert f"its rows of {CHAPTER} were graded with a secret; expected the same" in line
    assert results.read_bytes() == content
    (tmp_path / "secret.txt").write_text("another secret of some length")
    assert main(grade_words(work, results, *secret)) == 0
    assert "that were graded with another secret" in capsys.readouterr().err
    assert not set(before) & set(fingerprints(results))
    assert main(grade_words(work, results, *secret)) == 0
    assert "another secret" not in capsys.readouterr().err
