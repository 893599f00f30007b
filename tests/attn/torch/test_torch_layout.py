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


@pytest.mark.parametrize("name", PATHS)
def test_leaves_its_input_alone(name: str) -> None:
    given = [torch.from_numpy(part.copy()) for part in parts()]
    PATHS[name](*given)
    for after, before in zip(given, parts(), strict=True):
        np.testing.assert_array_equal(after.numpy(), before)


@pytest.mark.parametrize("name", PATHS)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_narrow_types_are_kept_and_computed_wider(name: str, dtype: torch.dtype) -> None:
    narrow = [torch.from_numpy(part).to(dtype) for part in parts()]
    wide = PATHS[name](*(part.float() for part in narrow))
    seen = PATHS[name](*narrow)
    pairs = zip(seen, wide, strict=True) if isinstance(seen, tuple) else [(seen, wide)]
    for result, expected in pairs:
        assert result.dtype == dtype
        torch.testing.assert_close(result.float(), expected.float(), atol=0.03, rtol=0.03)
