"""List experiments, or run them and store results: ``python -m attnlab.experiments``."""

from __future__ import annotations

import argparse
import logging
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from attnlab import experiments


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the experiments named on the command line and store their results; 0 on success."""
    options = _parser().parse_args(arguments)
    if not options.names:
        for name in experiments.names():
            claim = experiments.claim(name)
            print(f"{name:14} {claim.sentence} (about {claim.seconds:.0f} s)")
        return 0
    names = experiments.names() if options.names == ["all"] else options.names
    jobs = min(options.jobs, len(names))
    if jobs <= 1:
        return max(_run(options, name) for name in names)
    # The longest begin first, so that the last to end are short. Each has a process to itself.
    names = sorted(names, key=_seconds, reverse=True)
    with ThreadPoolExecutor(jobs) as pool:
        return max(pool.map(partial(_run_apart, options), names))


def _run_apart(options: argparse.Namespace, name: str) -> int:
    words = [name, "--seeds", *map(str, options.seeds), "--output", str(options.output)]
    words += ["--quick"] if options.quick else []
    return subprocess.run([sys.executable, "-m", "attnlab.experiments", *words]).returncode


def _seconds(name: str) -> float:
    try:
        return experiments.claim(name).seconds
    except ValueError:  # no such experiment, which its run explains
        return 0.0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m attnlab.experiments",
        description="Run experiments and store their results as JSON. Without a name, list them.",
    )
    known = ", ".join(experiments.names())
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{known}, or all")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2], metavar="SEED")
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        metavar="N",
        help="experiments that run at the same time, one on each core by default",
    )
    parser.add_argument("--quick", action="store_true", help="a short run; nothing is stored")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        default=experiments.RESULTS,
        metavar="DIR",
        help="folder for the results",
    )
    return parser


def _run(options: argparse.Namespace, name: str) -> int:
    """Run one experiment and store its result; return 0, or 2 if it could not be run."""
    # Experiments log each model that they train. The book and the tests leave that out.
    logging.basicConfig(level=logging.INFO, format=f"  {name}: %(message)s", stream=sys.stdout)
    try:
        claim = experiments.claim(name)
        print(f"{name}: {claim.sentence} About {claim.seconds:.0f} s.", flush=True)
        result = experiments.run(name, options.seeds, options.quick)
    except (ValueError, ModuleNotFoundError) as error:
        print(f"attnlab.experiments: {_explain(error)}", file=sys.stderr)
        return 2
    width = max(map(len, result.curves))
    lines = []
    for label, curve in result.curves.items():
        points = (f"{x:g}: {mean:.2f}" for x, mean in zip(curve.x, curve.mean, strict=True))
        lines.append(f"  {label:{width}}  {'  '.join(points)}")
    path = "not stored (quick)" if options.quick else experiments.save(name, result, options.output)
    lines.append(f"  {result.seconds} s, seeds {result.seeds}; {path}")
    print("\n".join([name, *lines]), flush=True)
    return 0


def _explain(error: Exception) -> str:
    if isinstance(error, ModuleNotFoundError) and error.name == "torch":
        return "this needs PyTorch: pip install 'attention-course[torch]'"
    return str(error)


if __name__ == "__main__":
    raise SystemExit(main())
