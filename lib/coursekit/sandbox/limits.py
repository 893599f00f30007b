"""How much one confined process may use, together with all that it starts."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1 << 20


@dataclass(frozen=True)
class ProcessLimits:
    """Bounds on a submission's processes. Times are seconds of processor time; sizes are bytes.

    ``memory`` is what all its processes may use beyond what the fork server already holds,
    including what the kernel may buffer for their sockets. ``wall_factor`` times a limit of
    processor time is its limit by the clock: a distant one, because the machine may be busy with
    other work. So ``wall_factor * total_seconds`` bounds how long a submission may sleep.
    """

    total_seconds: float = 180.0
    wall_factor: float = 4.0
    memory: int = 1024 * MIB
    processes: int = 32
    open_files: int = 64
    file_bytes: int = 16 * MIB
    scratch_bytes: int = 64 * MIB
