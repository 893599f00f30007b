"""The log of attempts to refute claims: of claims that there are, each with what was seen."""

from __future__ import annotations

from attnlab.evidence.attempts import attempts_on, log
from attnlab.experiments import names


def test_every_attempt_is_on_a_claim_and_says_what_was_seen() -> None:
    assert set(log()) <= set(names())
    for attempts in log().values():
        for attempt in attempts:
            assert attempt.tried.endswith(".")
            assert attempt.found.endswith(".")
    assert attempts_on("no such claim") == ()


def test_attempts_that_succeeded_and_failed_are_both_kept() -> None:
    assert {attempt.refuted for attempts in log().values() for attempt in attempts} == {True, False}
