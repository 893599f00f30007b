"""The grader's conversation with one confined submission: one request, one answer, in time."""

from __future__ import annotations

import builtins
import secrets
import time
from collections.abc import Callable
from typing import Any, NoReturn

from coursekit.grade.installed import installed_here
from coursekit.grade.limits import Limits
from coursekit.grade.values import CannotCrossError, Decoder, Encoder
from coursekit.grade.wire import Channel, WireError
from coursekit.sandbox.sandbox import Ending, Sandbox


class SessionOver(BaseException):
    """The submission's process is gone, or cannot be trusted to go on.

    ``status`` is the status for its row, ``reason`` the explanation in a sentence.
    """

    def __init__(self, status: str, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


class _Allowance:
    """The time that one request has: it is used up when too much processor time was used.

    For the first ``seconds`` of wall-clock time nothing is measured. After that, processor time
    counts, so that no submission fails because the machine is busy; ``wall`` seconds are a distant
    limit for code that sleeps.
    """

    _POLL_SECONDS = 0.25

    def __init__(self, seconds: float, wall: float, used: Callable[[], float]) -> None:
        now = time.monotonic()
        self._free, self._end = now + seconds, now + wall
        self._seconds, self._used = seconds, used
        self._before: float | None = None

    def left(self) -> float:
        """Return how many seconds to wait before asking again; 0 when the time is used up."""
        now = time.monotonic()
        if now < self._free:
            return self._free - now
        if now >= self._end:
            return 0.0
        used = self._used()
        if self._before is None:
            self._before = used
        spent = used - self._before
        return 0.0 if spent >= self._seconds else min(self._POLL_SECONDS, self._end - now)


class Session:
    """Requests to one submission, each with a time limit.

    ``stand_in`` turns a handle's tree into a proxy; `coursekit.grade.proxy` sets it.
    """

    def __init__(self, sandbox: Sandbox, limits: Limits, deadline: float | None = None) -> None:
        self.limits = limits
        self._sandbox = sandbox
        #: When the whole submission ends at the latest, on the monotonic clock.
        self.deadline = deadline or time.monotonic() + limits.wall_factor * limits.total_seconds
        self._channel = Channel(sandbox.fork(), limits)
        self._messages = 0
        self._grader_seconds = 0.0
        self._callbacks: list[Callable[..., Any]] = []
        self.stand_in: Callable[[dict[str, Any]], Any] = _no_handles
        #: Statuses for what the learner's code ran into and survived: a time-out, lack of memory.
        self.troubles: list[str] = []
        #: Modules that are installed but that the submission's process could not import.
        self.not_importable: list[str] = []
        #: Whether the submission's process keeps graphs of calls for their gradients.
        self.has_graphs = False
        self.over: SessionOver | None = None
        #: Whether it ran out of time because it waited, and not for a processor.
        self.is_idle = False
        self._awaited = 0.0  # seconds by the clock that its answers have taken

    def request(self, seconds: float, **body: Any) -> Any:
        """Send a request and return the decoded answer.

        Raises
        ------
        Exception
            What the learner's code raised, as the builtin exception nearest to it.
        SessionOver
            The process ended, ran out of time, or broke the protocol.
        """
        if self.over is not None:
            raise self.over
        token = self._send({**body, "seconds": seconds})
        allowance = self._allowance(seconds)
        while True:
            answer = self._receive(token, allowance)
            if "callback" not in answer:
                break
            value = self._call_back(answer)
            try:
                token = self._send(value)
            except TypeError as error:  # the submission waits for an answer all the same
                token = self._send({"error": str(error)})
        self._callbacks.clear()
        if "error" in answer:
            self._note(answer["error"])
            raise_remote(answer["error"])
        return answer.get("ok")

    def close(self) -> Ending:
        """End the submission's process, whatever it is doing."""
        self._channel.close()
        return self._sandbox.end()

    def _allowance(self, seconds: float) -> _Allowance:
        seconds += self.limits.grace_seconds
        left = self.deadline - time.monotonic()
        wall = min(self.limits.wall_factor * seconds, left)
        return _Allowance(min(seconds, left), wall, self._sandbox.seconds_used)

    def _send(self, body: dict[str, Any]) -> str:
        encoder = Encoder(self.limits, self._other)
        try:
            tree = encoder.encode(body)
        except CannotCrossError as error:
            raise TypeError(f"an argument cannot cross: {error}") from None
        token = secrets.token_hex(8)
        self._count()
        try:
            self._channel.send(
                {"token": token, "body": tree}, encoder.payload, self.limits.call_seconds
            )
        except WireError as error:
            raise TypeError(f"an argument cannot cross: {error}") from None
        except TimeoutError:
            self.end("timeout", "its process no longer took messages")
        except OSError:
            self.end("crashed", "")
        return token

    def _receive(self, token: str, allowance: _Allowance) -> dict[str, Any]:
        start = time.thread_time()
        try:
            header, payload = self._await(allowance)
            if header.get("token") != token:
                raise WireError("an answer that was not asked for")
            body = Decoder(payload, self.limits, self._decode_other).decode(header.get("body"))
        except TimeoutError:
            self.end("timeout", self._time_spent())
        except WireError as error:
            self.end("needs_review", f"its process broke the protocol: {error}")
        except (EOFError, OSError):
            self.end("crashed", "")
        if not isinstance(body, dict):
            self.end("needs_review", "its process broke the protocol: an answer is not an object")
        self._bound_decoding(time.thread_time() - start)
        return body

    def _await(self, allowance: _Allowance) -> tuple[dict[str, Any], bytes]:
        start = time.monotonic()
        try:
            return self._channel.receive(allowance.left)
        finally:
            self._awaited += time.monotonic() - start

    def _note_idleness(self) -> None:
        """Note, now that time has run out, whether more than half of it was spent on waiting.

        Time in which a process would have run, had the busy machine had a processor for it, is no
        waiting of its own.
        """
        active = self._sandbox.seconds_used() + self._sandbox.seconds_queued()
        self.is_idle = self.is_idle or active < self._awaited / 2

    def _bound_decoding(self, seconds: float) -> None:
        """End a submission whose answers, all together, have kept the grader busy too long.

        One answer is bounded by its size, and what a check does with it by the check's own limit.
        """
        self._grader_seconds += seconds
        if self._grader_seconds > self.limits.check_seconds:
            limit = f"{self.limits.check_seconds:g} seconds"
            self.end("timeout", f"its answers kept the grader busy for more than {limit}")

    def _time_spent(self) -> str:
        if time.monotonic() >= self.deadline:
            return "the whole notebook took too long by the clock, waiting included"
        return "it ran out of time, and continued when it was told to stop"

    def _count(self) -> None:
        self._messages += 1
        if self._messages > self.limits.messages:
            self.end("needs_review", f"it exchanged more than {self.limits.messages} messages")

    def end(self, status: str, reason: str) -> NoReturn:
        """End the process and raise the reason; a crash is explained by how the process ended."""
        if status == "timeout":
            self._note_idleness()
        ending = self.close()
        if status == "crashed":
            status, reason = _explain(ending)
        self.over = SessionOver(status, reason)
        raise self.over

    # --- callbacks: functions of the grader that are passed to a learner's function ------------

    def _other(self, value: Any) -> dict[str, Any]:
        handle = getattr(value, "_handle", None)
        if type(handle) is int:
            return {"t": "handle", "id": handle}
        if not callable(value):
            raise CannotCrossError(f"a {type(value).__name__} is not data")
        self._callbacks.append(value)
        name = str(getattr(value, "__name__", "function"))
        return {"t": "callback", "id": len(self._callbacks) - 1, "name": name}

    def _decode_other(self, tree: dict[str, Any]) -> Any:
        if tree["t"] != "handle" or type(tree.get("id")) is not int:
            raise WireError("an answer holds a value of an unknown kind")
        return self.stand_in(tree)

    def _call_back(self, call: dict[str, Any]) -> dict[str, Any]:
        number, args, kwargs = call["callback"], call.get("args"), call.get("kwargs")
        if type(number) is not int or not 0 <= number < len(self._callbacks):
            self.end("needs_review", "its process broke the protocol: an unknown callback")
        try:
            return {"value": self._callbacks[number](*list(args or ()), **dict(kwargs or {}))}
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}"}

    def _note(self, error: Any) -> None:
        if not isinstance(error, dict):
            self.end("needs_review", "its process broke the protocol: a malformed error")
        if error.get("type") == "TimeUpError":
            self.troubles.append("timeout")
            self._note_idleness()
        elif error.get("memory") is True:
            self.troubles.append("memory")
        elif module := installed_here(error):
            self.not_importable.append(module)


def _explain(ending: Ending) -> tuple[str, str]:
    if ending.over == "memory":
        return "memory", "it used more memory than a submission may"
    if ending.over == "time":
        return "timeout", "it used more processor time than a submission may"
    if ending.over == "unwatched":
        return "needs_review", "it was ended because it hid what it uses from those who bound it"
    if ending.signal is not None:
        return "crashed", f"its process was ended by signal {ending.signal}"
    return "crashed", f"its process ended itself with exit status {ending.code}"


def _no_handles(tree: dict[str, Any]) -> Any:
    raise WireError("an answer holds a value of an unknown kind")


# --- an exception of the learner's code, raised here as its nearest builtin -----------------------

#: Types that add nothing to `RemoteError`, or cannot be made from a text alone.
_PLAIN = (Exception, ExceptionGroup)


class RemoteError(Exception):
    """What the learner's code raised; ``remote_type`` is its own class name."""

    def __init__(self, message: str, remote_type: str, line: str = "") -> None:
        # Not super(): a builtin's own __init__ may interpret or refuse these arguments.
        Exception.__init__(self, message)
        self.message, self.remote_type, self.line = message, remote_type, line

    def __str__(self) -> str:
        return self.message


def raise_remote(fields: dict[str, Any]) -> NoReturn:
    """Raise an error that came as data; a check may catch it as ``ValueError`` and the like."""
    name, message, line = (_text(fields.get(key)) for key in ("type", "message", "line"))
    bases = fields.get("bases")
    if name == "TimeUpError":
        name, bases = "TimeoutError", ["TimeoutError"]
    raise _class_for(bases if isinstance(bases, list) else [])(message, name or "Exception", line)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        return ""
    return value[:2000].encode("utf-8", "replace").decode("utf-8")


def _class_for(names: list[Any]) -> type[RemoteError]:
    """Return a class that is a `RemoteError` and the first ordinary builtin exception named."""
    for name in names:
        builtin = getattr(builtins, name, None) if isinstance(name, str) else None
        if isinstance(builtin, type) and issubclass(builtin, Exception) and builtin not in _PLAIN:
            return _combined(builtin)
    return RemoteError


def _combined(builtin: type[Exception]) -> type[RemoteError]:
    combined = type(builtin.__name__, (RemoteError, builtin), {"__new__": _new})
    assert issubclass(combined, RemoteError)
    return combined


def _new(cls: type[RemoteError], *args: Any) -> RemoteError:
    # Some builtins (OSError, UnicodeError) interpret their arguments.
    builtin: Any = cls.__mro__[2]
    try:
        error = builtin.__new__(cls)
    except TypeError:  # MemoryError keeps a store of instances, which other classes cannot use
        error = Exception.__new__(cls)
    assert isinstance(error, RemoteError)
    return error
