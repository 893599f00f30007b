"""What becomes of a file of results: pages, exports, an analysis."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from coursekit.errors import CoursekitError
from coursekit.reports.feedback import file_names
from coursekit.reports.stats import items
from coursekit.results import Outcome, Row, read_results
from coursekit.verdict import Status, Verdict

from .conftest import row

(CHECK,) = row("ada", 2)["checks"]


def test_the_last_line_counts(results) -> None:
    file = results(row("ada", 0, 0), row("bob", 2, 0), row("ada", 2, 1))
    assert [(r.student, r.score) for r in read_results(file)] == [("ada", 3), ("bob", 2)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no results"),
        ("\n\n", "holds no results"),
        ("{\n", "line 1 is not a result; expected a file that `coursekit grade --results` wrote"),
        (
            '{"student": "a"}\n',
            "line 1 is not a result of this version of coursekit: it lacks 'timestamp'",
        ),
        ("[]\n", "line 1 is not a result"),
        ('{"key": "1", "stud', "line 1 ends in the middle.*Run the same `coursekit grade` again"),
        ('{"key": "1", "student": "Zo\udcc3', "line 1 ends in the middle"),
        ("\udcff", "it is not text"),
    ],
)
def test_bad_results(results, text: str, message: str) -> None:
    file = results()
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(CoursekitError, match=message):
        read_results(file)


@pytest.mark.parametrize(
    "changed",
    [
        *({"timestamp": "yesterday"}, {"timestamp": 5}, {"status": "odd"}, {"reason": None}),
        *({"checks": [CHECK | {"status": status}]} for status in ("open", None, 3)),
        *(
            {"checks": [CHECK | {field: points}]}
            for field in ("points", "max_points")
            for points in (float("nan"), float("inf"), "many", None)
        ),
    ],
)
def test_a_value_that_is_none_is_no_result(results, changed) -> None:
    with pytest.raises(CoursekitError, match="line 1 is not a result"):
        read_results(results(row("ada", 2, 1) | changed))


def test_file_names_of_pages_stay_in_the_folder_and_apart_on_windows_too() -> None:
    students = ["..", ".", "../../etc/passwd", "a/b", "a\\b", "a\0b", "a%2Fb", ".a", "%2Ea", "é"]
    students += ["x" * 200, "x" * 201, "x" * 500, "Ada", "ada", "ADA", "ada.", "ada ", "a.", "a "]
    names = file_names([*students, "con", "NUL", "aux.1", "com1", "LPT9.x"])
    assert len({name.casefold() for name in names.values()}) == len(names)
    for name in names.values():
        assert Path(name).name == name
        assert not name.startswith(".")
        assert len(name) < 150
        assert "\0" not in name
        stem = name.removesuffix(".html")
        assert stem.partition(".")[0].upper() not in {"CON", "NUL", "AUX", "COM1", "LPT9"}
        assert not stem.endswith((".", " "))
    assert file_names(["Ada", "bob"]) == {"Ada": "Ada.html", "bob": "bob.html"}


def test_items_are_analysed(results) -> None:
    earned = [(2, 1), (2, 0), (0, 0), (0, 1), (2, 1)]
    rows = [row(f"s{i}", *points) for i, points in enumerate(earned)]
    lost = row("lost", status="unreadable")
    small, negative = items(read_results(results(*rows, lost)))
    assert (small.check, small.share) == ("small", 0.6)
    assert (negative.check, negative.share) == ("negative", 0.6)
    assert np.isnan(small.discrimination)  # there is no other exercise
    assert small.misconceptions == (("squares", 2),)


def test_who_did_not_try_has_no_misconception(results) -> None:
    idle = row("idle", 0, 0)
    for check in idle["checks"]:
        check["misconception"] = "not-started"
    (small, _) = items(read_results(results(idle, row("a", 0, 1))))
    assert (small.not_started, small.misconceptions) == (1, (("squares", 1),))


def test_stats_prints_a_table_and_draws(results, run) -> None:
    lost = row("lost", 0, 0, status="unreadable")
    file = results(row("a", 2, 1), row("b", 0, 0), row("c", 2, 0, status="timeout"), lost)
    out = run("stats", file, "--figure", "stats.svg").out
    assert "numbers: 4 submissions (2 graded, 1 timeout, 1 unreadable); mean of all 1.25 of" in out
    assert "below: the 3 that could be read; what was not started or not run counts as 0" in out
    assert "double · small       67%       –            0  squares (1)" in out
    assert "double · negative    33%       –            0  sign (2)" in out
    assert Path("stats.svg").read_text(encoding="utf-8").startswith("<?xml")
    said = run("stats", file, "--figure", "stats.doc", status=2).err
    assert "expected a name that ends in .svg, .png or .pdf" in said


# --- what a check has in common with other exercises ----------------------------------------------


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
def test_where_there_is_none_words_say_why(results, run, points, said: str) -> None:
    rows = (answered(f"s{n}", own).as_json() for n, own in enumerate(points))
    out = run("stats", results(*rows)).out
    assert f"  –: {said}" in out
    assert "nan" not in out
