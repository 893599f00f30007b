"""Proxies: what represents, on the grader's side, what the learner defined.

To call a function or an instance, to construct an instance or to read an attribute is a request to
the confined process, whose answer is data. A proxy compares, hashes, converts and prints as itself,
never as the learner's object would: one that claims to equal everything equals nothing here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from coursekit.grade.session import Session
from coursekit.grade.values import is_tensor, tensors_in
from coursekit.grade.wire import WireError
from coursekit.numpy_only import is_torch_refused


class Proxy:
    """Represents one object of the learner; never holds it."""

    __slots__ = ("_handle", "_open", "_session")
    _handle: int
    _open: bool
    _session: Session

    def __init__(self, session: Session, handle: int, constructed: bool = False) -> None:
        object.__setattr__(self, "_session", session)
        object.__setattr__(self, "_handle", handle)
        # Only an instance that a check itself constructed may have attributes named like an
        # array's. Else a result could pose as an array with the expected `shape` and `sum`.
        object.__setattr__(self, "_open", constructed)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the learner's object and return the result, as data."""
        return call(self, args, kwargs)[0]

    def call_and_read_arguments(self, *args: Any, **kwargs: Any) -> tuple[Any, list[Any]]:
        """Return the result, and what the arguments hold after the call (keywords last)."""
        return call(self, args, kwargs, read=True)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of the submission>"

    def __reduce__(self) -> Any:
        raise TypeError("a proxy cannot be copied or pickled")


class FunctionProxy(Proxy):
    """A function or method of the learner."""

    __slots__ = ()


class InstanceProxy(Proxy):
    """An object of a learner's class: called, read, indexed, iterated."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or (not self._open and _is_array_name(name)):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        value = _request(self, "get", name=name)
        if isinstance(value, InstanceProxy) and self._open:
            object.__setattr__(value, "_open", True)
        return value

    def __bool__(self) -> bool:
        # A check that expects True or False must not accept just any object.
        raise TypeError(f"a {type(self).__name__} has no truth value; expected True or False")

    def __setattr__(self, name: str, value: Any) -> None:
        _request(self, "set", name=name, value=value)


class SequenceProxy(InstanceProxy):
    """An instance that a check constructed: it also has a length, items and an order."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, key: Any) -> Any:
        return _request(self, "item", key=key)

    def __len__(self) -> int:
        length = _request(self, "length")
        if type(length) is not int or not 0 <= length <= self._session.limits.items:
            raise TypeError("len() returned no usable number")
        return length

    def __iter__(self) -> Iterator[Any]:
        items = _request(self, "list")
        return iter(items if isinstance(items, list) else list(items))


class ClassProxy(Proxy):
    """A class of the learner: calling it constructs an instance."""

    __slots__ = ()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Construct an instance and return its proxy."""
        instance = call(self, args, kwargs)[0]
        if isinstance(instance, InstanceProxy):
            kind = _typed(SequenceProxy, type(instance).__name__)
            return kind(self._session, instance._handle, True)
        return instance


def _request(proxy: Proxy, do: str, **body: Any) -> Any:
    session = proxy._session
    return session.request(session.limits.call_seconds, do=do, target=proxy._handle, **body)


def call(
    proxy: Proxy, args: tuple[Any, ...], kwargs: Mapping[str, Any], read: bool = False
) -> tuple[Any, list[Any]]:
    """Call what ``proxy`` represents; return the result and, to ``read``, the arguments after it.

    An argument that is not data all through, such as a function, stays as it was given.
    """
    arguments = [list(args), dict(kwargs)]
    grad = wants_gradient()
    body = {"args": arguments[0], "kwargs": arguments[1], "grad": grad, "read": read}
    body["without_torch"] = is_torch_refused()
    answer = _request(proxy, "call", **body)
    given = [*args, *kwargs.values()] if read else []
    after = answer.get("after") if isinstance(answer, dict) else None
    if not isinstance(after, list) or len(after) != len(given):
        raise ValueError("the call was not answered")
    result = answer.get("result")
    if grad and type(answer.get("call")) is int:
        proxy._session.has_graphs = True
        result = attach(proxy._session, answer["call"], arguments, result)
    pairs = zip(given, after, strict=True)
    return result, [new if _is_data(old) else old for old, new in pairs]


def _is_data(value: Any) -> bool:
    """Whether a value crosses as a copy, with all that it holds."""
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(_is_data, value))
    if isinstance(value, dict):
        return all(map(_is_data, value.values()))
    return value is None or isinstance(value, _ATOMS) or is_tensor(value)


def proxies_for(session: Session) -> None:
    """Let a session's answers hold proxies, always the same one for the same object."""
    known: dict[int, Proxy] = {}

    def stand_in(tree: dict[str, Any]) -> Proxy:
        number = tree["id"]
        if number not in known:
            if len(known) > session.limits.items:
                raise WireError("an answer holds too many objects")
            name = tree.get("type")
            kind = _KINDS.get(tree.get("kind", ""), InstanceProxy)
            shown = name[:_LONGEST_NAME] if isinstance(name, str) else "object"
            known[number] = _typed(kind, shown)(session, number)
        return known[number]

    session.stand_in = stand_in


_ATOMS = (bool, int, float, complex, str, range, np.generic, np.ndarray)
#: Longest name of a type in a message (characters).
_LONGEST_NAME = 60
_KINDS = {"function": FunctionProxy, "class": ClassProxy, "instance": InstanceProxy}


@lru_cache(maxsize=256)
def _typed(kind: type[Proxy], name: str) -> type[Proxy]:
    """Return a subclass with the name of the learner's type, which messages print."""
    shown = "".join(c for c in name if c.isalnum() or c in "_ ") or "object"
    return type(shown, (kind,), {"__slots__": ()})


def _is_array_name(name: str) -> bool:
    torch = sys.modules.get("torch")
    return (
        hasattr(np.ndarray, name)
        or (torch is not None and hasattr(torch.Tensor, name))
        or name in _TENSOR
    )


#: A tensor's attributes that matter where torch is not imported.
_TENSOR = frozenset({"detach", "cpu", "numpy", "tolist"})


# --- gradients ------------------------------------------------------------------------------------
#
# A check writes ``loss.backward()`` as it would locally, which is one more request: the learner's
# graph stays with the learner, and the grader's holds one node for each call.


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
