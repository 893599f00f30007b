"""Parsons problems: what is right, what is told of an answer that is not, and what it earns."""

from __future__ import annotations

import pytest

from coursekit import CheckFailed, check_form, report, run_check
from coursekit._parsons import Parsons
from coursekit.selftest.quiz import order_problems

LINES = {
    "a": "mean = total / 3",
    "b": "total = total + number",
    "c": "total = number",
    "d": "for number in numbers:",
    "e": "total = 0",
    "f": "numbers = [1, 2, 6]",
}
ORDERS = ["e f d >b a", "f e d >b a"]
MISTAKES = {"overwrites": "c", "outside": "d |b", "restarts": "d >e", "begins-nowhere": "!e"}


def works(code: str) -> bool:
    names: dict = {}
    exec(code, names)
    return names["mean"] == 3


def question(lines=LINES, orders=ORDERS, mistakes=MISTAKES, works=works):
    return Parsons(
        name="order",
        statement="Order.",
        lines=lines,
        orders=tuple(tuple(order.split()) for order in orders),
        mistakes={id: tuple(pattern.split()) for id, pattern in mistakes.items()},
        works=works,
        points=2,
    )


def verdict(answer):
    texts = {"overwrites": "It forgets.", "outside": "It adds once.", "restarts": "It restarts."}
    texts["begins-nowhere"] = "It begins nowhere."
    return run_check(question().check(), {"order": answer}, misconceptions=texts)


@pytest.mark.parametrize(
    "answer",
    [["e", "f", "d", ">b", "a"], ("F", "e", "d", "> b", "a"), "f, e, d, >b, a", "f e d >b a"],
)
def test_every_right_order_in_any_spelling_earns_all(answer) -> None:
    seen = verdict(answer)
    assert (seen.passed, seen.points) == (True, 2)


@pytest.mark.parametrize(
    ("answer", "points", "text", "misconception"),
    [
        (["e", "f", "d", ">c", "a"], 1.2,
         "4 of the 5 lines that are needed are in order. Line 4 of your answer cannot follow the 3 "
         "lines before it. It forgets.", "overwrites"),
        (["e", "f", "d", "b", "a"], 1.2,
         "4 of the 5 lines that are needed are in order. Line 4 of your answer is right, but not "
         "its indentation. It adds once.", "outside"),
        (["f", "d", ">e", ">b", "a"], 1.2,
         "4 of the 5 lines that are needed are in order. Line 2 of your answer cannot follow the "
         "line before it. It restarts.", "restarts"),
        (["f", "e"], 0, "2 of the 5 lines that are needed are in order. What you have so far "
         "fits, and more is needed.", None),
        (["e", "f", "d"], 1.2, "3 of the 5 lines that are needed are in order. What you have so "
         "far fits, and more is needed.", None),
        (["a"], 0, "1 of the 5 lines that are needed is in order. No right answer begins with "
         "your first line.", None),
        (["a", ">b", "d", "f", "e"], 0, "2 of the 5 lines that are needed are in order. No right "
         "answer begins with your first line.", None),
        ([*"feda", ">b"], 1.2, "4 of the 5 lines that are needed are in order. Line 4 of your "
         "answer cannot follow the 3 lines before it.", None),
        ([*"fd", ">b", "a"], 1.6, "4 of the 5 lines that are needed are in order. Yours follow "
         "each other rightly; one line is missing. It begins nowhere.", "begins-nowhere"),
        (["e", "d", ">b", "a"], 1.6, "4 of the 5 lines that are needed are in order. Yours follow "
         "each other rightly; one line is missing.", None),
        (["d", ">b", "a"], 1.2, "3 of the 5 lines that are needed are in order. Yours follow each "
         "other rightly; 2 lines are missing. It begins nowhere.", "begins-nowhere"),
        ([">b", "a"], 0, "2 of the 5 lines that are needed are in order. No right answer begins "
         "with your first line.", None),
        ([*"cfd", ">b", "a"], 1.2, "4 of the 5 lines that are needed are in order. No right answer "
         "begins with your first line. It forgets.", "overwrites"),
        ([*"efd", ">b", "c", "a"], 1.6, "5 of the 5 lines that are needed are in order, and one "
         "line is too many. Line 5 of your answer cannot follow the 4 lines before it. It "
         "forgets.", "overwrites"),
        (..., 0, "No answer yet.", "not-started"),
        ([], 0, "No answer yet.", "not-started"),
        (["e", "e"], 0, "Line e stands in your answer twice; use it once or not at all.", None),
        (["z"], 0, "'z' is none of the lines; expected some of a, b, c, d, e, f.", None),
        ([1], 0, "1 is none of the lines; expected some of a, b, c, d, e, f.", None),
        (7, 0, "Your answer is of type int; expected a list of letters.", None),
    ],
)  # fmt: skip
def test_other_answers_earn_a_part_and_are_told_what_is_true_of_them(
    answer, points: float, text: str, misconception: str | None
) -> None:
    seen = verdict(answer)
    assert (seen.passed, seen.points, seen.text) == (False, points, text)
    assert seen.misconception == misconception


@pytest.mark.parametrize(
    ("answer", "text", "misconception"),
    [
        ("a b c d", "4 of the 4 lines that are needed are in order. Nothing is indented, and some "
         "of these lines belong inside of others.", None),
        ("a b c", "3 of the 4 lines that are needed are in order. What you have so far fits, and "
         "more is needed. Nothing is indented, and some of these lines belong inside of others.",
         "unused"),
        ("a c b d", "3 of the 4 lines that are needed are in order. Line 2 of your answer cannot "
         "follow the line before it. Nothing is indented, and some of these lines belong inside of "
         "others.", "swapped"),
        ("a >b c d", "3 of the 4 lines that are needed are in order. Line 3 of your answer is "
         "right, but not its indentation.", "once"),
    ],
)  # fmt: skip
def test_where_nothing_is_indented_that_is_said_and_no_symptom(
    answer: str, text: str, misconception: str | None
) -> None:
    lines = {"c": "last = n", "d": "print(last)", "b": "total += n", "a": "for n in numbers:"}
    mistakes = {"once": "a |c", "swapped": "c b", "unused": "!d"}
    loop = question(lines, ["a >b >c d"], mistakes)
    seen = run_check(loop.check(), {"order": answer})
    assert (seen.message, seen.misconception) == (text, misconception)


def test_a_line_is_not_indented_where_none_is() -> None:
    flat = question(orders=["e f a"], mistakes={}, works=None)
    seen = run_check(flat.check(), {"order": ["e", ">f", "a"]})
    assert seen.text == 'No line is indented here; write the letters without ">".'


def test_a_notebook_says_how_many_points_a_part_earns(capsys) -> None:
    with pytest.raises(CheckFailed, match=r"^✗ order \(1\.2 of 2 points\)\n4 of the 5 lines"):
        report(question(), {"order": ["e", "f", "d", ">c", "a"]})
    report(question(), {"order": "e f d >b a"})
    assert capsys.readouterr().out == "✓ order (2 points)\nThat is right.\n"


def test_the_form_is_checked_without_the_answer(capsys) -> None:
    check_form("order", {"order": "a >b"}, lines=[*LINES], is_indented=True)
    assert 'Your answer to order is ["a", ">b"].' in capsys.readouterr().out
    with pytest.raises(CheckFailed, match="is none of the lines"):
        check_form("order", {"order": ["x"]}, lines=[*LINES])


def test_a_sound_question_has_no_problems() -> None:
    assert list(order_problems(question())) == []


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"orders": ORDERS[:1]}, "the order 'f e d >b a' works and is not among the right ones"),
        ({"orders": [*ORDERS, "d >b e f a"]}, "the right order 'd >b e f a' does not work"),
        ({"mistakes": {"outside": "d |b"}}, "the distractor c has no mistake that names it"),
        ({"mistakes": MISTAKES | {"right": "e b"}},
         "the mistake 'right' is found in the right order 'e f d >b a'"),
        ({"mistakes": MISTAKES | {"unfinished": "!e"}},
         "no answer is told the mistake 'unfinished'; one before it fits as well"),
        ({"mistakes": MISTAKES | {"no-other": "!c"}},
         "the mistake 'no-other' is found in the right order 'e f d >b a'"),
        ({"mistakes": {"first": "c", "second": "c"}},
         "no answer is told the mistake 'second'; one before it fits as well"),
        ({"lines": {k: LINES[k] for k in "efdbca"}}, "the lines as they are shown earn 100% of "
         "the points; shuffle them"),
        ({"orders": ["e f"], "mistakes": {}}, "has 2 lines to order; expected at least 3"),
    ],
)  # fmt: skip
def test_the_self_test_sees(changes: dict, problem: str) -> None:
    assert problem in list(order_problems(question(**changes)))


def test_the_course_s_own_are_proved_by_running(bank) -> None:
    for id in ("lines-of-attention", "decoding-loop"):
        (own,) = bank[id].questions
        assert own.works is not None
