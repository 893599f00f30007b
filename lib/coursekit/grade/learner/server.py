"""Answer the grader's requests, one at a time: run cells, look up names, call, read, differentiate.

It runs in the submission's process, beside the learner's code, which may do anything to it.
Nothing depends on its honesty: a forged answer is checked like any other.
"""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from coursekit.grade.decoder import Decoder
from coursekit.grade.learner.objects import Objects, describe_error
from coursekit.grade.learner.withhold import withhold
from coursekit.grade.limits import Limits
from coursekit.grade.values import CannotCrossError, Encoder, tensors_in
from coursekit.grade.wire import Channel, WireError
from coursekit.judge.numpy_only import builtins_without_torch, refusing_torch
from coursekit.judge.shell import Shell
from coursekit.judge.stopped import TimeUpError


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
        sys.modules["__main__"] = self._shell.module
        self._alone: dict[str, Shell] = {}
        self._gradients = Gradients()
        self._token = ""

    def answer(self) -> None:
        """Take one request and send its answer."""
        header, payload = self._channel.receive()
        self._token = header["token"]
        request = Decoder(payload, self._limits, self._stand_in).decode(header["body"])
        try:
            with _alarm(float(request.get("seconds") or 0), self._limits.wall_factor):
                # Encoding may run learner code (a generator's), so it is timed too.
                self._send({"ok": getattr(self, f"_do_{request['do']}")(request)})
        except BaseException as error:  # also an EOFError of the learner's: `input()` raises one
            self._send({"error": describe_error(error)})

    # --- requests ---------------------------------------------------------------------------

    def _do_cell(self, request: dict[str, Any]) -> None:
        self._shell.run_cell(request["source"])

    def _do_alone(self, request: dict[str, Any]) -> None:
        """Run cells in a namespace of their own, which has a name; raise the last error."""
        self._alone[request["space"]] = shell = Shell()
        if request["without_torch"]:
            shell.user_ns["__builtins__"] = builtins_without_torch()
        if error := shell.run_cells(request["sources"])[1]:
            raise error

    def _do_names(self, request: dict[str, Any]) -> dict[str, Any]:
        space = self._alone.get(request.get("space", ""), self._shell).user_ns
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

    def _send(self, body: dict[str, Any]) -> None:
        try:
            self._send_encoded(body)
        except (CannotCrossError, WireError) as error:
            # Too large or too deep: the learner is told why, and the conversation goes on.
            refusal = ValueError(f"the result cannot be read: {error}")
            self._send_encoded({"error": describe_error(refusal)})

    def _send_encoded(self, body: dict[str, Any]) -> None:
        encoder = Encoder(self._limits, self._objects.describe)
        tree = encoder.encode(body)
        self._channel.send({"token": self._token, "body": tree}, encoder.payload)

    def _stand_in(self, tree: dict[str, Any]) -> Any:
        """Return what a grader's tree stands for here: one of our objects, or a callback."""
        if tree["t"] == "handle":
            return self._objects[tree["id"]]
        if tree["t"] == "callback":
            return self._callback(tree["id"], tree["name"])
        raise WireError("a request holds a value of an unknown kind")

    def _callback(self, number: int, name: str) -> Callable[..., Any]:
        def function(*args: Any, **kwargs: Any) -> Any:
            self._send_encoded({"callback": number, "args": list(args), "kwargs": kwargs})
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
    still = "the code was still running after"

    def ring(number: int, frame: Any) -> None:
        if number == signal.SIGPROF:
            raise TimeUpError(f"{still} {seconds:g} seconds of processor time")
        raise TimeUpError(f"{still} waiting for {seconds * wall_factor:g} seconds")

    timers = {
        signal.ITIMER_PROF: (signal.SIGPROF, seconds),
        signal.ITIMER_REAL: (signal.SIGALRM, seconds * wall_factor),
    }
    for timer, (number, after) in timers.items():
        signal.signal(number, ring)
        signal.setitimer(timer, after)
    try:
        yield
    finally:
        for timer in timers:
            signal.setitimer(timer, 0)


# --- graphs of calls, for gradients that the grader asks for afterwards --------------------------


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
