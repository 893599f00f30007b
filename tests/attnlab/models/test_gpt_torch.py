"""The loop over batches that readers watch."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from attnlab.models.gpt_torch import Reported


def test_a_loop_says_how_far_it_has_come(capsys: pytest.CaptureFixture[str]) -> None:
    batches = [[[n]] for n in range(450)]
    assert list(Reported(batches)) == batches
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(",")[0] for line in lines] == [
        "200 of 450 batches", "400 of 450 batches", "450 of 450 batches",
    ]  # fmt: skip
    assert len(Reported(batches)) == 450
    assert Reported(batches)[7] == [[7]]
