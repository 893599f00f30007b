"""Let torch gradients flow through a remote call: backward is one more request.

A check writes ``loss.backward()`` as it would locally. The learner's graph stays with the learner;
the grader's graph holds one node for each call.
"""

from __future__ import annotations

import sys
from typing import Any

from coursekit.grade.session import Session
from coursekit.grade.values import is_tensor, tensors_in


def wants_gradient() -> bool:
    """Whether torch is in use here and records gradients."""
    torch = sys.modules.get("torch")
    return torch is not None and bool(torch.is_grad_enabled())


def attach(session: Session, number: int, arguments: list[Any], result: Any) -> Any:
    """Return ``result`` with its tensors as outputs of the remote call ``number``.

    Parameters
    ----------
    session : Session
        Where the call was made.
    number : int
        The call's number on the learner's side.
    arguments : list
        The call's arguments; tensors among them that require a gradient receive one.
    result : Any
        What it returned, as data.
    """
    import torch

    inputs = [t for t in tensors_in(arguments) if t.requires_grad]
    outputs = [t for t in tensors_in(result) if t.requires_grad]
    # Without an input that requires a gradient torch would not call backward, and the learner's
    # own parameters would get no gradient.
    anchor = torch.zeros((), requires_grad=True)
    attached = _node().apply(session, number, [o.detach() for o in outputs], anchor, *inputs)
    return _replace(result, dict(zip(map(id, outputs), attached, strict=True)))


def _replace(value: Any, attached: dict[int, Any]) -> Any:
    """Return a value with its tensors replaced, by id."""
    if is_tensor(value):
        return attached.get(id(value), value)
    if isinstance(value, list | tuple):
        return type(value)(_replace(v, attached) for v in value)
    if isinstance(value, dict):
        return {k: _replace(v, attached) for k, v in value.items()}
    return value


def _node() -> Any:
    """Return the autograd function of remote calls; defined when needed, for torch is optional."""
    import torch

    class RemoteCall(torch.autograd.Function):
        @staticmethod
        def forward(
            ctx: Any, session: Session, number: int, outputs: list[Any], *inputs: Any
        ) -> Any:
            ctx.session, ctx.number = session, number
            ctx.shapes = [t.shape for t in inputs]
            ctx.set_materialize_grads(False)
            return tuple(o.clone() for o in outputs)

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> Any:
            session = ctx.session
            answer = session.request(
                session.limits.call_seconds,
                do="backward",
                call=ctx.number,
                gradients=[None if g is None else g.detach() for g in gradients],
            )
            answer = answer if isinstance(answer, list) else []
            shapes = ctx.shapes[1:]
            inputs = [_fitting(g, shape) for g, shape in zip(answer, shapes, strict=False)]
            inputs += [None] * (len(shapes) - len(inputs))
            return (None, None, None, None, *inputs)

    return RemoteCall


def _fitting(gradient: Any, shape: Any) -> Any:
    return gradient.detach() if is_tensor(gradient) and gradient.shape == shape else None
