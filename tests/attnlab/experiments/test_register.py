"""A new experiment is its module and its stored result: nothing else is edited."""

from __future__ import annotations

from attnlab import experiments


def test_every_public_module_of_the_package_is_an_experiment() -> None:
    for name in experiments.names():
        module = experiments._module(name)
        for part in ("CLAIM", "run", "trials", "because", "figure"):
            assert hasattr(module, part), f"{name} has no {part}"


def test_every_stored_result_belongs_to_an_experiment() -> None:
    stored = {path.stem for path in experiments.RESULTS.iterdir()}
    assert stored == set(experiments.names())
