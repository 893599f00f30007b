"""Answer the grader's requests, one at a time: run cells, look up names, call, read, differentiate.

It runs in the submission's process, beside the learner's code, which may do anything to it.
Nothing depends on its honesty: a forged answer is checked like any other.
"""

from __future__ import annotations

import inspect
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np

from coursekit.error_origin import text_of
from coursekit.grade.learner.shell import Shell
from coursekit.grade.learner.withhold import withhold
from coursekit.grade.limits import Limits
from coursekit.grade.values import CannotCrossError, Decoder, Encoder, tensors_in
from coursekit.grade.wire import Channel, WireError
from coursekit.numpy_only import refusing_torch


class TimeUpError(BaseException):
    """Raised in learner code that runs too long. No ``except Exception`` catches it."""


def make_server(limits: dict[str, Any], withheld: list[str]) -> Callable[[socket.socket], None]:
    """Return a function that answers the requests on a submission's end of the channel.

    Parameters
    ----------
    limits : dict
        The fields of `Limits`.
    withheld : list of str
        Library functions that the exercises ask the learner to write.
    """
    own = Limits(**limits)
    withhold(withheld)

    def serve(sock: socket.socket) -> None:
        server = Server(Channel(sock, own), own)
        while True:
            try:
                server.answer()
            except (EOFError, ConnectionError):
                return

    return serve


class Server:
    """The learner's names, and the requests that reach them."""

    def __init__(self, channel: Channel, limits: Limits) -> None:
        self._channel, self._limits = channel, limits
        self._shell, self._objects = Shell(), Objects()
        self._gradients = Gradients()
        self._token = ""

    def answer(self) -> None:
        """Take one request and send its answer."""
        header, payload = self._channel.receive()
        self._token = header["token"]
        request = Decoder(payload, self._limits, self._stand_in).decode(header["body"])
        try:
            with _alarm(float(request.get("seconds") or 0), self._limits.wall_factor):
                # Encoding may run learner code (a generator's), so it is timed too; sending is
                # not, as an answer that is stopped half way would be followed by another one.
                message = self._packed({"ok": getattr(self, f"_do_{request['do']}")(request)})
        except BaseException as error:  # also an EOFError of the learner's: `input()` raises one
            message = self._packed({"error": describe_error(error)})
        self._channel.send_packed(message)

    # --- requests ---------------------------------------------------------------------------

    def _do_cell(self, request: dict[str, Any]) -> None:
        self._shell.run_cell(request["source"])

    def _do_names(self, request: dict[str, Any]) -> dict[str, Any]:
        space = self._shell.user_ns
        return {name: space[name] for name in request["names"] if name in space}

    def _do_call(self, request: dict[str, Any]) -> dict[str, Any]:
        args, kwargs = request["args"], request["kwargs"]
        target = self._objects[request["target"]]
        call = refusing_torch(target) if request["without_torch"] else target
        result = self._gradients.call(call, args, kwargs, request["grad"])
        return {
            "result": result,
            "call": self._gradients.keep([args, kwargs], result) if request["grad"] else None,
            "after": [*args, *kwargs.values()] if request["read"] else [],
        }

    def _do_get(self, request: dict[str, Any]) -> Any:
        return getattr(self._objects[request["target"]], request["name"])

    def _do_set(self, request: dict[str, Any]) -> None:
        _assign(self._objects[request["target"]], request["name"], request["value"])

    def _do_item(self, request: dict[str, Any]) -> Any:
        return self._objects[request["target"]][request["key"]]

    def _do_length(self, request: dict[str, Any]) -> int:
        return len(self._objects[request["target"]])

    def _do_list(self, request: dict[str, Any]) -> Iterator[Any]:
        return iter(self._objects[request["target"]])

    def _do_backward(self, request: dict[str, Any]) -> list[Any]:
        return self._gradients.backward(request["call"], request["gradients"])

    def _do_modules(self, request: dict[str, Any]) -> list[str]:
        return list(sys.modules)

    def _do_forget(self, request: dict[str, Any]) -> None:
        self._gradients.forget()

    # --- both directions --------------------------------------------------------------------

    def _packed(self, body: dict[str, Any]) -> bytes:
        try:
            return self._pack(body)
        except (CannotCrossError, WireError) as error:
            # Too large or too deep: the learner is told why, and the conversation goes on.
            refusal = ValueError(f"the result cannot be read: {error}")
            return self._pack({"error": describe_error(refusal)})

    def _pack(self, body: dict[str, Any]) -> bytes:
        encoder = Encoder(self._limits, self._objects.describe)
        tree = encoder.encode(body)
        return self._channel.pack({"token": self._token, "body": tree}, encoder.payload)

    def _stand_in(self, tree: dict[str, Any]) -> Any:
        """Return what a grader's tree stands for here: one of our objects, or a callback."""
        if tree["t"] == "handle":
            return self._objects[tree["id"]]
        if tree["t"] == "callback":
            return self._callback(tree["id"], tree["name"])
        raise WireError("a request holds a value of an unknown kind")

    def _callback(self, number: int, name: str) -> Callable[..., Any]:
        def function(*args: Any, **kwargs: Any) -> Any:
            call = {"callback": number, "args": list(args), "kwargs": kwargs}
            self._channel.send_packed(self._pack(call))
            header, payload = self._channel.receive()
            self._token = header["token"]
            body = Decoder(payload, self._limits, self._stand_in).decode(header["body"])
            if "error" in body:
                raise ValueError(body["error"])
            return body["value"]

        function.__name__ = function.__qualname__ = name
        return function


def _assign(target: Any, name: str, value: Any) -> None:
    """Set an attribute; a torch parameter keeps its identity and takes the values."""
    old: Any = getattr(target, name, None)
    if hasattr(old, "requires_grad") and hasattr(value, "detach"):
        old.data.copy_(value.detach())
    else:
        setattr(target, name, value)


@contextmanager
def _alarm(seconds: float, wall_factor: float) -> Iterator[None]:
    """Raise `TimeUpError` after ``seconds`` of processor time, or long after by the clock.

    With 0 seconds it is never raised. It tells honest code where it was stopped; code that catches
    it, or sets the timers anew, is ended by the grader.
    """
    wall = seconds * wall_factor
    with (
        _timer(
            signal.ITIMER_PROF, signal.SIGPROF, seconds, f"{seconds:g} seconds of processor time"
        ),
        _timer(signal.ITIMER_REAL, signal.SIGALRM, wall, f"waiting for {wall:g} seconds"),
    ):
        yield


@contextmanager
def _timer(timer: int, number: int, seconds: float, what: str) -> Iterator[None]:
    def ring(number: int, frame: Any) -> None:
        raise TimeUpError(f"stopped after {what}")

    signal.signal(number, ring)
    signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        signal.setitimer(timer, 0)


# --- what the names hold --------------------------------------------------------------------------


class Objects:
    """Objects that cannot cross, by number. The same object has the same number."""

    def __init__(self) -> None:
        self._by_number: list[Any] = []
        self._numbers: dict[int, int] = {}

    def __getitem__(self, number: int) -> Any:
        return self._by_number[number]

    def describe(self, value: Any) -> dict[str, Any]:
        """Return the tree of a handle: its number, its kind and its type's name."""
        if id(value) not in self._numbers:
            self._numbers[id(value)] = len(self._by_number)
            self._by_number.append(value)  # keeps it alive, so that no other object gets its id
        return {
            "t": "handle",
            "id": self._numbers[id(value)],
            "kind": kind_of(value),
            "type": type_name(value),
        }


def kind_of(value: Any) -> str:
    """Return ``class``, ``function`` (also methods) or ``instance``."""
    if isinstance(value, type):
        return "class"
    if inspect.isroutine(value):
        return "function"
    return "instance"


def type_name(value: Any) -> str:
    """Return the name of a value's type (of a class, its own name)."""
    kind = value if isinstance(value, type) else type(value)
    if isinstance(value, np.ndarray):
        return f"array of {value.dtype.name}"
    return str(getattr(kind, "__name__", "object"))[:80]


def describe_error(error: BaseException) -> dict[str, Any]:
    """Return an exception as data: its type, what it inherits, its text, the learner's line."""
    bases = [c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins"]
    return {
        "type": type(error).__name__[:80],
        "bases": bases,
        "message": _text(error),
        "line": _line(error),
        "memory": _is_memory(error),
    }


def _text(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return text_of(error)  # without the cell's number; `_line` has the line
    try:
        return str(error)[:2000]  # a KeyError says the `repr` of its key
    except Exception:
        return ""


def _line(error: BaseException) -> str:
    """Return the last line of the learner's own code that the error passed through."""
    import linecache

    if isinstance(error, SyntaxError) and error.lineno:
        return f"line {error.lineno}: {(error.text or '').strip()[:200]}"
    line = ""
    step = error.__traceback__
    while step is not None:
        name, number = step.tb_frame.f_code.co_filename, step.tb_lineno
        if name.startswith("<cell "):
            line = f"line {number}: {linecache.getline(name, number).strip()[:200]}"
        step = step.tb_next
    return line


def _is_memory(error: BaseException) -> bool:
    if isinstance(error, MemoryError):
        return True
    if isinstance(error, ImportError):  # a shared library that the memory left has no room for
        return "failed to map segment" in _text(error)
    return "torch" in sys.modules and "t allocate memory" in _text(error)


# --- gradients ------------------------------------------------------------------------------------


class Gradients:
    """The graphs of the calls since the last check, so that the grader can ask for gradients.

    The tensors of a call are those of its arguments, and of its result, that require a gradient, in
    the order of `coursekit.grade.values.tensors_in`, in which the grader's side counts them.
    """

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
