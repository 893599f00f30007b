"""Seeds of checks: public where there is no secret, and one leaked draw betrays no secret."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from coursekit.bank import running
from coursekit.bank.running import check_rng

SECRET = "a secret of this test alone"


@pytest.fixture
def stretched(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bytes]]:
    """Return the secrets that scrypt has stretched since the test began."""
    seen: list[bytes] = []
    scrypt = hashlib.scrypt

    def counting(secret: bytes, **settings: Any) -> bytes:
        seen.append(secret)
        return scrypt(secret, **settings)

    monkeypatch.setattr(hashlib, "scrypt", counting)
    running._key.cache_clear()
    yield seen
    running._key.cache_clear()


def test_without_a_secret_the_seeds_stay_what_they_were(stretched: list[bytes]) -> None:
    assert check_rng("softmax", "shift").random() == 0.2517644494959409
    assert stretched == []


def test_a_secret_is_stretched_once_for_all_its_checks(stretched: list[bytes]) -> None:
    draws = {check_rng(e, c, SECRET).random() for e in ("one", "two") for c in ("small", "large")}
    assert len(draws) == 4
    assert stretched == [SECRET.encode()]
    check_rng("one", "small", "another secret")
    assert stretched == [SECRET.encode(), b"another secret"]


def test_the_stretching_is_slow_and_keeps_its_strength(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}
    monkeypatch.setattr(hashlib, "scrypt", lambda _, **settings: given.update(settings) or b"key")
    running._key.cache_clear()
    check_rng("one", "small", SECRET)
    running._key.cache_clear()
    assert given["n"] * given["r"] * 128 >= 16 * 2**20  # bytes of memory for each guess


@pytest.mark.parametrize(
    "guess",
    [
        f"{SECRET}\none\nsmall",
        f"{SECRET}one/small",
        f"\none\nsmall{SECRET}",
    ],
)
def test_no_plain_hash_of_the_secret_gives_the_draw(guess: str) -> None:
    drawn = check_rng("one", "small", SECRET).random()
    digest = hashlib.sha256(guess.encode()).digest()
    for seed in (digest, digest[:8]):
        assert np.random.default_rng(int.from_bytes(seed, "big")).random() != drawn
        assert np.random.default_rng(list(seed)).random() != drawn


def test_where_exercise_ends_and_check_begins_counts() -> None:
    assert check_rng("ab", "c", SECRET).random() != check_rng("a", "bc", SECRET).random()
