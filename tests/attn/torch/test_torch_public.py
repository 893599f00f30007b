"""`attn.torch` has modules, documented, and no second form of a function."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest
import torch

import attn
import attn.torch as attn_torch

sys.path.insert(0, str(Path(__file__).parents[1]))
test_public = importlib.import_module("test_public")


def test_all_is_every_public_name() -> None:
    assert attn_torch.__all__ == test_public.public(attn_torch)


def test_no_function_has_a_twin() -> None:
    shared = set(attn.__all__) & set(attn_torch.__all__)
    assert all(issubclass(getattr(attn_torch, name), torch.nn.Module) for name in shared)
    assert len(shared) == 4


@pytest.mark.parametrize("name", attn_torch.__all__)
def test_documented_in_full(name: str) -> None:
    test_public.check_documented(getattr(attn_torch, name))
