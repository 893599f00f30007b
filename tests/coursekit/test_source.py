"""What a reader may have of an exercise file: the starter, and checks that stand alone."""

from __future__ import annotations

import pytest

from coursekit.errors import DefinitionError
from coursekit.page.page_data import page_data
from coursekit.source import check_source, cut_solution, keep_solution, split, top_level_names

PART = """\
a = 1
# BEGIN SOLUTION
# STARTER: b = ...
# STARTER: c = ...
b = a + 1
c = b
# END SOLUTION


def f(x):
    # BEGIN SOLUTION
    if x:
        return 1
    # END SOLUTION
    return 2
"""


def test_the_starter_keeps_what_is_given() -> None:
    assert cut_solution(PART) == (
        "a = 1\nb = ...\nc = ...\n\n\ndef f(x):\n"
        '    raise NotImplementedError("Replace this line with your code.")\n    return 2\n'
    )


def test_the_solution_loses_only_its_markers() -> None:
    assert keep_solution(PART) == (
        "a = 1\nb = a + 1\nc = b\n\n\ndef f(x):\n    if x:\n        return 1\n    return 2\n"
    )


def test_nbgrader_s_markers_are_cut_too() -> None:
    assert "secret" not in cut_solution("### BEGIN SOLUTION\nsecret\n### END SOLUTION\n")


def test_the_learner_s_part_ends_with_the_solution(double) -> None:
    parts = split(double.source)
    assert [name for s in parts.learner for name in s.binds] == ["double"]
    assert {"TOP", "BOTTOM", "_ask", "small"} <= {n for s in parts.tail for n in s.binds}


def test_given_code_after_a_solution_stays_in_its_function(write_exercise) -> None:
    edited = write_exercise(
        edits={
            "    return math.fsum([x, x])\n    # END SOLUTION\n": "    y = math.fsum([x, x])\n"
            "    # END SOLUTION\n    return y\n"
        }
    )
    assert edited.starter.endswith('your code.")\n    return y\n')


def test_a_check_comes_with_what_it_uses(double) -> None:
    assert check_source(double, "small") == (
        "from coursekit import check, expect_close\n\n\n"
        "def _ask(double, x):\n"
        '    expect_close(double(x), 2.0 * x, what="double(x)")\n\n\n'
        "@check(points=2)\n"
        "def small(double):\n"
        '    """Small numbers"""\n'
        "    _ask(double, 3)\n"
        "    _ask(double, 0.5)\n"
    )


def test_constants_come_with_the_constants_they_use(double) -> None:
    source = check_source(double, "negative")
    assert source.index("TOP = 100\nBOTTOM = -TOP") < source.index("def negative")
    assert "small" not in source


def test_several_checks_share_their_helpers(double) -> None:
    assert check_source(double, "small", "negative").count("def _ask") == 1


def test_a_check_may_not_use_the_solution(write_exercise) -> None:
    leaning = write_exercise(edits={"def _ask(double, x):": "def _ask(_, x):"})
    with pytest.raises(DefinitionError, match="uses 'double' of the learner's part"):
        check_source(leaning, "small")


def test_a_local_name_is_no_helper(write_exercise) -> None:
    # TOP is a local variable here, and json the variable of a comprehension.
    local = write_exercise(
        edits={
            "    _ask(double, 3)\n": "    TOP = [json for json in range(3)]\n    _ask(double, 3)\n"
        }
    )
    source = check_source(local, "small")
    assert "TOP = 100" not in source
    assert "import json" not in source


def test_a_check_cannot_take_the_wrong_answers_along(write_exercise) -> None:
    curious = write_exercise(
        edits={"    _ask(double, 3)\n": "    assert MISTAKES\n    _ask(double, 3)\n"}
    )
    assert "x + 2.0" not in check_source(curious, "small")


def test_what_a_visible_check_reports_is_explained(double) -> None:
    told = page_data(double)["misconceptions"]  # "sign" is a hidden check's
    assert told == {id: double.misconceptions[id] for id in ("squares", "adds")}


def test_unknown_check(double) -> None:
    with pytest.raises(KeyError, match="double has no check 'large'"):
        check_source(double, "large")


def test_top_level_names() -> None:
    source = "import a.b\nfrom c import d as e\nf, (g, h) = x\ndef i(j): k = 1\nfor m in n: pass\n"
    assert top_level_names(source) == {"a", "e", "f", "g", "h", "i", "m"}
