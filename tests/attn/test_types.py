"""Every mechanism keeps the type of its input, and its input as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from everywhere import LIBRARIES, NUMPY, Library, arrays, calls, libraries, listed, parts

import attn

named = pytest.mark.parametrize("name", list(calls(NUMPY)))
#: Of each library the types narrower than float64.
NARROW = [
    (library, kind)
    for library in LIBRARIES
    for kind in ("float16", *(["bfloat16"] if library.name == "torch" else []))
]


@named
@pytest.mark.parametrize(
    ("library", "dtype"), [*NARROW, *((library, "float32") for library in LIBRARIES)], ids=str
)
def test_keeps_the_type_and_computes_in_at_least_32_bits(
    name: str, library: Library, dtype: str
) -> None:
    narrow = [library.cast(part, dtype) for part in parts()]
    seen = listed(calls(library)[name](*narrow))
    wide = listed(calls(library)[name](*(library.cast(part, "float32") for part in narrow)))
    for result, expected in zip(seen, wide, strict=True):
        assert str(result.dtype).removeprefix("torch.") == dtype
        assert str(expected.dtype).removeprefix("torch.") == "float32"
        exact = library.cast(expected, dtype)
        close = library.cast(result, "float32"), library.cast(exact, "float32")
        # Torch's kernels round on their way, and so does a cache of narrow latents.
        atol = 0 if library is NUMPY and "latent" not in name else 0.03
        np.testing.assert_allclose(*map(np.asarray, map(detached, close)), atol=atol, rtol=atol)


def detached(numbers: Any) -> Any:
    return numbers.detach() if hasattr(numbers, "detach") else numbers


@libraries
@named
def test_leaves_its_input_alone(library: Library, name: str) -> None:
    given = [library.give(part.copy()) for part in parts()]
    for part in given if library is NUMPY else []:
        part.flags.writeable = False
    calls(library)[name](*given)
    for after, before in zip(given, parts(), strict=True):
        np.testing.assert_array_equal(np.asarray(after), before)


@libraries
@named
def test_does_not_mind_how_memory_is_laid_out(library: Library, name: str) -> None:
    # Transposed memory, which torch takes over from NumPy.
    scattered = [library.give(np.ascontiguousarray(part.T).T) for part in parts()]
    expected = arrays(calls(library)[name](*map(library.give, parts())))
    for seen, before in zip(arrays(calls(library)[name](*scattered)), expected, strict=True):
        np.testing.assert_allclose(seen, before, atol=1e-12)


@named
def test_integers_are_numbers(name: str) -> None:
    ones = np.ones((2, 3, 7, 8), dtype=np.int64)
    # Splitting heads moves numbers and computes nothing.
    expected = np.int64 if name == "heads" else np.float64
    assert all(result.dtype == expected for result in arrays(calls(NUMPY)[name](ones, ones, ones)))


@pytest.mark.parametrize("dtype", [int, "foo", bool, np.complex64])
@pytest.mark.parametrize(
    "make",
    [
        lambda dtype: attn.MultiHeadAttention(8, 2, dtype=dtype),
        lambda dtype: attn.AdditiveScore(8, 8, 4, dtype=dtype),
        lambda dtype: attn.AxialPositions((2, 3), (2, 2), dtype=dtype),
        lambda dtype: attn.sinusoidal_positions(4, 4, dtype=dtype),
        lambda dtype: attn.alibi_bias(2, 4, 4, dtype=dtype),
    ],
)
def test_only_floating_point_numbers_hold_weights(make: Callable[[Any], Any], dtype: Any) -> None:
    with pytest.raises(TypeError, match=r"dtype is .*; expected float16, float32 or float64"):
        make(dtype)


def test_every_function_of_numbers_is_among_the_calls() -> None:
    asked: set[str] = set()

    class Watched(Library):
        def __getattr__(self, name: str) -> Any:
            asked.add(name)
            return super().__getattr__(name)

    for call in calls(Watched("numpy")).values():
        call(*parts())
    functions = {name for name in attn.__all__ if not isinstance(getattr(attn, name), type)}
    takes_no_numbers = {"alibi_bias", "cache_size", "sinusoidal_positions"} | {
        name for name in functions if name.endswith("_mask")
    }
    assert functions - asked == takes_no_numbers, "add a call to everywhere.py"
