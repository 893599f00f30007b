"""The tests of exercises find each kind of defect: break the example, see it named."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from coursekit.bank import Bank
from coursekit.selftest.check import collisions, problems
from coursekit.selftest.sweeps import _public, libraries

SMALL = "    _ask(double, 3)\n    _ask(double, 0.5)\n"
DEF = 'def double(x):\n    """Return'
LAST = "or `def double(x): return 2 * max(x, -x)`\n"
ASKED = "    expect(expect_shape(double(x), ()) != -2 * x"
BY_LUCK = "    expect(int(x) % 2, 'The draw is even.')\n"  # it is odd without a secret
OTHER = "- [ ] a power > power: A power multiplies.\n"
END = "- [1] an example\n"
NUMPY = '''    "in NumPy": """
        def double(x):
            return np.add(x, x)
    """,
'''


def _examples(*points: str) -> str:
    return "".join(f"### some ({one})\ntext\n> so\n" for one in points)


def _withheld(*names: str) -> dict[str, str]:
    title = 'title="Twice as much",'
    return {title: f"{title}\n    withhold={names},"}


def test_a_good_exercise_has_no_problems(double, twice) -> None:
    assert problems(double) == []
    assert problems(twice) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (SMALL, "    pass\n", "starter: the check small passes before anything is answered"),
        ("[x, x]", "[x, x, 1]", "solution: the check small rejects it: double(x) is 7"),
        ("math.fsum([x, x])", "fsum", "solution: the check small rejects it: Your code raised N"),
        (DEF, f"if __name__ == '__main__':\n    1 / 0\n\n\n{DEF}", "solution: does not run: Zero"),
        (ASKED, BY_LUCK + ASKED, "solution: the check negative rejects it: The draw is even."),
        (LAST, "", "has 5 edits that make a mistake; expected at least 6"),
        (NUMPY, "", "has 1 ALSO_RIGHT answers; expected at least 2"),
        ("return 2 * x\n    ", "return 3 * x\n    ", "ALSO_RIGHT 'times two': the check small"),
        ('hints=["What is twice 3?", "Use `*`."]', "hints=[]", "has no hints"),
        ("return x * x", "return x + x", "the mistake squares: no check rejects it"),
        ("return x * x", "return y * x", "the mistake squares: no check reports 'squares'"),
        (  # the value of another mistake
            "return x * x",
            "return x + 2",
            "the mistake squares: no check reports 'squares'; reported: None",
        ),
        ("    That adds 2.\n", "", "the misconception 'adds' has no explanation"),
        ("adds: `", "spare:\n    So?\nadds: `", "'spare' is explained, but nothing reports it"),
        ("That adds", "That is $x + 2$,", "the explanation of 'adds' has $…$; messages are plain"),
        ("def _ask(double, x):", "def _ask(_, x):", "the check small does not run on its own"),
        (
            "@check(points=2)\ndef small",
            "@check(points=1)\ndef idle(double):\n    double(1)\n\n\n@check(points=2)\ndef small",
            "the check idle rejects none of the mistakes",
        ),
        (
            "return x * x",
            "return -2 * x",
            "the check negative reports 'sign'; if that is true of this answer, put it into (also",
        ),
        ("1, 4", "2, 4.005", "question pair: the mistake 'squared' is accepted: [2, 4.005] counts"),
        ("1, 2 > same", "1, 4 > same", "[1, 4] is reported as None, not 'same'"),
        (OTHER, "", "question word: has one option"),
        ("A power", "$x^2$", "question word: option b: failure_message has $…$"),
        ("Each is", "$x$ is", "question pair: success_message has $…$"),
        ("[1] an example", "[0] an example", "question why: needs a rubric"),
        (END, END + _examples("1, 1", "2, 0"), "question why: has examples worth [2, 2]; expected"),
        (END, END + _examples("0, 1", "2, 0"), "question why: has a best example worth 2 of 3"),
    ],
)  # fmt: skip
def test_each_defect_is_named(write_exercise, sources, old: str, new: str, problem: str) -> None:
    id = "double" if old in sources["double"] else "twice"
    defects = problems(write_exercise(sources[id], id, {old: new}))
    assert any(problem in line for line in defects), defects


def test_exercises_of_a_chapter_must_leave_each_other_alone(numbers: Bank, write_exercise) -> None:
    double, twice = numbers["double"], numbers["twice"]
    assert collisions(numbers.chapter("numbers")) == []
    again = write_exercise(double.source, "again")
    assert collisions((double, again)) == ["again and double both ask for 'double'"]
    triple = double.source.replace("double", "triple")
    other = write_exercise(
        triple, "other", {"import math": "import math as pair", "math.f": "pair.f"}
    )
    assert collisions((twice, other)) == ["other: its setup redefines 'pair', which twice asks for"]
    edits = {"import math": "from math import fsum", "math.fsum(": "fsum("}
    imports = write_exercise(triple, "imports", edits)
    withholds = write_exercise(id="withholds", edits=_withheld("math.fsum"))
    assert collisions((imports, withholds)) == [
        "imports: its learner's part imports math.fsum, which withholds withholds"
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
    names = [f"arithmetic.{name}" for name in ("grow", "repeated", "twice")]
    assert problems(write_exercise(edits=_withheld(*names)), [arithmetic]) == []
    missing = ["arithmetic.half", "no_such_library.f", "arithmetic.tau"]
    edits = _withheld("arithmetic.deep.thrice", *missing)
    assert problems(write_exercise(edits=edits)) == [
        f"withhold has {name!r}; the library has no such function" for name in missing
    ]


def test_a_hidden_check_that_a_library_function_passes_is_enough(
    write_exercise, arithmetic: str
) -> None:
    asked, also = "expect_shape(double(x), ()) != -2 * x", "    _ask(double, x)\n\n\nALSO_RIGHT"
    for wrong, is_named in (("x * x", False), ("x + 1", True)):
        edits = {asked: "double(x) != 0", also: f"    expect(double(x) != {wrong})\n\n\nALSO_RIGHT"}
        defects = problems(write_exercise(edits=edits), [arithmetic])
        assert any("arithmetic.square passes" in line for line in defects) is is_named


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
