"""Have PyTorch refuse to work while an exercise for NumPy is checked.

The page has no PyTorch, so an answer that uses it could be right in a notebook and in no other
place. Where it is used, every place says so in the same words; that it is imported, or used by
other cells, is nobody's mistake.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any

#: What learners are told.
USES_TORCH = (
    "Your code uses PyTorch. Solve this exercise with NumPy: the page has no PyTorch, and work is "
    "graded without it."
)
_is_refused: ContextVar[bool] = ContextVar("is_refused", default=False)


class TorchRefusedError(ImportError):
    """PyTorch was used where an exercise is solved with NumPy."""

    def __init__(self) -> None:
        super().__init__(USES_TORCH)


@contextmanager
def numpy_only(wanted: bool) -> Iterator[None]:
    """Have PyTorch raise `TorchRefusedError` at every call and import, if that is wanted.

    Not wanted, it lets PyTorch work within a block in which it is.
    """
    token = _is_refused.set(wanted)
    try:
        if wanted:
            with _refusal():
                yield
        else:
            yield
    finally:
        _is_refused.reset(token)


def refusing_torch(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that does the same inside of ``numpy_only(True)``."""

    def refusing(*args: Any, **kwargs: Any) -> Any:
        with numpy_only(True):
            return function(*args, **kwargs)

    return refusing


def is_torch_refused() -> bool:
    """Return whether this is inside of ``numpy_only(True)``."""
    return _is_refused.get()


def _refusal() -> AbstractContextManager[Any]:
    overrides = getattr(sys.modules.get("torch"), "overrides", None)
    if overrides is None:
        return _not_imported()
    # Defined when needed, for PyTorch is optional.
    mode = type("Refusal", (overrides.TorchFunctionMode,), {"__torch_function__": _refuse})
    refusal: AbstractContextManager[Any] = mode()
    return refusal


def _refuse(_: Any, function: Any, __: Any, args: Any = (), kwargs: Any = None) -> Any:
    if is_torch_refused():
        raise TorchRefusedError
    return function(*args, **(kwargs or {}))


class _Finder:
    """Finds no module, and refuses one."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        """Raise `TorchRefusedError` for PyTorch."""
        if is_torch_refused() and name.partition(".")[0] == "torch":
            raise TorchRefusedError


@contextmanager
def _not_imported() -> Iterator[None]:
    finder: Any = _Finder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
