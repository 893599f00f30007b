"""The claims that the book tests: one module each, seeded, with its result as JSON.

Each module has a ``CLAIM``, a function ``run(seeds, quick=False)`` that returns a `Result`, a
function ``verdict(result)`` that says what the result means for the claim, and a function
``figure(result)`` that draws it. What is short runs when the book is built; what is long ships its
result in ``results/``, made by ``python -m attnlab.experiments NAME``. Importing this package does
not import torch.
"""

from attnlab.experiments.registry import CLAIMS, claim, figure, run, verdict
from attnlab.experiments.results import Claim, Curve, Result, Verdict, load

__all__ = [
    "CLAIMS",
    "Claim",
    "Curve",
    "Result",
    "Verdict",
    "claim",
    "figure",
    "load",
    "run",
    "verdict",
]
