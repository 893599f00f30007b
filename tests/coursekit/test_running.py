"""The verdict of a check, in words, whatever the answer does."""

from __future__ import annotations

import json
import sys
import warnings
from functools import partial

import numpy as np
import pytest

from coursekit import (
    CheckFailed,
    Status,
    check,
    expect,
    expect_close,
    report,
    run_check,
)
from coursekit.known import Known, known_from
from coursekit.quiz_text import questions_in
from coursekit.running import check_rng, noted
from coursekit.source import STUB


@check(points=2)
def two(f):
    """Gives 2"""
    expect_close(f(), 2.0, what="f()")


@check(points=1, hidden=True)
def hidden_draw(f, rng):
    expect_close(f(), rng.random())


@check(points=1)
def visible_draw(f, rng):
    expect_close(f(), rng.random())


#: What is known of an answer that gives 1.
ONE = known_from([(["one"], noted(two, {"f": lambda: 1}, np.random.default_rng()))]).as_json()


def test_right() -> None:
    result = run_check(two, {"f": lambda: 2}, exercise="e")
    assert result.passed
    assert (result.points, result.max_points, result.message) == (2, 2, "")
    assert (result.exercise, result.check, result.hidden) == ("e", "two", False)


def test_wrong_with_its_explanation() -> None:
    told, known = {"one": "One is too few."}, partial(Known.from_json, ONE)
    result = run_check(two, {"f": lambda: 1}, misconceptions=told, known=known)
    assert (result.points, result.misconception) == (0, "one")
    assert result.text == "f() is 1; expected 2. One is too few."


def test_undefined() -> None:
    result = run_check(two, {})
    assert result.message == "`f` is not defined. Keep the name that the exercise gives."
    assert result.misconception == "not-defined"


def test_not_started() -> None:
    def f():
        raise NotImplementedError

    assert run_check(two, {"f": f}).misconception == "not-started"


def test_the_placeholder_of_a_starter_is_not_started() -> None:
    names: dict[str, object] = {}
    exec(f"def f():\n    {STUB}", names)
    assert run_check(two, names).misconception == "not-started"


def test_a_library_may_not_implement_something() -> None:
    def f():
        raise NotImplementedError('"softmax" not implemented for "Long"')

    result = run_check(two, {"f": f})
    assert (result.misconception, "not implemented for" in result.message) == ("raises", True)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ValueError("bad\n  shape"), "Your code raised ValueError: bad shape"),
        (KeyError(), "Your code raised KeyError"),
        (SystemExit(3), "Your code raised SystemExit: 3"),
        (RecursionError("x" * 999), "Your code raised RecursionError: " + "x" * 300),
    ],
)
def test_errors_are_told(error: BaseException, message: str) -> None:
    @check(points=1)
    def raises(f):
        f()

    def f():
        raise error

    result = run_check(raises, {"f": f})
    assert (result.message, result.misconception) == (message, "raises")


def test_an_interrupt_is_not_swallowed() -> None:
    def f():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_check(two, {"f": f})


def test_the_learner_s_line_is_told() -> None:
    names: dict[str, object] = {}
    exec(
        compile("def f():\n    return g()\n\ndef g():\n    return 1 / 0\n", "<cell>", "exec"), names
    )
    assert run_check(two, names).message == (
        "Your code raised ZeroDivisionError: division by zero (line 5)"
    )


def test_a_remote_error_is_told_by_its_type() -> None:
    class RemoteError(Exception):
        remote_type = "TypeError"

    def f():
        raise RemoteError("no")

    assert run_check(two, {"f": f}).message.startswith("Your code raised TypeError: no")


def test_warnings_are_no_mistakes() -> None:
    def f():
        warnings.warn("careful", stacklevel=1)
        return np.float64(2) + 0 * np.log(np.float64(1))

    assert run_check(two, {"f": f}).passed


def test_only_hidden_checks_follow_the_secret() -> None:
    plain = check_rng("e", "hidden_draw").random()
    secret = check_rng("e", "hidden_draw", "secret").random()
    assert plain != secret
    names = {"f": lambda: secret}
    assert run_check(hidden_draw, names, exercise="e", secret="secret").passed
    assert not run_check(hidden_draw, names, exercise="e").passed
    names = {"f": lambda: check_rng("e", "visible_draw").random()}
    assert run_check(visible_draw, names, exercise="e", secret="secret").passed


def test_report_prints_what_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    report(two, {"f": lambda: 2}, exercise="e")
    assert capsys.readouterr().out == "✓ Gives 2 (2 points)\n"


def test_report_raises_one_message() -> None:
    with pytest.raises(CheckFailed) as failed:
        report(two, {"f": lambda: 1}, misconceptions={"one": "Too few."}, known=json.dumps(ONE))
    assert failed.value.message == "✗ Gives 2\nf() is 1; expected 2. Too few."
    assert failed.value.misconception == "one"


def test_report_keeps_stderr_clean(capsys: pytest.CaptureFixture[str]) -> None:
    def f():
        print("noise", file=sys.stderr)
        return 2

    report(two, {"f": f})
    seen = capsys.readouterr()
    assert seen.err == ""
    assert seen.out == "noise\n✓ Gives 2 (2 points)\n"


def test_report_grades_questions(capsys: pytest.CaptureFixture[str]) -> None:
    (number, word), texts = questions_in("""## n (± 0)
- [x] 2 > One and one.
- [ ] 4 > sq: Squared.

## c
- [x] x > Yes, x.
- [ ] y > m: No, y.
""")
    report(number, {"n": 2})
    assert capsys.readouterr().out == "✓ n (1 point)\nOne and one.\n"
    with pytest.raises(CheckFailed, match=r"Not quite\. Squared\."):
        report(number, {"n": 4}, misconceptions=texts)
    report(word, {"c": " A "})
    assert capsys.readouterr().out.endswith("Yes, x.\n")
    with pytest.raises(CheckFailed, match=r"No, y\."):
        report(word, {"c": "b"})


FAILURE = "Each row has to sum to 1: look at the axis."


def plain_assert(f):
    """Sums to 1"""
    if f() != 1:
        raise AssertionError  # as `assert` does, which pytest would rewrite here


def quiet_expect(f):
    """Sums to 1"""
    expect(f() == 1)


def quiet_failure(f):
    """Sums to 1"""
    if f() != 1:
        raise CheckFailed


@pytest.mark.parametrize("function", [plain_assert, quiet_expect, quiet_failure])
def test_a_failure_without_words_has_the_check_s_message(function) -> None:
    checked = check(points=1, failure_message=FAILURE)(function)
    verdict = run_check(checked, {"f": lambda: 2})
    assert (verdict.status, verdict.message) == (Status.FAILED, FAILURE)
    assert verdict.misconception is None
    assert run_check(checked, {"f": lambda: 1}).passed
    assert run_check(check(points=1)(function), {"f": lambda: 2}).message == "That is not it."


def test_a_comparison_that_has_words_keeps_them() -> None:
    @check(points=1, failure_message=FAILURE)
    def precise(f):
        np.testing.assert_allclose(f(), 1.0, err_msg="more precise")

    assert "more precise" in run_check(precise, {"f": lambda: 2.0}).message
    two_as_well = check(points=1, failure_message=FAILURE)(two.function)
    assert run_check(two_as_well, {"f": lambda: 1}).message == "f() is 1; expected 2."


def test_an_assertion_of_the_learner_s_is_his_error() -> None:
    names: dict[str, object] = {}
    exec(compile("def f():\n    assert 1 == 2\n", "<cell>", "exec"), names)
    verdict = run_check(check(points=1, failure_message=FAILURE)(plain_assert), names)
    assert verdict.misconception == "raises"
    assert verdict.message == "Your code raised AssertionError (line 2)"


def test_a_right_answer_is_told_why(capsys: pytest.CaptureFixture[str]) -> None:
    checked = check(points=1, success_message="One is one.")(plain_assert)
    verdict = run_check(checked, {"f": lambda: 1})
    assert (verdict.status, verdict.message) == (Status.PASSED, "One is one.")
    report(checked, {"f": lambda: 1})
    assert capsys.readouterr().out == "✓ Sums to 1 (1 point)\nOne is one.\n"


def test_a_question_has_a_message_for_any_other_answer() -> None:
    (question,), _ = questions_in("## n (± 0)\n- [x] 2\n- [ ] 4 > sq: Root.\n- [ ] else > Add.")
    assert run_check(question.check(), {"n": 3}).message == "Add."
    assert run_check(question.check(), {"n": 4}).message == "Not quite."
