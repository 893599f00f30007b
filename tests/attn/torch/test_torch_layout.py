"""How numbers lie in memory is without effect, and they stay as they are."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from everywhere import arrays, hiding_paths, parts

import attn.torch

PATHS = hiding_paths(attn.torch)


@pytest.mark.parametrize("name", PATHS)
def test_does_not_mind_how_memory_is_laid_out(name: str) -> None:
    given = [torch.from_numpy(part) for part in parts()]
    order = (3, 2, 1, 0)
    scattered = [part.permute(order).contiguous().permute(order) for part in given]
    assert not any(part.is_contiguous() for part in scattered)
    expected, seen = arrays(PATHS[name](*given)), arrays(PATHS[name](*scattered))
    for after, before in zip(seen, expected, strict=True):
        np.testing.assert_allclose(after, before, atol=1e-12)
