"""The lower bounds in pyproject.toml are true: notebooks run with the oldest that they allow."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tools.site.needs import requirements

from .conftest import by_extras

ROOT = Path(__file__).resolve().parents[2]


def oldest(*extras: str) -> list[str]:
    """Return the oldest version of each requirement of some extras, as pins."""
    needs = [need for extra in ("", *extras) for need in requirements(ROOT)[extra].values()]
    return [re.sub(r">=", "==", need.split(";")[0].strip()) for need in needs]


def test_every_requirement_has_a_lower_bound_and_nothing_else() -> None:
    listed = requirements(ROOT)
    needs = [need for extra in listed for need in listed[extra].values()]
    assert [
        n for n in needs if not re.fullmatch(r"[\w-]+>=[\w.]+(; sys_platform == '\w+')?", n)
    ] == []


def test_the_oldest_torch_gives_rows_without_keys_an_output_of_zero() -> None:
    """Before 2.5 `scaled_dot_product_attention` made them NaN; chapters and exercises say zero."""
    listed = requirements(ROOT)
    for extra in ("torch", "oracles"):
        oldest_torch = listed[extra]["torch"].split(">=")[1]
        assert tuple(map(int, oldest_torch.split("."))) >= (2, 5)


@pytest.mark.heavy
@pytest.mark.parametrize("teaches", [False, True])
def test_runs_with_the_oldest_that_are_allowed(
    new_environment: Callable[..., Any], unpacked: Path, teaches: bool
) -> None:
    groups = by_extras(unpacked)
    pins = oldest("notebook", *(["grading", "cluster"] if teaches else []))
    file = unpacked / "oldest.txt"
    file.write_text("\n".join(pins) + "\n")
    new = new_environment("oldest", *pins, constraints=file)
    new.lend("torch")  # the oldest is some gigabytes: the tests' own
    # Every third chapter, from the second: they draw, calculate and ask as the others do.
    readers = sorted(groups["notebook"] + groups["notebook,torch"])[1::3]
    new.run_all(unpacked, groups["notebook,torch,grading,cluster"] if teaches else readers)
    has = new.versions()
    wanted = {pin.split("==")[0].lower().replace("-", "_"): pin.split("==")[1] for pin in pins}
    assert {n: has[n] for n, v in wanted.items() if not has[n].startswith(v)} == {}
