"""The tests of exercises find each kind of defect: break the example, see it named."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from coursekit.bank import Bank
from coursekit.selftest import collisions, libraries, problems
from coursekit.selftest.library_answers import _public

SMALL = "    _ask(double, 3)\n    _ask(double, 0.5)\n"
DEF = 'def double(x):\n    """Return'
LAST = "or `def double(x): return 2 * max(x, -x)`\n"
NUMPY = '''    "in NumPy": """
        def double(x):
            return np.add(x, x)
    """,
'''


def test_a_good_exercise_has_no_problems(double, twice) -> None:
    assert problems(double) == []
    assert problems(twice) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (SMALL, "    pass\n", "starter: the check small passes before anything is answered"),
        ("[x, x]", "[x, x, 1]", "solution: the check small rejects it: double(x) is 7"),
        (
            "math.fsum([x, x])",
            "fsum",
            "solution: the check small rejects it: Your code raised Name",
        ),
        (
            DEF,
            f"if __name__ == '__main__':\n    1 / 0\n\n\n{DEF}",
            "solution: does not run: ZeroDiv",
        ),
        (LAST, "", "has 5 edits that make a mistake; expected at least 6"),
        (NUMPY, "", "has 1 ALSO_RIGHT answers; expected at least 2"),
        ("return 2 * x\n    ", "return 3 * x\n    ", "ALSO_RIGHT 'times two': the check small"),
        ('hints=["What is twice 3?", "Use `*`."]', "hints=[]", "has no hints"),
        ("return x * x", "return x + x", "the mistake squares: no check rejects it"),
        ("return x * x", "return y * x", "the mistake squares: no check reports 'squares'"),
        (  # the value of another mistake
            "squares: `def double(x): return x * x`",
            "squares: `def double(x): return x + 2`",
            "the mistake squares: no check reports 'squares'; reported: None",
        ),
        ("    That adds 2.\n", "", "the misconception 'adds' has no explanation"),
        ("adds: `", "spare:\n    So?\nadds: `", "'spare' is explained, but nothing reports it"),
        (
            "That adds 2.",
            "That is $x + 2$.",
            "the explanation of 'adds' has $…$; messages are plain",
        ),
        ("def _ask(double, x):", "def _ask(_, x):", "the check small does not run on its own"),
        (
            "@check(points=2)\ndef small",
            "@check(points=1)\ndef idle(double):\n    double(1)\n\n\n@check(points=2)\ndef small",
            "the check idle rejects none of the mistakes",
        ),
        (
            "squares: `def double(x): return x * x`",
            "squares: `def double(x): return -2 * x`",
            "the check negative reports 'sign'; if that is true of this answer, put it into (also",
        ),
        (
            "expect_shape(double(x), ()) != -2 * x",
            "double(x) != -2 * x and double(x) < 0",
            "the check negative raises on None for double: This check could not be completed",
        ),
    ],
)
def test_defects_of_code(write_exercise, old: str, new: str, problem: str) -> None:
    defects = problems(write_exercise(edits={old: new}))
    assert any(problem in line for line in defects), defects


def _examples(*points: str) -> str:
    return "".join(f"### some ({one})\ntext\n> so\n" for one in points)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("1, 4", "2, 4.005", "question pair: the mistake 'squared' is within tolerance"),
        ("1, 2 > same", "1, 4 > same", "[1, 4] is reported as None, not 'same'"),
        ("A power", "$x^2$", "question word: option b: failure_message has $…$"),
        ("Each is", "$x$ is", "question pair: success_message has $…$"),
        ("[1] an example", "[0] an example", "question why: needs a rubric"),
        (
            "[1] an example",
            f"[1] an example\n{_examples('1, 1', '2, 0')}",
            "question why: has examples worth [2, 2]; expected each to be better",
        ),
        (
            "[1] an example",
            f"[1] an example\n{_examples('0, 1', '2, 0')}",
            "question why: has a best example worth 2 of 3 points",
        ),
    ],
)
def test_defects_of_quizzes(write_exercise, twice, old: str, new: str, problem: str) -> None:
    defects = problems(write_exercise(twice.source, "twice", {old: new}))
    assert any(problem in line for line in defects), defects


def test_a_hidden_check_must_hold_for_every_secret(write_exercise) -> None:
    asked = "    expect(expect_shape(double(x), ()) != -2 * x"
    by_luck = "    expect(int(x) % 2, 'The draw is even.')\n"  # Odd without a secret.
    defects = problems(write_exercise(edits={asked: by_luck + asked}))
    assert defects[0].startswith("solution: the check negative rejects it: The draw is even.")


def test_names_of_a_chapter_must_not_collide(numbers: Bank, write_exercise) -> None:
    assert collisions(numbers.chapter("numbers")) == []
    again = write_exercise(numbers["double"].source, "again")
    assert "again and double both ask for 'double'" in collisions((numbers["double"], again))
    edits = {"import math": "import math as pair", "math.f": "pair.f"}
    other = write_exercise(
        numbers["double"].source.replace("double", "triple"),
        "other",
        edits,
    )
    assert collisions((numbers["twice"], other)) == [
        "other: its setup redefines 'pair', which twice asks for"
    ]


@pytest.fixture
def arithmetic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Return the name of a library whose functions double, one of them as an option."""
    package = tmp_path / "arithmetic"
    package.mkdir()
    code = """
import math
__all__ = ["grow", "repeated", "square", "tau", "twice"]
tau = math.tau
twice = lambda x: 2 * x
square = lambda x: x * x
def grow(x, *, is_double=False):
    return 2 * x if is_double else 3 * x
def repeated(times=2, *, x):
    return times * x
"""
    (package / "__init__.py").write_text(code, encoding="utf-8")
    (package / "deep.py").write_text("def thrice(x):\n    return 3 * x\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield package.name
    for name in (package.name, f"{package.name}.deep"):
        sys.modules.pop(name, None)
    _public.cache_clear()


def test_a_library_function_that_passes_for_an_answer_is_withheld(
    write_exercise, arithmetic: str
) -> None:
    defects = problems(write_exercise(), [arithmetic])
    assert [line.partition(" passes")[0] for line in defects] == [
        # By its switch, by its argument's name, and as it is.
        f"double = arithmetic.{name}"
        for name in ("grow", "repeated", "twice")
    ]
    title = 'title="Twice as much",'
    names = '["arithmetic.grow", "arithmetic.repeated", "arithmetic.twice"]'
    withheld = write_exercise(edits={title: f"{title}\n    withhold={names},"})
    assert problems(withheld, [arithmetic]) == []


def test_a_hidden_check_that_a_library_function_passes_is_enough(
    write_exercise, arithmetic: str
) -> None:
    end = "\n\n\nALSO_RIGHT"
    easy = {f"    _ask(double, x){end}": f"    expect(double(x) != x * x, 'no'){end}"}
    defects = problems(write_exercise(edits=easy), [arithmetic])
    assert not any("square" in line for line in defects)
    easier = {
        "expect_shape(double(x), ()) != -2 * x": "expect_shape(double(x), ()) != 0",
        **easy,
    }
    easier["!= x * x"] = "!= x + 1"
    defects = problems(write_exercise(edits=easier), [arithmetic])
    assert any(line.startswith("double = arithmetic.square passes") for line in defects)


def test_what_is_withheld_exists(write_exercise, arithmetic: str) -> None:
    title = 'title="Twice as much",'
    names = '["arithmetic.half", "arithmetic.deep.thrice", "no_such_library.f", "arithmetic.tau"]'
    defects = problems(write_exercise(edits={title: f"{title}\n    withhold={names},"}))
    missing = ("arithmetic.half", "no_such_library.f", "arithmetic.tau")
    assert defects == [f"withhold has {n!r}; the library has no such function" for n in missing]


def test_libraries_are_what_exercise_files_import(arithmetic: str, tmp_path: Path) -> None:
    file = tmp_path / "one.py"
    file.write_text(
        "import math, numpy.linalg, json, os.path\nfrom arithmetic.deep import thrice\n"
        "from coursekit import check\nfrom no_such_library import f\nfrom . import g\n",
        encoding="utf-8",
    )
    assert libraries([file]) == ("arithmetic",)
    file.write_text("no Python", encoding="utf-8")
    assert libraries([file]) == ()


def test_no_exercise_withholds_what_another_one_works_with(numbers: Bank, write_exercise) -> None:
    source = numbers["double"].source
    edits = {"import math": "from math import fsum"}
    again = write_exercise(source.replace("math.fsum", "fsum"), "again", edits)
    title = 'title="Twice",'
    withholding = write_exercise(
        source.replace("double", "triple"),
        "double",
        {title.replace("Twice", "Twice as much"): 'title="T", withhold=["math.fsum"],'},
    )
    assert collisions((again, withholding)) == [
        "again: its learner's part imports math.fsum, which double withholds"
    ]
