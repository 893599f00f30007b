"""The names that numbers in the chapters' text are computed with.

Every stored result has the name of its experiment: ``{number}`recall.mean("attention", 8):.2f``` is
the mean of a curve over seeds. This needs NumPy only.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnlab import gpt, speed
from attnlab.evidence import blocks_today
from attnlab.experiments import RESULTS, cost, load
from attnlab.experiments.sinks import CACHES, late
from attnlab.explorables import SelfCross
from attnlab.gpt.page_file import flat
from attnlab.minilm import stored_swaps
from attnlab.models import fable_tests


def lost(head: str, cache: str = CACHES[1]) -> NDArray[np.float64]:
    """Return by how many nats the loss of a head of *sinks* rises with a cache, by seed."""
    stored = load("sinks")
    return late(stored, f"{head}, {cache}") - late(stored, f"{head}, {CACHES[0]}")


def names() -> dict[str, Any]:
    """Return what the text may use, by name."""
    blocks = blocks_today.stored()["blocks"]
    return {
        **{path.stem: load(path.stem) for path in RESULTS.glob("*.json")},
        "SelfCross": SelfCross,
        "blocks": np.array([row["excess"]["0.003"] for row in blocks.values()]),
        "exponent": lambda curve: cost.exponent(curve.x, curve.mean),
        "fables": fable_tests.stored(),
        "late": late,
        "lost": lost,
        "math": math,
        "np": np,
        "num_weights": sum(each.size for each in flat(gpt.load()).values()),
        "speed": speed,
        "stored_swaps": stored_swaps,
    }
