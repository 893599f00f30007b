"""What an experiment states and what it found, in one format that is stored as JSON."""

from __future__ import annotations

import importlib.metadata
import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

#: Where the results that ship with the package are.
FOLDER = Path(__file__).parent / "results"

_DISTRIBUTIONS = ("numpy", "torch")


@dataclass(frozen=True)
class Claim:
    """What an experiment tests.

    Parameters
    ----------
    name : str
        The module's name.
    claim : str
        One sentence that could be false.
    source : str
        Who says so.
    refuted_by : str
        What would have to be seen for the claim to be wrong.
    seconds : float
        About how long a full run takes, in seconds of one CPU core.
    """

    name: str
    claim: str
    source: str
    refuted_by: str
    seconds: float


@dataclass(frozen=True)
class Verdict:
    """What a result says of its claim; each module derives it from the measured numbers.

    Parameters
    ----------
    holds : "holds", "holds when" or "does not hold"
        "holds when": only under the condition that ``because`` names.
    because : str
        One or two sentences with the numbers.
    """

    holds: Literal["holds", "holds when", "does not hold"]
    because: str


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


@dataclass(frozen=True)
class Result:
    """What one run of an experiment found, and all that is needed to run it again."""

    claim: Claim
    curves: Mapping[str, Curve]
    seeds: Sequence[int]
    settings: Mapping[str, Any]
    seconds: float
    versions: Mapping[str, str] = field(default_factory=lambda: versions())

    def __getitem__(self, name: str) -> Curve:
        """Return one curve; an unknown name is an error that lists the names."""
        try:
            return self.curves[name]
        except KeyError:
            raise KeyError(f"no curve {name!r}; this result has {', '.join(self.curves)}") from None

    def save(self, folder: Path | str = FOLDER) -> Path:
        """Write the result as ``folder/<name>.json`` and return the path."""
        path = Path(folder) / f"{self.claim.name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        stored = asdict(self)
        curves = _one_entry_a_line(stored.pop("curves"), "    ")
        text = f'{{\n{_one_entry_a_line(stored, "  ")},\n  "curves": {{\n{curves}\n  }}\n}}\n'
        path.write_text(text, encoding="utf-8")
        return path


def load(name: str, folder: Path | str = FOLDER) -> Result:
    """Return a stored result.

    Raises
    ------
    FileNotFoundError
        If there is none; the message says which command makes it.

    Examples
    --------
    >>> load("bottleneck").claim.name
    'bottleneck'
    """
    path = Path(folder) / f"{name}.json"
    if not path.is_file():
        raise FileNotFoundError(
            f"no result at {path}; make it: python -m attnlab.experiments {name}"
        )
    stored = json.loads(path.read_text(encoding="utf-8"))
    stored["claim"] = Claim(**stored["claim"])
    stored["curves"] = {name: Curve(**curve) for name, curve in stored["curves"].items()}
    return Result(**stored)


def versions() -> dict[str, str]:
    """Return the versions on which a result depends."""
    found = {"python": platform.python_version()}
    for name in _DISTRIBUTIONS:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def _one_entry_a_line(entries: Mapping[str, Any], indent: str) -> str:
    lines = (
        f"{indent}{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in entries.items()
    )
    return ",\n".join(lines)
