"""All experiments by name, and the command that runs them: ``python -m attnlab.experiments``."""

from __future__ import annotations

import argparse
import importlib
import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from attnlab.experiments.results import FOLDER, Claim, Result, Verdict, load

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: A new experiment is a module with ``CLAIM``, ``run``, ``verdict``, ``figure``, named here.
CLAIMS = (
    "agreement",
    "memory",
    "bottleneck",
    "heads",
    "convolutions",
    "recall",
    "swap",
    "importance",
    "cue",
    "alignment",
    "scaling",
    "hard_attention",
    "positions",
    "reach",
    "cost",
    "peaked",
    "hashing",
    "axial",
    "real_heads",
    "applications.sentiment",
    "applications.questions",
    "applications.summaries",
    "applications.detection",
    "applications.captions",
    "applications.speech",
)


def module(name: str) -> ModuleType:
    """Return the module of one experiment.

    Raises
    ------
    ValueError
        If there is no such experiment; the message lists those there are.
    """
    if name not in CLAIMS:
        raise ValueError(f"no experiment {name!r}; expected one of {', '.join(CLAIMS)}")
    return importlib.import_module(f"attnlab.experiments.{name}")


def claim(name: str) -> Claim:
    """Return what an experiment tests."""
    found: Claim = module(name).CLAIM
    return found


def run(name: str, seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Run one experiment and return what it found."""
    result: Result = module(name).run(seeds, quick)
    return result


def verdict(name: str, result: Result | None = None) -> Verdict:
    """Return what a result says of its claim; the stored one when none is given."""
    found: Verdict = module(name).verdict(load(name) if result is None else result)
    return found


def figure(name: str, result: Result | None = None) -> Figure:
    """Return the picture of a result, the same in its chapter and beside its verdict."""
    found: Figure = module(name).figure(load(name) if result is None else result)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the experiments named on the command line and store their results; 0 on success."""
    parser = argparse.ArgumentParser(
        prog="python -m attnlab.experiments",
        description="Run experiments and store their results as JSON. Without a name: list them.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(CLAIMS)}, or all")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2], metavar="SEED")
    parser.add_argument("--quick", action="store_true", help="a short run; stores nothing")
    parser.add_argument("--to", type=Path, default=FOLDER, metavar="DIR", help="where to store")
    options = parser.parse_args(arguments)
    # Experiments log each model that they train; books and tests never see it.
    logging.basicConfig(level=logging.INFO, format="  %(message)s", stream=sys.stdout)
    if not options.names:
        for name in CLAIMS:
            print(f"{name:12} {claim(name).claim} (about {claim(name).seconds:.0f} s)")
        return 0
    names = CLAIMS if options.names == ["all"] else options.names
    failed = 0
    for name in names:
        try:
            _report(name, options)
        except (ValueError, ModuleNotFoundError) as error:
            print(f"{parser.prog}: {_explain(error)}", file=sys.stderr)
            failed = 2
    return failed


def _report(name: str, options: argparse.Namespace) -> None:
    print(f"{name}: {claim(name).claim} About {claim(name).seconds:.0f} s.", flush=True)
    result = run(name, options.seeds, options.quick)
    width = max(map(len, result.curves))
    for label, curve in result.curves.items():
        points = (f"{x:g}: {mean:.2f}" for x, mean in zip(curve.x, curve.mean, strict=True))
        print(f"  {label:{width}}  {'  '.join(points)}")
    where = "not stored (quick)" if options.quick else result.save(options.to)
    print(f"  {result.seconds} s, seeds {result.seeds}; {where}", flush=True)


def _explain(error: Exception) -> str:
    if isinstance(error, ModuleNotFoundError) and error.name == "torch":
        return "this needs PyTorch: pip install 'attention-course[torch]'"
    return str(error)
