"""The benchmark's results, as chapters show them, are those that were stored."""

from __future__ import annotations

import json

import pytest

from attnlab import speed

STORED = json.loads(speed.FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("group", STORED["groups"])
def test_every_stored_time_is_returned(group: str) -> None:
    table = speed.seconds(group)
    stored = STORED["groups"][group]["seconds"]
    assert sum(len(times) for times in table.values()) == sum(len(t) for t in stored.values())
    for tokens, times in stored.items():
        assert all(table[peer][int(tokens)] == time for peer, time in times.items())


def test_ratios_are_to_the_base_of_the_same_run() -> None:
    for pinned in (True, False):
        times, table = (
            speed.seconds("dense", pinned=pinned),
            speed.ratios("dense", "torch SDPA", pinned=pinned),
        )
        assert table["blockwise"][512] * times["torch SDPA"][512] == pytest.approx(
            times["blockwise"][512]
        )
    assert speed.seconds("dense") != speed.seconds("dense", pinned=False)


def test_environment_has_what_ratios_depend_on() -> None:
    environment = speed.environment()
    assert environment["OPENBLAS_CORETYPE"] == STORED["environment"]["OPENBLAS_CORETYPE"]
    assert environment["torch"] == STORED["environment"]["versions"]["torch"]


def test_figures_show_the_numbers_and_say_them() -> None:
    figure = speed.full_attention()
    drawn = {line.get_label(): line for line in figure.axes[0].lines}
    last = speed.ratios("dense", "torch SDPA")["blockwise, causal"][8192]
    assert drawn["blockwise, causal (fast path)"].get_ydata()[-1] == last
    assert f"{last:.2f} at 8192" in figure.get_label()
    long = speed.long_sequences()
    assert f"{STORED['groups']['lsh']['exponents']['lsh_attention']:.2f}" in long.get_label()
