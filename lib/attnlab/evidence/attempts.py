"""Log attempts to refute a claim, failed ones too, by readers who had nothing but the claim.

An entry of ``attempts.toml`` is one attempt::

    [[sinks]]
    day = 2026-11-24
    tried = "Started the learned sink at 2 and at 4."
    found = "At 4 no seed needs the first token any more: the verdict turned, and was rewritten."
    refuted = true
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

_LOG = Path(__file__).with_name("attempts.toml")


@dataclass(frozen=True)
class Attempt:
    """What somebody tried who was asked to refute a claim, and what came of it.

    Attributes
    ----------
    day : date
        When.
    tried, found : str
        One or two sentences each.
    refuted : bool
        Whether the claim, as it then stood, fell.
    """

    day: date
    tried: str
    found: str
    refuted: bool


@cache
def log() -> dict[str, tuple[Attempt, ...]]:
    """Return all attempts by the name of the claim."""
    stored = tomllib.loads(_LOG.read_text(encoding="utf-8"))
    return {name: tuple(Attempt(**entry) for entry in entries) for name, entries in stored.items()}


def attempts_on(name: str) -> tuple[Attempt, ...]:
    """Return the attempts on one claim."""
    return log().get(name, ())
