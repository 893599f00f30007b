"""The claims that the book tests: one module each, seeded, with its result as JSON.

Each module has a ``CLAIM`` and a function ``run(seeds, quick=False)`` that returns a `Result`. What
is short runs when the book is built; what is long ships its result in ``results/``, made by
``python -m attnlab.experiments NAME``. Importing this package does not import torch.
"""

from attnlab.experiments.registry import CLAIMS, claim, run
from attnlab.experiments.results import Claim, Curve, Result, load

__all__ = ["CLAIMS", "Claim", "Curve", "Result", "claim", "load", "run"]
