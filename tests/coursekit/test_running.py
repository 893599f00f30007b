"""The verdict of a check, in words, whatever the answer does."""

from __future__ import annotations

import hashlib
import json
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

from coursekit import CheckFailed, Status, check, expect, expect_close, report, run_check, running
from coursekit.known import Known, known_from
from coursekit.running import check_rng, noted
from coursekit.verdict import PLACEHOLDER


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


class RemoteError(Exception):
    remote_type = "TypeError"


def raising(error: BaseException) -> Callable[[], None]:
    def f() -> None:
        raise error

    return f


def test_wrong_with_its_explanation() -> None:
    told, known = {"one": "One is too few."}, partial(Known.from_json, ONE)
    result = run_check(two, {"f": lambda: 1}, misconceptions=told, known=known)
    assert (result.points, result.misconception) == (0, "one")
    assert result.text == "f() is 1; expected 2. One is too few."


@pytest.mark.parametrize(
    ("error", "message", "misconception"),
    [
        (None, "`f` is not defined. Keep the name that the exercise gives.", "not-defined"),
        (NotImplementedError(), "", "not-started"),
        (NotImplementedError(PLACEHOLDER), "", "not-started"),
        (NotImplementedError("not on Long"), "NotImplementedError: not on Long", "raises"),
        (ValueError("bad\n  shape"), "Your code raised ValueError: bad shape", "raises"),
        (KeyError(), "Your code raised KeyError", "raises"),
        (SystemExit(3), "Your code raised SystemExit: 3", "raises"),
        (RecursionError("x" * 999), "RecursionError: " + "x" * 300, "raises"),
        (RemoteError("no"), "Your code raised TypeError: no", "raises"),
    ],
)
def test_what_cannot_be_checked_is_told(error, message: str, misconception: str) -> None:
    result = run_check(two, {} if error is None else {"f": raising(error)})
    assert result.misconception == misconception
    assert message in result.message
    assert len(result.message) < 400


def test_an_interrupt_is_not_swallowed() -> None:
    with pytest.raises(KeyboardInterrupt):
        run_check(two, {"f": raising(KeyboardInterrupt())})


def test_the_learner_s_line_is_told() -> None:
    names: dict[str, object] = {}
    exec(
        compile("def f():\n    return g()\n\ndef g():\n    return 1 / 0\n", "<cell>", "exec"), names
    )
    assert run_check(two, names).message == (
        "Your code raised ZeroDivisionError: division by zero (line 5)"
    )


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


FAILURE = "Each row has to sum to 1: look at the axis."


def plain_assert(f):
    """Sums to 1"""
    if f() != 1:
        raise AssertionError  # as `assert` does, which pytest would rewrite here


def quiet_expect(f):
    """Sums to 1"""
    expect(f() == 1)


@pytest.mark.parametrize("function", [plain_assert, quiet_expect])
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


# --- seeds: one leaked draw betrays no secret -----------------------------------------------------


SECRET = "a secret of this test alone"


@pytest.fixture
def stretched(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bytes]]:
    """Return the secrets that scrypt has stretched since the test began, each slowly."""
    seen: list[bytes] = []
    scrypt = hashlib.scrypt

    def counting(secret: bytes, **settings: Any) -> bytes:
        seen.append(secret)
        assert settings["n"] * settings["r"] * 128 >= 16 * 2**20  # bytes of memory for each guess
        return scrypt(secret, **settings)

    monkeypatch.setattr(hashlib, "scrypt", counting)
    running._key.cache_clear()
    yield seen
    running._key.cache_clear()


def test_without_a_secret_the_seeds_stay_what_they_were(stretched: list[bytes]) -> None:
    assert check_rng("softmax", "shift").random() == 0.2517644494959409
    assert stretched == []


def test_a_secret_is_stretched_once_for_all_its_checks(stretched: list[bytes]) -> None:
    places = ("one", "small"), ("one", "large"), ("two", "small"), ("ab", "c"), ("a", "bc")
    assert len({check_rng(*place, SECRET).random() for place in places}) == 5
    assert stretched == [SECRET.encode()]
    check_rng("one", "small", "another secret")
    assert stretched == [SECRET.encode(), b"another secret"]


@pytest.mark.parametrize(
    "guess", [f"{SECRET}\none\nsmall", f"{SECRET}one/small", f"\none\nsmall{SECRET}"]
)
def test_no_plain_hash_of_the_secret_gives_the_draw(guess: str) -> None:
    drawn = check_rng("one", "small", SECRET).random()
    digest = hashlib.sha256(guess.encode()).digest()
    for seed in (digest, digest[:8]):
        assert np.random.default_rng(int.from_bytes(seed, "big")).random() != drawn
        assert np.random.default_rng(list(seed)).random() != drawn
