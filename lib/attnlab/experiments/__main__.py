"""``python -m attnlab.experiments``: list experiments, or run them and store their results."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from attnlab import experiments


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the experiments named on the command line and store their results; 0 on success."""
    options = _parser().parse_args(arguments)
    # Experiments log each model that they train. The book and the tests leave that out.
    logging.basicConfig(level=logging.INFO, format="  %(message)s", stream=sys.stdout)
    if not options.names:
        for name in experiments.names():
            claim = experiments.claim(name)
            print(f"{name:14} {claim.sentence} (about {claim.seconds:.0f} s)")
        return 0
    status = 0
    for name in experiments.names() if options.names == ["all"] else options.names:
        try:
            _run(name, options)
        except (ValueError, ModuleNotFoundError) as error:
            print(f"attnlab.experiments: {_explain(error)}", file=sys.stderr)
            status = 2
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m attnlab.experiments",
        description="Run experiments and store their results as JSON. Without a name, list them.",
    )
    known = ", ".join(experiments.names())
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{known}, or all")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2], metavar="SEED")
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


def _run(name: str, options: argparse.Namespace) -> None:
    claim = experiments.claim(name)
    print(f"{name}: {claim.sentence} About {claim.seconds:.0f} s.", flush=True)
    result = experiments.run(name, options.seeds, options.quick)
    width = max(map(len, result.curves))
    for label, curve in result.curves.items():
        points = (f"{x:g}: {mean:.2f}" for x, mean in zip(curve.x, curve.mean, strict=True))
        print(f"  {label:{width}}  {'  '.join(points)}")
    path = "not stored (quick)" if options.quick else experiments.save(name, result, options.output)
    print(f"  {result.seconds} s, seeds {result.seeds}; {path}", flush=True)


def _explain(error: Exception) -> str:
    if isinstance(error, ModuleNotFoundError) and error.name == "torch":
        return "this needs PyTorch: pip install 'attention-course[torch]'"
    return str(error)


if __name__ == "__main__":
    raise SystemExit(main())
