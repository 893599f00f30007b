"""What an experiment measured, and its format as JSON."""

from __future__ import annotations

import importlib.metadata
import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_DISTRIBUTIONS = ("numpy", "torch")


@dataclass(frozen=True)
class Curve:
    """One measure over ``x``, for each seed: ``values`` has shape (num_seeds, len(x))."""

    x: Sequence[float]
    values: Sequence[Sequence[float]]
    label: str = ""

    def __post_init__(self) -> None:
        shape = np.shape(self.values)
        if len(shape) != 2 or shape[1] != len(self.x):
            raise ValueError(
                f"values have shape {shape}; expected (num_seeds, {len(self.x)}), one column for "
                "each x"
            )

    @property
    def array(self) -> NDArray[np.float64]:
        """The values, shape (num_seeds, len(x))."""
        return np.asarray(self.values, dtype=np.float64)

    @property
    def mean(self) -> NDArray[np.float64]:
        """The mean over seeds, shape (len(x),)."""
        return self.array.mean(axis=0)

    @property
    def low(self) -> NDArray[np.float64]:
        """The lowest seed at each x, shape (len(x),)."""
        return self.array.min(axis=0)

    @property
    def high(self) -> NDArray[np.float64]:
        """The highest seed at each x, shape (len(x),)."""
        return self.array.max(axis=0)

    def at(self, x: float) -> NDArray[np.float64]:
        """Return the value of every seed at one x, shape (num_seeds,).

        Raises
        ------
        ValueError
            If the curve was not measured there.
        """
        if x not in self.x:
            raise ValueError(f"x is {x}; this curve was measured at {list(self.x)}")
        return self.array[:, list(self.x).index(x)]


def versions() -> dict[str, str]:
    """Return the versions on which a result depends."""
    installed = {"python": platform.python_version()}
    for name in _DISTRIBUTIONS:
        try:
            installed[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return installed


@dataclass(frozen=True)
class Result:
    """What one run of an experiment measured, and all that is needed to repeat it."""

    curves: Mapping[str, Curve]
    seeds: Sequence[int]
    settings: Mapping[str, Any]
    seconds: float
    versions: Mapping[str, str] = field(default_factory=versions)

    def __getitem__(self, name: str) -> Curve:
        """Return one curve; an unknown name is an error that lists the names."""
        try:
            return self.curves[name]
        except KeyError:
            raise KeyError(f"no curve {name!r}; this result has {', '.join(self.curves)}") from None

    def mean(self, name: str, x: float) -> float:
        """Return the mean over seeds of one curve at one x."""
        return float(self[name].at(x).mean())


def curves_of(
    x: Sequence[float], measures: Sequence[Sequence[Mapping[str, float]]], prefix: str = ""
) -> dict[str, Curve]:
    """Return a curve for each measure, its name behind ``prefix``.

    Parameters
    ----------
    x
        Where it was measured.
    measures
        For each seed and each x, the measures by name.

    Examples
    --------
    >>> curves_of([1, 2], [[{"accuracy": 0.5}, {"accuracy": 1.0}]], prefix="GRU: ")
    {'GRU: accuracy': Curve(x=[1, 2], values=[[0.5, 1.0]], label='')}
    """
    return {
        f"{prefix}{name}": Curve(x, [[at_x[name] for at_x in of_seed] for of_seed in measures])
        for name in measures[0][0]
    }


def write(result: Result, claim: str, path: Path) -> None:
    """Store a result as JSON, with the sentence of the claim that it was made for."""
    stored = asdict(result)
    curves = _one_entry_a_line(stored.pop("curves"), "    ")
    rest = _one_entry_a_line({"claim": claim, **stored}, "  ")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'{{\n{rest},\n  "curves": {{\n{curves}\n  }}\n}}\n', encoding="utf-8")


def read(path: Path) -> Result:
    """Return a stored result."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    del stored["claim"]
    stored["curves"] = {name: Curve(**curve) for name, curve in stored["curves"].items()}
    return Result(**stored)


def _one_entry_a_line(entries: Mapping[str, Any], indent: str) -> str:
    lines = (
        f"{indent}{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in entries.items()
    )
    return ",\n".join(lines)
