"""One answer, one verdict: in page, notebook, terminal and class.

Here every third of the wrong answers; all of them: ``python -m benchmarks.one_verdict``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from benchmarks.one_verdict import differences, ways
from coursekit.bank.load import Bank
from tests.course import BANK

IDS = [id for id, exercise in BANK.items() if exercise.checks]


@pytest.fixture(scope="module")
def shared() -> Iterator[tuple[Any, Any]]:
    with ways() as opened:
        yield opened


@pytest.mark.heavy
@pytest.mark.parametrize("id", IDS)
def test_every_answer_is_told_the_same_everywhere(bank: Bank, shared: Any, id: str) -> None:
    counts: Counter[str] = Counter()
    assert list(differences(bank[id], *shared, counts, each=3)) == []
    assert counts["class"] == counts["terminal"] > 0
