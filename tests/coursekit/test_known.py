"""What mistakes give where a check compares, and which of them an answer is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest

from coursekit import check, expect_close, expect_shape
from coursekit.known import Known, known_from, print_of
from coursekit.made import known_of
from coursekit.running import check_rng, noted, run_check
from coursekit.selftest.check import check_answer

RNG = np.random.default_rng(0)


@check(points=1)
def numbers(f):
    """Three calls"""
    for x in (2.0, 3.0, 0.5):
        expect_close(f(x), [2 * x, 1.0], what="f")


def known(check, **mistakes) -> Known:
    """Return what is known of answers to the check, each under the ids in its name."""
    return known_from(
        (ids.split("__"), noted(check, {"f": answer}, RNG)) for ids, answer in mistakes.items()
    )


def told(check, answer, **mistakes) -> str | None:
    """Return what an answer is told; what is known has gone through JSON, as into a page."""
    read = Known.from_json(json.loads(json.dumps(known(check, **mistakes).as_json())))
    return run_check(check, {"f": answer}, known=lambda: read).misconception


def squares(x):
    return [x * x, 1.0]


def adds(x):
    return [x + 2, 1.0]


def test_the_mistake_is_named_whose_value_the_answer_has() -> None:
    assert told(numbers, lambda x: [x**2, 1], adds=adds, squares=squares) == "squares"
    assert told(numbers, lambda x: [9.0, 9.0], adds=adds, squares=squares) is None
    assert told(numbers, lambda x: [2 * x, 1.0], adds=adds) is None


def test_two_mistakes_with_one_value_are_told_apart_by_later_values() -> None:
    def triples(x):
        return [3 * x, 1.0]

    def adds_two(x):
        return [x + 4 if x == 2 else 7.0, 1.0]  # 6 for 2, as triples

    assert told(numbers, triples, triples=triples, adds=adds_two) == "triples"
    assert told(numbers, lambda x: [6.0, 1.0], triples=triples, adds=adds_two) is None


def test_mistakes_with_one_value_are_told_by_what_they_have_in_common() -> None:
    mistakes = {"power__squares": squares, "squares": lambda x: [x * x, 1.0]}
    assert told(numbers, squares, **mistakes) == "squares"
    assert told(numbers, squares, power=squares, squares=squares) is None


def test_a_mistake_that_is_wrong_earlier_gives_way() -> None:
    def late(x):
        return [x * x if x < 1 else 2 * x, 1.0]

    assert told(numbers, late, squares=lambda x: [x * x + x - 2, 1.0], late=late) == "late"


def test_a_shape_is_a_value_too() -> None:
    @check(points=1)
    def shaped(f):
        expect_shape(f(), (1, 2), what="f")

    mistakes = {"flat": lambda: np.ones(2), "long": lambda: np.ones((3, 2))}
    assert told(shaped, lambda: np.zeros(2), **mistakes) == "flat"
    assert told(shaped, lambda: np.zeros(5), **mistakes) is None
    assert told(shaped, lambda: np.zeros(2), level=lambda: np.ones(2), **mistakes) is None


def test_nan_in_places_is_a_value_and_nan_alone_is_none() -> None:
    @check(points=1)
    def square(f):
        expect_close(f(), [[1.0, 2.0], [3.0, 4.0]], what="f")

    def strict():
        return np.array([[np.nan, np.nan], [3.0, 5.0]])

    def nothing():
        return np.full((2, 2), np.nan)

    assert told(square, strict, strict=strict, nothing=nothing) == "strict"
    assert told(square, nothing, strict=strict, nothing=nothing) is None
    infinite = np.array([[np.inf, np.nan], [3.0, 5.0]])
    assert told(square, lambda: infinite, strict=strict) is None


def test_regular_arrays_have_prints_of_their_own() -> None:
    thirds = np.array([0, 1, 0, 2, 0, 2, 0, 1]) / 3
    assert print_of(thirds, 1e-6)[3:] != print_of(np.array([0, 0, 0, 1, 0, 1, 0, 0.0]), 1e-6)[3:]


def test_truth_values_are_no_numbers() -> None:
    @check(points=1)
    def mask(f):
        expect_close(f(), [True, False], what="f")

    inverted = np.array([False, True])
    assert told(mask, lambda: inverted, inverted=lambda: inverted) == "inverted"
    assert told(mask, lambda: inverted.astype(float), inverted=lambda: inverted) is None


def test_nothing_is_named_where_another_value_is_right() -> None:
    # Such as random numbers of another NumPy: what is known of them is of other inputs.
    def for_twice(twice: float):
        @check(points=1)
        def numbers(f):
            expect_close(f(twice / 2), [twice, 1.0], what="f")

        return numbers

    of_another = known(for_twice(3.0), squares=squares)
    verdict = run_check(for_twice(4.0), {"f": lambda x: [2.25, 1.0]}, known=lambda: of_another)
    assert not verdict.passed
    assert verdict.misconception is None


def test_a_mistake_that_raises_is_known_up_to_there() -> None:
    def fails(x):
        return squares(x + 1) if x == 2 else [][0]

    assert told(numbers, lambda x: [9.0 if x == 2 else 0.0, 1.0], fails=fails) == "fails"
    assert told(numbers, squares, fails=lambda x: [][0]) is None


@pytest.mark.parametrize("tolerance", [1e-9, 1e-3, 0.5])
def test_values_count_as_one_within_the_tolerance(tolerance: float) -> None:
    @check(points=1)
    def near(f):
        expect_close(f(), np.zeros(5), atol=tolerance)

    off = np.arange(5) + 1.0
    assert told(near, lambda: off + tolerance / 9, counts=lambda: off) == "counts"
    assert told(near, lambda: off + 9 * tolerance, counts=lambda: off) is None


def test_hidden_draws_are_those_of_the_submission(write_exercise) -> None:
    exercise = write_exercise()
    visible, hidden = exercise.checks
    for who in ("ann", "bob"):
        draw = float(check_rng(exercise.id, hidden.name, "secret", who).integers(-100, -3))
        place = known_of(exercise, hidden, "secret", who).places[0]
        assert place.right == print_of(np.array(2 * draw), 1e-6)
    made = [known_of(exercise, visible, "secret", who) for who in ("ann", "bob")]
    assert made[0] is made[1]  # made once: no secret moves its draws


def test_pytorch_is_seeded_for_mistakes_where_an_answer_must_not_use_it(bank, monkeypatch) -> None:
    torch = pytest.importorskip("torch")

    @contextmanager
    def fork_rng(devices) -> Iterator[None]:
        torch.ones(1)  # the first call in a process asks PyTorch for more than later ones
        yield

    monkeypatch.setattr(torch.random, "fork_rng", fork_rng)
    exercise = replace(bank["layer-norm"], source=bank["layer-norm"].source + "\n")  # not known yet
    answer = check_answer(exercise, exercise.wrong["no-shift"].code)
    reported = {verdict.misconception for verdict in answer.failed}
    assert reported & {"no-shift", "raises"} == {"no-shift"}
