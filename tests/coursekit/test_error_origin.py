"""An exception of a check is never put down to the learner, and one of the learner's always is."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

import numpy as np
import pytest

from coursekit import CheckFailed, check, run_check
from coursekit.error_origin import text_of

#: An error of the learner's own, which cannot even say what it is.
WITHOUT_TEXT = "class Odd(TypeError):\n    def __str__(self):\n        return self.text"


@check(points=1)
def adds_one(answer):
    np.zeros((2, 3)) + answer(2)


@check(points=1)
def builds(answer):
    answer().total([1, 2])


def run(code: str, asked: Any = adds_one) -> tuple[str, str | None]:
    """Run an answer as page and notebook do, then one check."""
    names: dict[str, Any] = {}
    exec(compile(code, "<cell>", "exec"), names)
    result = run_check(asked, names)
    return result.message, result.misconception


def test_a_check_that_stops_on_a_result_says_so() -> None:
    message, misconception = run("import numpy as np\ndef answer(n):\n    return np.ones((n, n))")
    assert misconception == "check-error"
    assert message == (
        "This check could not be completed on your answer: ValueError: operands could not be "
        "broadcast together with shapes (2,3) (2,2)."
    )


def test_so_does_a_check_that_raises_what_marks_a_placeholder() -> None:
    @check(points=1)
    def unfinished(answer):
        answer(2)
        raise NotImplementedError

    assert run("def answer(n):\n    return n", unfinished)[1] == "check-error"


@pytest.mark.parametrize(
    "code",
    [
        "def answer(n):\n    return n / 0",
        "def inner(n):\n    return n / 0\ndef answer(n):\n    return inner(n)",
        "answer = lambda n: n / 0",
        "import functools\nanswer = functools.partial(lambda m, n: n / 0, 3)",
        "import functools\nanswer = functools.lru_cache(lambda n: n / 0)",
        "class Answer:\n    def __call__(self, n):\n        return n / 0\nanswer = Answer()",
        "class Answer:\n    def f(self, n):\n        return n / 0\nanswer = Answer().f",
        "import operator\nanswer = operator.methodcaller('no')",  # in C: there is no frame
        "import numpy as np\nanswer = np.linalg.inv",
        "def answer():\n    return 1",
        "def answer(a, b):\n    return 1",
        "class answer:\n    def __init__(self, a, b):\n        pass",
        "class answer:\n    pass",
        "def answer(n):\n    return (m / 0 for m in range(n))",
        f"{WITHOUT_TEXT}\ndef answer(n):\n    raise Odd",
    ],
)
def test_what_the_answer_raises_is_the_answer_s(code: str) -> None:
    @check(points=1)
    def sums(answer):
        sum(answer(2))

    message, misconception = run(code, sums)
    assert misconception == "raises"
    assert message.startswith("Your code raised ")


@pytest.mark.parametrize("held", ["3", "np.ones(2)", "'text'", "None"])
def test_a_name_that_holds_no_function_is_named(held: str) -> None:
    message, misconception = run(f"import numpy as np\nanswer = {held}")
    assert misconception == "not-defined"
    assert message.startswith("`answer` is of type ")
    assert "which cannot be called" in message


def test_a_method_that_raises_is_the_answer_s_and_its_result_is_not() -> None:
    raising = "class answer:\n    def total(self, n):\n        return n / 0"
    assert run(raising, builds)[1] == "raises"

    @check(points=1)
    def reads(answer):
        answer().total([1, 2])[5]

    assert (
        run("class answer:\n    def total(self, n):\n        return n", reads)[1] == "check-error"
    )


def test_in_a_notebook_the_check_is_not_taken_for_the_answer() -> None:
    names: dict[str, Any] = {}
    exec(compile("def answer(n):\n    return [n]", "<cell 1>", "exec"), names)
    cell = (
        "def __checks__():\n    from coursekit import check\n"
        "    def _half(seen):\n        return seen / 2\n"
        "    @check(points=1)\n    def halves(answer):\n        _half(answer(2))\n"
        "    return halves\n\n\n__import__('coursekit').report(__checks__, globals())"
    )
    with pytest.raises(CheckFailed, match="could not be completed on your answer: TypeError"):
        exec(compile(cell, "<cell 2>", "exec"), names)


def test_wrapped_functions_are_known_where_names_are_no_namespace() -> None:
    def divide(n: int) -> float:
        return n / 0

    for answer in (divide, partial(divide), lru_cache(divide)):
        assert run_check(adds_one, {"answer": answer}).misconception == "raises"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("s = f'hi’", "’ (right single quotation mark, U+2019): type `'` in its place"),
        ("print（1）", "（ (fullwidth left parenthesis, U+FF08): type `(` in its place"),
        ("a ∈ b", "∈ (element of, U+2208)"),
        ("\u00a0x", "the invisible character (no-break space, U+00A0): type an ordinary space"),
        ("a\u200bb", "the invisible character (zero width space, U+200B): delete it"),
    ],
)
def test_what_to_type_is_said_for_a_character_that_is_not_read(code: str, said: str) -> None:
    with pytest.raises(SyntaxError) as caught:
        compile(code, "<cell>", "exec")
    assert text_of(caught.value).startswith(f"Python does not read {said}")
