"""How much one submission may use: time, memory, processes, and what it may send."""

from __future__ import annotations

from dataclasses import dataclass

from coursekit.sandbox.limits import MIB, ProcessLimits

__all__ = ["MIB", "Limits"]


@dataclass(frozen=True)
class Limits(ProcessLimits):
    """Bounds on one submission. Times are seconds of processor time; sizes are bytes.

    ``message_bytes`` bounds one message, ``items`` the values in it, ``depth`` their nesting, and
    ``messages`` how many one submission may exchange.
    """

    cell_seconds: float = 30.0
    call_seconds: float = 10.0
    grace_seconds: float = 1.0
    notebook_bytes: int = 20 * MIB
    message_bytes: int = 64 * MIB
    header_bytes: int = 8 * MIB
    depth: int = 24
    items: int = 200_000
    messages: int = 20_000
