"""Keep a call's torch graph, so that the grader can ask for its gradients afterwards.

The tensors of a call are those of its arguments, and of its result, that require a gradient, in
the order of `coursekit.grade.values.tensors_in`; the grader's side counts them in the same order.
"""

from __future__ import annotations

import sys
from contextlib import nullcontext
from typing import Any

from coursekit.grade.values import tensors_in


class Gradients:
    """The graphs of the calls since the last check."""

    def __init__(self) -> None:
        self._calls: list[tuple[list[Any], list[Any]]] = []

    def call(self, target: Any, args: list[Any], kwargs: dict[str, Any], grad: bool) -> Any:
        """Call ``target``, with gradients on or off, and return its result."""
        torch = sys.modules.get("torch")
        with nullcontext() if torch is None else torch.set_grad_enabled(grad):
            return target(*args, **kwargs)

    def keep(self, arguments: Any, result: Any) -> int | None:
        """Keep a call's leaves and outputs; return its number, or None without a gradient."""
        outputs = [t for t in tensors_in(result) if t.requires_grad]
        if not outputs:
            return None
        leaves = [t for t in tensors_in(arguments) if t.requires_grad]
        self._calls.append((leaves, outputs))
        return len(self._calls) - 1

    def backward(self, call: int, gradients: list[Any]) -> list[Any]:
        """Send gradients of a call's outputs back; return those of its leaves.

        Gradients of parameters accumulate where the learner's own ``backward()`` would put them.
        """
        import torch

        leaves, outputs = self._calls[call]
        for leaf in leaves:
            leaf.grad = None
        flowing = [(o, g) for o, g in zip(outputs, gradients, strict=True) if g is not None]
        torch.autograd.backward([o for o, _ in flowing], [g for _, g in flowing], retain_graph=True)
        return [leaf.grad for leaf in leaves]

    def forget(self) -> None:
        """Drop all graphs."""
        self._calls.clear()
