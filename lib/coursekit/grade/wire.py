"""Messages over a socket: a JSON header, then raw bytes. Every length is checked before it is read.

A frame is ``CKG1``, the header's length and the payload's length (32 bits each, big-endian), the
header (a JSON object) and the payload (the bytes of the arrays that the header describes).
"""

from __future__ import annotations

import json
import socket
import struct
import time
from collections.abc import Callable
from typing import Any, TypeAlias

from coursekit.grade.limits import Limits

_MAGIC = b"CKG1"
_HEAD = struct.Struct(">4sII")


#: Seconds to wait, or a function that is asked repeatedly how many seconds are left (0: none).
Patience: TypeAlias = float | Callable[[], float] | None


class WireError(Exception):
    """A message that no honest process sends; the text says which rule it broke."""


class Channel:
    """One end of a conversation. Both ends hold the same limits.

    Parameters
    ----------
    sock : socket.socket
        A connected stream socket.
    limits : Limits
        Bounds that hold for what is sent and for what is received.
    """

    def __init__(self, sock: socket.socket, limits: Limits) -> None:
        self._socket = sock
        self.limits = limits
        self._ahead = bytearray()  # bytes of the next message that have arrived already

    def send(
        self, header: dict[str, Any], payload: bytes = b"", seconds: float | None = None
    ) -> None:
        """Send one message; raise `TimeoutError` if the other end takes longer than ``seconds``."""
        self.send_packed(self.pack(header, payload), seconds)

    def pack(self, header: dict[str, Any], payload: bytes = b"") -> bytes:
        """Return a message as it is sent; raise `WireError` if it is too long."""
        text = json.dumps(header, separators=(",", ":")).encode("ascii")
        self._check_lengths(len(text), len(payload))
        return _HEAD.pack(_MAGIC, len(text), len(payload)) + text + payload

    def send_packed(self, message: bytes, seconds: float | None = None) -> None:
        """Send what `pack` returned."""
        self._socket.settimeout(seconds)
        self._socket.sendall(message)

    def receive(self, patience: Patience = None) -> tuple[dict[str, Any], bytes]:
        """Return the next message; ``patience`` bounds the wait for the whole of it.

        Raises
        ------
        EOFError
            The other end is gone.
        TimeoutError
            The whole message did not arrive in time.
        WireError
            It breaks a rule of the format.
        """
        left = _countdown(patience) if isinstance(patience, int | float) else patience
        magic, header_bytes, payload_bytes = _HEAD.unpack(self._read(_HEAD.size, left))
        if magic != _MAGIC:
            raise WireError("a message does not start with the mark of messages")
        self._check_lengths(header_bytes, payload_bytes)
        header = parse(self._read(header_bytes, left))
        return header, self._read(payload_bytes, left)

    def close(self) -> None:
        """Close this end."""
        self._socket.close()

    def _check_lengths(self, header: int, payload: int) -> None:
        if header > self.limits.header_bytes or header + payload > self.limits.message_bytes:
            size = (header + payload) / 1e6
            raise WireError(
                f"a message of {size:.0f} MB; at most {self.limits.message_bytes / 1e6:.0f} MB "
                f"of arrays and {self.limits.header_bytes / 1e6:.0f} MB of other values may cross"
            )

    def _read(self, count: int, left: Callable[[], float] | None) -> bytes:
        # The buffer grows with what arrives: a length that is only announced costs no memory.
        parts = self._ahead
        while len(parts) < count:
            part = self._part(max(min(count - len(parts), 1 << 18), 1 << 14), left)
            if not part:
                raise EOFError
            parts += part
        self._ahead = parts[count:]
        return bytes(parts[:count])

    def _part(self, most: int, left: Callable[[], float] | None) -> bytes:
        """Return what arrives next; wait as long as ``left`` returns a time above 0."""
        while True:
            seconds = None if left is None else left()
            if seconds is not None and seconds <= 0:
                raise TimeoutError
            self._socket.settimeout(seconds)
            try:
                return self._socket.recv(most)
            except TimeoutError:
                continue


def _countdown(seconds: float) -> Callable[[], float]:
    end = time.monotonic() + seconds
    return lambda: end - time.monotonic()


def parse(text: bytes) -> dict[str, Any]:
    """Return a header's JSON object, or raise `WireError`."""
    try:
        header = json.loads(text)
    except RecursionError:
        raise WireError("a message is nested too deeply") from None
    except ValueError:
        raise WireError("a message is not JSON") from None
    if not isinstance(header, dict):
        raise WireError("a message is not a JSON object")
    return header
