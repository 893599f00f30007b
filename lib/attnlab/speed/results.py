"""Load the stored results of the benchmark: times, ratios, memory, and the environment."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

#: Where ``benchmarks/attention.py`` writes its results.
FILE = Path(__file__).with_name("attention.json")

#: Peer, then number of tokens, then a number.
Table = dict[str, dict[int, float]]

_UNPINNED = "without OPENBLAS_CORETYPE"


@cache
def _stored() -> dict[str, Any]:
    return dict(json.loads(FILE.read_text(encoding="utf-8")))


def seconds(group: str, *, pinned: bool = True) -> Table:
    """Return the CPU seconds of each peer of a group, by number of tokens.

    Parameters
    ----------
    group : str
        "dense", "backward", "local", "lsh" or "additive".
    pinned : bool
        With OPENBLAS_CORETYPE as the machine sets it, or without it, which has "dense" only.

    Examples
    --------
    >>> sorted(seconds("lsh")["HF Reformer"])
    [2048, 8192, 32768]
    """
    groups = _stored()["groups"] if pinned else _stored()[_UNPINNED]
    table: Table = {}
    for tokens, times in groups[group]["seconds"].items():
        for peer, time in times.items():
            table.setdefault(peer, {})[int(tokens)] = time
    return table


def ratios(group: str, base: str, *, pinned: bool = True) -> Table:
    """Return the time of each peer over that of ``base``, by number of tokens.

    Examples
    --------
    >>> ratios("dense", "torch SDPA")["torch SDPA"][128]
    1.0
    """
    table = seconds(group, pinned=pinned)
    return {
        peer: {tokens: time / table[base][tokens] for tokens, time in times.items()}
        for peer, times in table.items()
    }


def exponent(group: str, peer: str) -> float:
    """Return the fitted exponent with which a peer's time grows with the tokens."""
    return float(_stored()["groups"][group]["exponents"][peer])


def memory() -> dict[str, int]:
    """Return the extra memory of each peer, in bytes: full attention at 8192 tokens, 8 heads."""
    return dict(_stored()["memory"])


def environment() -> dict[str, str]:
    """Return what the ratios depend on: versions, threads, the kernels that NumPy multiplies with.

    Examples
    --------
    >>> sorted(environment())[:2]
    ['OPENBLAS_CORETYPE', 'machine']
    """
    stored = _stored()["environment"]
    versions = {name: stored["versions"][name] for name in ("numpy", "torch", "transformers")}
    return {
        "machine": stored["machine"],
        "threads": stored["threads"]["OMP_NUM_THREADS"],
        "OPENBLAS_CORETYPE": stored["OPENBLAS_CORETYPE"] or "not set",
        "torch uses": stored["torch capability"],
        **versions,
    }
