"""Statistics of a class: what a check has in common with other exercises, scores, wrong code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from coursekit.cli import main
from coursekit.grade.wrong_answers import answer_to, plain_code, wrong_answers
from coursekit.judge.verdict import NOT_STARTED, Status, Verdict
from coursekit.results.items import items
from coursekit.row import Row

from .conftest import row


def verdict(exercise: str, check: str, share: float, **changes: Any) -> Verdict:
    passed = Status.PASSED if share == 1 else Status.FAILED
    values = {"status": passed, "points": share, "max_points": 1.0} | changes
    return Verdict(exercise=exercise, check=check, **values)


def answered(student: str, points: dict[str, list[float]], **answers: str) -> dict[str, Any]:
    """Return the row of a student with these points by exercise, one check of a point each."""
    checks = [
        verdict(exercise, f"c{number}", share)
        for exercise, own in points.items()
        for number, share in enumerate(own)
    ]
    made = Row.of(checks, "graded").as_json()
    return made | {"student": student, "assignment": "numbers", "answers": answers}


def made_up(count: int = 300) -> list[Row]:
    """Return students who know one exercise's four checks by heart, or not: whatever else."""
    rng = np.random.default_rng(28)
    rows = []
    for number in range(count):
        knows = float(rng.random() < 0.5)
        points = {"own": [knows] * 4}
        skill = rng.random()
        points |= {f"e{n}": [float(rng.random() < skill)] for n in range(6)}
        rows.append(Row.from_json(answered(f"s{number}", points)))
    return rows


def test_discrimination_leaves_out_the_whole_exercise() -> None:
    rows = made_up()
    found = {(item.exercise, item.check): item.discrimination for item in items(rows)}
    others = [sum(c.points for c in r.checks if c.exercise != "own") for r in rows]
    exact = np.corrcoef([r.checks[0].points for r in rows], others)[0, 1]
    for number in range(4):
        assert found["own", f"c{number}"] == pytest.approx(exact)
    assert abs(exact) < 0.15  # with the other three checks it was above 0.6
    assert all(found[f"e{n}", "c0"] > 0.15 for n in range(6))


def test_points_that_floats_add_in_another_order_are_alike() -> None:
    rows = [
        Row.from_json(answered("a", {"x": [1], "y": [0.1, 0.2, 0.3]})),
        Row.from_json(answered("b", {"x": [0], "y": [0.3, 0.2, 0.1]})),
        Row.from_json(answered("c", {"x": [0.1], "y": [0.2, 0.1, 0.3]})),
    ]
    assert np.isnan(items(rows)[0].discrimination)


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ([{"x": [1, 0]}, {"x": [0, 1]}], "no other exercise with which to compare this one"),
        ([{"x": [1], "y": [1]}, {"x": [1], "y": [0]}], "all submissions did alike in the check"),
    ],
)
def test_where_there_is_none_words_say_why(results, capsys, points, said: str) -> None:
    file = results(*(answered(f"s{number}", own) for number, own in enumerate(points)))
    assert main(["stats", str(file)]) == 0
    out = capsys.readouterr().out
    assert f"  –: {said}" in out or f"  –: there is {said}" in out
    assert "nan" not in out


def test_the_scores_distribution_stands_beside_the_mean(results, capsys) -> None:
    earned = [(0, 0), (2, 0), (2, 1), (2, 1), (0, 1)]
    file = results(*(row(f"s{number}", *points) for number, points in enumerate(earned)))
    assert main(["stats", str(file), "--figure", "stats.svg"]) == 0
    out = capsys.readouterr().out
    assert "mean of all 1.80 of 3 points\n  median 2, middle half 1 to 3; " in out
    fifths = "0–20 %: 1, 20–40 %: 1, 40–60 %: 0, 60–80 %: 1, 80–100 %: 2\n"
    assert f"submissions by share: {fifths}" in out


@pytest.mark.parametrize("tenths", range(0, 11))
def test_a_share_on_a_border_is_in_the_upper_fifth(results, capsys, tenths: int) -> None:
    share = sum([0.1] * tenths)  # 0.7999999999999999 for eight
    main(["stats", str(results(answered("ada", {"x": [share]})))])
    fifth = min(tenths // 2, 4)
    assert f"{20 * fifth}–{20 * fifth + 20} %: 1" in capsys.readouterr().out


SQUARE = "def double(x):\n    return x * x"


def test_the_commonest_wrong_code_is_shown_and_escaped(results, capsys) -> None:
    codes = [SQUARE, SQUARE, "def double(x):\n    return x + 2"]
    rows = [answered(f"s{n}", {"double": [0], "y": [n]}, double=c) for n, c in enumerate(codes)]
    rows.append(answered("right", {"double": [1], "y": [1]}))
    assert main(["stats", str(results(*rows))]) == 0
    out = capsys.readouterr().out
    shown = "      def double(x):\n          return x * x\n"
    assert f"  double · c0, the same code in 2 of 3 wrong answers:\n{shown}" in out
    assert "x + 2" not in out


def test_what_one_alone_wrote_is_not_shown(results, capsys) -> None:
    codes = [SQUARE, "def double(x):\n    return x + 2"]
    rows = [answered(f"s{n}", {"double": [0]}, double=code) for n, code in enumerate(codes)]
    main(["stats", str(results(*rows))])
    assert "the same code" not in capsys.readouterr().out


def test_comments_and_form_make_no_other_answer() -> None:
    written = [
        SQUARE,
        "def double( x ):  # twice\n\n  return (x*x)\n",
        'def double(x):\n    """Return twice x."""\n    return x * x',
    ]
    assert {plain_code(code) for code in written} == {SQUARE}
    assert plain_code("def double(x)\n\treturn x  \n") == "def double(x)\n        return x"


@pytest.mark.parametrize(
    "code", ["(" * 5000, "x = " + "-" * 15_000 + "1", "1 + " * 4000 + "1", "y = 1\n" * 9999, "\0"]
)
def test_no_answer_is_too_odd(code: str) -> None:
    assert len(plain_code(code)) <= 801


def test_of_a_quiz_the_question_s_own_line_is_shown() -> None:
    assert answer_to("half", "even = 'b'\nhalf = 2") == "half = 2"
    assert answer_to("small", SQUARE) == SQUARE


def test_only_wrong_answers_are_kept() -> None:
    verdicts = [
        verdict("right", "a", 1),
        verdict("wrong", "a", 1),
        verdict("wrong", "b", 0.5),
        verdict("idle", "a", 0, misconception=NOT_STARTED),
        verdict("stopped", "a", 0, status=Status.NOT_RUN),
        verdict("lost", "a", 0),
    ]
    sources = dict.fromkeys(["right", "wrong", "idle", "stopped"], SQUARE)
    assert wrong_answers(verdicts, sources.get) == {"wrong": SQUARE}
