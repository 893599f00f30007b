"""A changed check never changes a mark silently, and words change none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from coursekit.cli import main
from coursekit.grade.regrade import change_of, raised, settled
from coursekit.results import read_results
from coursekit.row import Row
from coursekit.verdict import Status, Verdict

from .conftest import CHAPTER, RIGHT, code, edit, notebook


@pytest.fixture
def grade(course, unconfined, capsys) -> Callable[..., str]:
    """Return a function that grades the class and returns what the run said."""

    def run(*more: str) -> str:
        words = ["grade", CHAPTER, "class", "--results", "r.jsonl", "--exercises", "exercises"]
        assert main([*words, "--jobs", "1", *more]) == 0
        return capsys.readouterr().out

    return run


def scores() -> dict[str, float]:
    return {row.student: row.score for row in read_results(Path("r.jsonl"))}


def test_a_changed_check_says_whose_marks_changed(course, grade):
    grade()
    edit(course, "questions", "± 0.01", "± 0.001")
    assert "2 graded now\nchanged: bob 8 → 6; lower: 1\n" in grade()
    assert scores() == {"ada": 8, "bob": 6}
    _, bob = read_results(Path("r.jsonl"))
    assert bob.former["questions"].points == 3  # 1 of the other question
    assert "changed:" not in grade()
    # The flag also mends what an earlier run has lowered, without grading anything.
    said = grade("--keep-higher")
    assert "0 graded now, 2 kept from an earlier run\nchanged: bob 6 → 8; lower: 0\n" in said
    assert scores() == {"ada": 8, "bob": 8}
    assert "changed:" not in grade()  # what was kept stays
    assert scores() == {"ada": 8, "bob": 8}
    # Graded again without the flag, the newest checks count.
    assert "changed: bob 8 → 6; lower: 1\n" in grade("--again", "graded")
    edit(course, "questions", "± 0.001", "± 0.02")
    assert "changed: bob 6 → 8; lower: 0\n" in grade()
    assert read_results(Path("r.jsonl"))[1].former == {}


@pytest.mark.parametrize("later", [False, True])
def test_the_higher_mark_is_kept_on_every_path(course, grade, capsys, later):
    grade("--gradebook", "sqlite:///g.db")
    edit(course, "questions", "± 0.01", "± 0.001")
    edit(course, "double", "points=1.5)\ndef three", "points=2)\ndef three")
    if later:
        said = grade("--gradebook", "sqlite:///g.db")
        assert "changed: bob 8 of 10 → 6.5 of 10.5, ada 8 of 10 → 8.5 of 10.5; lower: 1" in said
    said = grade("--keep-higher", "--gradebook", "sqlite:///g.db")
    every = "ada 8 of 10 → 8.5 of 10.5, bob 8 of 10 → 8.5 of 10.5"
    assert f"changed: {'bob 6.5 → 8.5' if later else every}; lower: 0\n" in said
    for more in ([], ["--gradebook", "sqlite:///g.db"]):
        main(["export", "r.jsonl", "--format", "nbgrader", *more])
        captured = capsys.readouterr()
        lines = [line for line in captured.out.splitlines() if line.startswith(CHAPTER)]
        assert [line.split(",")[-4:] for line in lines] == [["8.5", "0.0", "8.5", "10.5"]] * 2
        assert "newer than the gradebook" not in captured.err
        main(["export", "r.jsonl", "--format", "totals", *more])
        assert "bob,8.5,80.9524\n" in capsys.readouterr().out
        main(["feedback", "r.jsonl", "-o", "out", "--exercises", "exercises", *more])
        page = Path("out/bob.html").read_text(encoding="utf-8")
        assert "8.5 of 10.5 points" in page
        told = "This was graded again, with 1 of 5 points. The earlier, higher result counts."
        assert told in page


def test_feedback_tells_the_former_points(course, grade):
    grade()
    edit(course, "questions", "± 0.01", "± 0.001")
    grade()
    main(["feedback", "r.jsonl", "-o", "out", "--exercises", "exercises"])
    ada, bob = (Path(f"out/{who}.html").read_text(encoding="utf-8") for who in ("ada", "bob"))
    assert "This was graded again. Before, it had 3 of 5 points." in bob
    assert "graded again" not in ada


def test_other_work_is_no_changed_check(course, grade):
    grade()
    path = course / "class" / "ada" / CHAPTER / f"{CHAPTER}.ipynb"
    first = path.read_bytes()
    path.write_bytes(notebook(RIGHT["double"]))
    assert "1 kept from an earlier run\nhanded in again: ada 8 → 3; lower: 1\n" in grade()
    (ada, _) = read_results(Path("r.jsonl"))
    assert ada.former == {}
    assert [attempt.score for attempt in ada.attempts] == [8]
    # --keep-higher is about the same work alone.
    assert "lower" not in grade("--keep-higher")
    path.write_bytes(first)
    assert "handed in again: ada 3 → 8; lower: 0\n" in grade("--only", "ada")
    (ada, _) = read_results(Path("r.jsonl"))
    assert [attempt.score for attempt in ada.attempts] == [3]


def test_exercises_come_and_go(course, grade):
    grade()
    counter = course / "exercises" / CHAPTER / "counter.py"
    counter.rename(course / "counter.py")
    assert "changed: ada 8 of 10 → 6 of 8, bob 8 of 10 → 6 of 8; lower: 2\n" in grade()
    (course / "counter.py").rename(counter)
    assert "changed: ada 6 of 8 → 8 of 10, bob 6 of 8 → 8 of 10; lower: 0\n" in grade()
    assert all(row.former == {} for row in read_results(Path("r.jsonl")))


# --- the rule, without a grader ------------------------------------------------------------


def row(work: str = "w", status: str = "graded", most: float = 3, **points: float) -> Row:
    checks = tuple(
        Verdict(
            exercise=exercise,
            check="c",
            status=Status.PASSED if earned == most else Status.FAILED,
            points=earned,
            max_points=most,
        )
        for exercise, earned in points.items()
    )
    made = replace(Row.of(checks, status), student="eve", work=work)
    return replace(made, versions=dict.fromkeys(points, 1), check_hashes=dict.fromkeys(points, "h"))


def test_each_exercise_keeps_its_higher_result():
    new = settled(row(a=3, b=1), row(a=2, b=3), keep_higher=True)
    assert new.score == 6
    assert (new.former["a"].points, new.former["a"].is_newer) == (2, True)
    assert (new.former["b"].points, new.former["b"].is_newer) == (1, False)


def test_the_best_of_all_results_can_be_kept():
    low = settled(settled(row(a=3), row(a=1)), row(a=2))
    assert (low.score, low.former["a"].points) == (2, 3)
    assert raised(low).score == 3
    assert raised(raised(low)) == raised(low)
    assert settled(raised(low), row(a=2)) == low


def test_other_points_are_another_question():
    new = settled(row(a=3), row(a=2, most=2), keep_higher=True)
    assert (new.score, new.max_score, new.former["a"].points) == (2, 2, 3)
    assert change_of(row(a=3), new).is_lower


@pytest.mark.parametrize("seed", range(20))
def test_whatever_the_order_the_best_is_known_and_the_points_are_those_of_the_checks(seed):
    random = Random(seed)
    now = row(a=random.randint(0, 3), b=random.randint(0, 3))
    seen = {name: [points] for name, points in points_of(now).items()}
    for _ in range(6):
        new = row(a=random.randint(0, 3), b=random.randint(0, 3))
        for name, points in points_of(new).items():
            seen[name].append(points)
        keeps = random.random() < 0.5
        now = settled(now, new, keep_higher=keeps)
        assert now.score == sum(points_of(now).values())
        for name, points in points_of(now).items():
            other = now.former[name].points if name in now.former else points
            assert max(points, other) == max(seen[name])
            assert points == (max(seen[name]) if keeps else points_of(new)[name])


def points_of(row: Row) -> dict[str, float]:
    return {check.exercise: check.points for check in row.checks}


def test_what_counts_says_which_checks_found_it():
    old = replace(row(a=3), versions={"a": 1}, check_hashes={"a": "old"})
    new = replace(row(a=1), versions={"a": 2}, check_hashes={"a": "new"})
    kept = settled(old, new, keep_higher=True)
    assert (kept.versions, kept.check_hashes) == ({"a": 1}, {"a": "old"})
    assert (kept.former["a"].version, kept.former["a"].check_hash) == (2, "new")
    assert Row.from_json(kept.as_json()) == kept


def test_withdrawn_and_empty_work_is_no_attempt():
    assert settled(replace(row("v", a=3), withdrawn=True), row(a=1)).attempts == ()
    assert settled(row("v", a=0), row(a=1)).attempts == ()
    twice = settled(settled(row("v", a=2), row("u", a=3)), row(a=1))
    assert [attempt.work for attempt in twice.attempts] == ["v", "u"]
    back = settled(twice, row("v", a=2))
    assert [attempt.work for attempt in back.attempts] == ["u", "w"]


# --- the code of wrong answers -------------------------------------------------------------


def test_a_row_has_the_code_of_wrong_answers_alone(grader):
    square = code("def double(x):\n    return x*x  # ?", nbgrader={"grade_id": "double-answer"})
    right = code(RIGHT["counter"], nbgrader={"grade_id": "counter-answer"})
    row = grader.grade(notebook(square, right))
    assert row.answers == {"double": "def double(x):\n    return x * x"}
    odd = code("def double(x):\n    return '\u202e\x1b[2J'", nbgrader={"grade_id": "double-answer"})
    answer = grader.grade(notebook(odd)).answers["double"]
    assert "\u202e" not in answer
    assert "\x1b" not in answer
