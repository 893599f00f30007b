"""How much one submission may use: time, memory, processes, bytes."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

MIB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Bounds on one submission. Times are seconds of wall clock; sizes are bytes.

    ``memory`` is what a submission may use beyond what the zygote already holds, all its
    processes together. ``message_bytes`` bounds one message, ``items`` the values in it, ``depth``
    their nesting, and ``messages`` how many one submission may exchange.
    """

    cell_seconds: float = 30.0
    call_seconds: float = 10.0
    total_seconds: float = 180.0
    grace_seconds: float = 1.0
    memory: int = 1024 * MIB
    processes: int = 32
    open_files: int = 128
    file_bytes: int = 16 * MIB
    scratch_bytes: int = 64 * MIB
    notebook_bytes: int = 20 * MIB
    message_bytes: int = 64 * MIB
    header_bytes: int = 8 * MIB
    depth: int = 24
    items: int = 200_000
    messages: int = 20_000

    def as_json(self) -> dict[str, Any]:
        """Return the limits as a JSON object."""
        return asdict(self)
