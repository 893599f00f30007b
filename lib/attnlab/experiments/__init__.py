"""Load the claims that the book tests, one module each, with results in ``results/NAME.json``.

Every public module of this package is an experiment. It has

- ``CLAIM``: what it tests, with the chapter that shows it;
- ``run(seeds, quick=False)``, which returns a `Result`;
- ``trials(result)``, which says for each seed and condition whether the claim held;
- ``because(result)``, the numbers in words;
- ``figure(result)``, which draws it.

``python -m attnlab.experiments NAME`` runs one and stores its result. Importing this package does
not import torch.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attnlab import claims, results
from attnlab.claims import Claim, Verdict
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "RESULTS",
    "Claim",
    "Curve",
    "Result",
    "Verdict",
    "claim",
    "figure",
    "load",
    "names",
    "run",
    "save",
    "verdict",
]

#: Where the results that ship with the package are.
RESULTS = Path(__file__).parent / "results"


def names() -> tuple[str, ...]:
    """Return the names of all experiments: the public modules of this package.

    Examples
    --------
    >>> names()[:3]
    ('agreement', 'alignment', 'axial')
    """
    modules = (module.name for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(name for name in modules if not name.startswith("_")))


def _module(name: str) -> Any:
    if name not in names():
        raise ValueError(f"no experiment {name!r}; expected one of {', '.join(names())}")
    return importlib.import_module(f"{__name__}.{name}")


def claim(name: str) -> Claim:
    """Return what an experiment tests.

    Raises
    ------
    ValueError
        If there is no such experiment; the message lists those there are.
    """
    stated: Claim = _module(name).CLAIM
    return stated


def run(name: str, seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Run one experiment and return what it measured."""
    result: Result = _module(name).run(seeds, quick)
    return result


def verdict(name: str, result: Result | None = None) -> Verdict:
    """Return whether the claim holds by a result; by the stored one when none is given.

    The rule is `attnlab.claims.judge`, the same for every claim.
    """
    module, measured = _module(name), load(name) if result is None else result
    return claims.judge(module.trials(measured), module.because(measured), module.CLAIM.knobs)


def figure(name: str, result: Result | None = None) -> Figure:
    """Return the figure of a result, the same in its chapter and beside its verdict."""
    drawn: Figure = _module(name).figure(load(name) if result is None else result)
    return drawn


def load(name: str, folder: Path | str = RESULTS) -> Result:
    """Return a stored result.

    Raises
    ------
    FileNotFoundError
        If there is none; the message says which command makes it.

    Examples
    --------
    >>> load("bottleneck").seeds
    [0, 1, 2]
    """
    path = Path(folder) / f"{name}.json"
    if not path.is_file():
        raise FileNotFoundError(
            f"no result at {path}; make it: python -m attnlab.experiments {name}"
        )
    return results.read(path)


def save(name: str, result: Result, folder: Path | str = RESULTS) -> Path:
    """Store a result as ``folder/NAME.json`` and return the path."""
    path = Path(folder) / f"{name}.json"
    results.write(result, claim(name).sentence, path)
    return path
