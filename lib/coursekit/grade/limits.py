"""How much one submission may use: time, memory, processes, and what it may send."""

from __future__ import annotations

from dataclasses import dataclass

from coursekit.sandbox.limits import MIB, ProcessLimits

__all__ = ["MIB", "SETTABLE_SECONDS", "Limits"]

SETTABLE_SECONDS = ("cell_seconds", "call_seconds", "total_seconds")


@dataclass(frozen=True)
class Limits(ProcessLimits):
    """Bounds on one submission. Times are seconds of processor time; sizes are bytes.

    ``check_seconds`` bounds the grader's own time: that of one check, callbacks included, and that
    of decoding all answers of one submission; ``total_seconds`` bounds that of all its checks and
    of reading its code; ``grader_seconds`` is what all of it may add by the clock.
    ``message_bytes`` bounds one message, ``items`` the values in it, ``depth`` their nesting, and
    ``messages`` how many a submission may exchange.
    """

    cell_seconds: float = 30.0
    call_seconds: float = 10.0
    check_seconds: float = 30.0
    grace_seconds: float = 1.0
    grader_seconds: float = 60.0
    notebook_bytes: int = 20 * MIB
    message_bytes: int = 64 * MIB
    header_bytes: int = 8 * MIB
    depth: int = 24
    items: int = 200_000
    messages: int = 20_000

    @property
    def most_seconds(self) -> float:
        """How long one try of a submission takes at most, by the clock."""
        return self.wall_factor * self.total_seconds + self.grader_seconds
