"""What a reader may have of an exercise file: the starter, and checks that stand alone."""

from __future__ import annotations

import re

import pytest

from coursekit.bank.source import check_source, cut_solution, keep_solution, split, top_level_names
from coursekit.errors import DefinitionError
from coursekit.in_notebook.obfuscated import unpack
from coursekit.notebooks.check_cells import attachment
from coursekit.page.page_data import page_data

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


MISTAKE = 'mistake("halved", "That is half.", {"x": "x / 4"})\n'


def test_a_mistake_declared_above_the_answer_reaches_no_learner(write_exercise) -> None:
    exercise = write_exercise(edits={"\n\ndef double(x": f"\n{MISTAKE}\n\ndef double(x"})
    assert "halved" in exercise.mistakes
    assert "half" not in exercise.starter + exercise.solution


def test_no_mistake_is_declared_amid_the_answer(write_exercise) -> None:
    again = "def g():\n    # BEGIN SOLUTION\n    return 2\n    # END SOLUTION\n"
    edits = {"# END SOLUTION\n": f"# END SOLUTION\n\n\n{MISTAKE}\n\n{again}"}
    with pytest.raises(DefinitionError, match=r"line \d+ declares a mistake in the middle"):
        write_exercise(edits=edits)


def test_given_code_after_a_solution_stays_in_its_function(write_exercise) -> None:
    edited = write_exercise(
        edits={
            "    return math.fsum([x, x])\n    # END SOLUTION\n": "    y = 2 * x\n"
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


def test_nothing_of_the_answers_gets_out(double) -> None:
    source = check_source(double, "small", "negative")
    for private in ("fsum", "mistake", "ALSO_RIGHT", "json", "math", "abs("):
        assert private not in source


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


def test_a_check_cannot_take_the_right_answers_along(write_exercise) -> None:
    curious = write_exercise(
        edits={"    _ask(double, 3)\n": "    assert ALSO_RIGHT\n    _ask(double, 3)\n"}
    )
    assert "np.add" not in check_source(curious, "small")


def test_what_a_visible_check_reports_is_explained(double) -> None:
    exercise = double
    told = page_data(exercise)["misconceptions"]
    assert told == {id: exercise.explanations[id] for id in ("squares", "adds")}
    (word,) = re.findall(r'"([\w+/=]{99,})"', attachment([exercise], True, []))
    said = str(unpack(word))
    assert "That adds 2." in said
    assert "That is the square." in said
    assert "The sign is lost." not in said  # a hidden check's


def test_unknown_check(double) -> None:
    with pytest.raises(KeyError, match="double has no check 'large'"):
        check_source(double, "large")


def test_top_level_names() -> None:
    source = "import a.b\nfrom c import d as e\nf, (g, h) = x\ndef i(j): k = 1\nfor m in n: pass\n"
    assert top_level_names(source) == {"a", "e", "f", "g", "h", "i", "m"}
