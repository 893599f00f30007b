"""`attn.torch` has every name of `attn`, documented."""

from __future__ import annotations

import importlib
import inspect
import sys
from pathlib import Path

import pytest

import attn
import attn.torch as attn_torch

sys.path.insert(0, str(Path(__file__).parents[1]))
test_public = importlib.import_module("test_public")


def test_all_is_every_public_name() -> None:
    assert attn_torch.__all__ == test_public.public(attn_torch)


def test_every_name_of_attn_is_there() -> None:
    assert set(attn.__all__) - set(attn_torch.__all__) == set()


@pytest.mark.parametrize("name", attn_torch.__all__)
def test_documented_in_full(name: str) -> None:
    test_public.check_documented(getattr(attn_torch, name))


@pytest.mark.parametrize("name", [n for n in attn.__all__ if not n[0].isupper()])
def test_parameters_are_those_of_numpy(name: str) -> None:
    here = inspect.signature(getattr(attn_torch, name)).parameters
    there = inspect.signature(getattr(attn, name)).parameters
    extra = {"dtype", "device", "return_log_prob", "return_choice", "rng", "generator"}
    assert [p for p in here if p not in extra] == [p for p in there if p not in extra]
