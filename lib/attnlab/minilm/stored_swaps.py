"""Where mistakes in its attention start to matter in a real model, layer by layer.

``stored_swaps.json`` has for each of `MISTAKES` what `attnlab.minilm.swap.by_layer` returns with
the published weights of all-MiniLM-L6-v2 (Apache License 2.0, see ``data/LICENCES.md``), rounded to
4 decimals. With its package installed, ``python -m attnlab.models.minilm`` makes the file again.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from attnlab.minilm.at_hand import ABOUT
from attnlab.minilm.swap import ByLayer

FILE = Path(__file__).with_suffix(".json")
#: By their ids in `attnlab.minilm.swap`, each with a name for tables.
MISTAKES = {
    "unscaled": "no scale",
    "wrong-axis": "softmax over the queries",
    "merge-without-swap": "heads merged without a swap",
    "keys-as-values": "keys as values",
    "no-mask": "no mask",
}


def load(mistake: str) -> ByLayer:
    """Return how far one of `MISTAKES` takes the vectors from the model's own.

    The first sentence fills its row, the second one is filled up; numbers that are not are NaN.

    Raises
    ------
    ValueError
        If nothing is stored of this mistake.

    Examples
    --------
    >>> load("no-mask").cosines.shape, load("no-mask").lengths
    ((2, 6), (12, 6))
    """
    stored = json.loads(FILE.read_text(encoding="utf-8"))
    if mistake not in stored["mistakes"]:
        known = ", ".join(stored["mistakes"])
        raise ValueError(f"nothing is stored of {mistake!r}; expected one of {known}")
    found = stored["mistakes"][mistake]
    differences, cosines = (np.array(found[n], float) for n in ("differences", "cosines"))
    return ByLayer(ABOUT, tuple(stored["lengths"]), differences, cosines)
