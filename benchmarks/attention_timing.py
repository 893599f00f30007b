"""How the benchmark measures: peers in turn, in one process, on one thread."""

from __future__ import annotations

import math
import os
import platform
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
PACKAGES = ("numpy", "torch", "transformers", "local-attention", "keras")


#: NumPy asks for huge pages where torch does not. What the kernel takes to clear one depends on how
#: fragmented memory is (up to 5 ms were seen), which says nothing about attention: arrays of more
#: than 100 MiB are measured without.
HUGE_PAGES = "NUMPY_MADVISE_HUGEPAGE"


def one_thread() -> None:
    """Keep every library to one thread; call it before any of them is imported."""
    if "numpy" in sys.modules:
        raise RuntimeError("numpy is imported already; its threads are started")
    os.environ |= dict.fromkeys(THREADS, "1")


def environment() -> dict[str, Any]:
    """Return what a ratio depends on."""
    import torch

    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "not installed"
    return {
        "python": platform.python_version(),
        "machine": f"{platform.machine()} {_processor()}".strip(),
        "threads": {name: os.environ.get(name, "") for name in THREADS}
        | {"torch": torch.get_num_threads()},
        HUGE_PAGES: os.environ.get(HUGE_PAGES, ""),
        "OPENBLAS_CORETYPE": os.environ.get("OPENBLAS_CORETYPE", ""),
        "blas": _blas(),
        "torch capability": torch.backends.cpu.get_cpu_capability(),
        "versions": versions,
    }


def in_turn(peers: Mapping[str, Callable[[], Any]], repeats: int) -> dict[str, float]:
    """Return the least CPU time of each peer, in seconds.

    The peers take turns, so that a slow minute of the machine is slow for all of them. The least
    time is the one that was disturbed least.
    """
    best = dict.fromkeys(peers, math.inf)
    for _ in range(repeats):
        for name, run in peers.items():
            start = time.process_time()
            run()
            best[name] = min(best[name], time.process_time() - start)
    return best


def exponent(sizes: Sequence[int], times: Sequence[float]) -> float:
    """Return the slope of log time over log size: 1 is linear, 2 quadratic."""
    xs, ys = [math.log(n) for n in sizes], [math.log(t) for t in times]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    above = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True))
    return above / sum((x - mean_x) ** 2 for x in xs)


def extra_memory(command: Sequence[str]) -> int | None:
    """Return what ``command`` prints: the bytes that `peak_beyond` measured in a fresh process."""
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)
    lines = done.stdout.split()
    return int(lines[-1]) if done.returncode == 0 and lines else None


def import_seconds(module: str, beyond: str, repeats: int = 5) -> float:
    """Return how long importing ``module`` takes in a fresh process that has ``beyond`` already."""
    code = f"import {beyond}, time; start = time.process_time(); import {module}"
    command = [sys.executable, "-c", f"{code}; print(time.process_time() - start)"]
    runs = (
        subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(repeats)
    )
    return min(float(done.stdout) for done in runs)


def peak_beyond(run: Callable[[], Any]) -> int:
    """Return by how many bytes the process grew at most during ``run`` (Linux only)."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # forgets the peak so far
    before = _status("VmRSS")
    run()
    return _status("VmHWM") - before


def traced_peak(run: Callable[[], Any]) -> int:
    """Return how many bytes NumPy held at most during ``run``."""
    tracemalloc.start()
    run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def _status(field: str) -> int:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field + ":"))


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else ""


def _blas() -> str:
    import numpy as np

    built: Any = np.show_config(mode="dicts")
    blas = built["Build Dependencies"]["blas"]
    return f"{blas['name']} {blas['version']}"
