"""The types of arguments and results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

Array: TypeAlias = NDArray[Any]

if TYPE_CHECKING:
    from torch import Generator, Tensor
    from typing_extensions import TypeVar

    #: Arrays or tensors: a function returns what it is given. Of lists it makes arrays.
    Numbers = TypeVar("Numbers", Array, Tensor, default=Array)
    #: The same where no default is wanted.
    Strict = TypeVar("Strict", Array, Tensor)
    #: An argument beside the tokens, whose library does not matter.
    Given: TypeAlias = ArrayLike | Tensor
    #: What draws: a seed, or a generator of either library.
    Rng: TypeAlias = int | np.random.Generator | Generator | None
else:
    Numbers = Strict = Given = Rng = Any

#: Numbers in lists, or one number.
Nested: TypeAlias = Sequence[Any] | float
#: A function of query and key, or the name of one.
Score: TypeAlias = Literal["scaled_dot", "dot"] | Callable[[Any, Any], Any]

__all__ = [
    "Array",
    "ArrayLike",
    "DTypeLike",
    "Given",
    "Nested",
    "Numbers",
    "Rng",
    "Score",
    "Strict",
]


class LayerOptions(TypedDict, total=False):
    """What hides keys from the queries of a layer, for overloads."""

    mask: Given | None
    causal: bool


class Options(LayerOptions, total=False):
    """The usual keyword arguments of a mechanism, for overloads."""

    bias: Given | None
    scale: float | None


class SoftmaxOptions(Options, total=False):
    """Those of a mechanism that turns scores into weights by a softmax."""

    sink: Given | None
    soft_cap: float | None
