"""Statistics of a class: what a check has in common with other exercises."""

from __future__ import annotations

import numpy as np
import pytest

from coursekit.cli import main
from coursekit.reports.stats import items
from coursekit.results import Outcome, Row
from coursekit.verdict import Status, Verdict


def answered(student: str, points: dict[str, list[float]]) -> Row:
    """Return the row of a student with these points by exercise, one check of a point each."""
    checks = [
        Verdict(
            exercise=exercise,
            check=f"c{number}",
            status=Status.PASSED if share == 1 else Status.FAILED,
            points=share,
            max_points=1.0,
        )
        for exercise, own in points.items()
        for number, share in enumerate(own)
    ]
    return Row(student=student, assignment="numbers", status=Outcome.GRADED, checks=tuple(checks))


def made_up(count: int = 300) -> list[Row]:
    """Return students who know one exercise's four checks by heart, or not: whatever else."""
    rng = np.random.default_rng(28)
    rows = []
    for number in range(count):
        knows = float(rng.random() < 0.5)
        points = {"own": [knows] * 4}
        skill = rng.random()
        points |= {f"e{n}": [float(rng.random() < skill)] for n in range(6)}
        rows.append(answered(f"s{number}", points))
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
        answered("a", {"x": [1], "y": [0.1, 0.2, 0.3]}),
        answered("b", {"x": [0], "y": [0.3, 0.2, 0.1]}),
        answered("c", {"x": [0.1], "y": [0.2, 0.1, 0.3]}),
    ]
    assert np.isnan(items(rows)[0].discrimination)


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ([{"x": [1, 0]}, {"x": [0, 1]}], "there is no other exercise with which to compare"),
        ([{"x": [1], "y": [1]}, {"x": [1], "y": [0]}], "all submissions did alike in the check"),
    ],
)
def test_where_there_is_none_words_say_why(results, capsys, points, said: str) -> None:
    file = results(*(answered(f"s{n}", own).as_json() for n, own in enumerate(points)))
    assert main(["stats", str(file)]) == 0
    out = capsys.readouterr().out
    assert f"  –: {said}" in out
    assert "nan" not in out
