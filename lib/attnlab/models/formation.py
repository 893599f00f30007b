"""Checkpoints of the models that continue repeated texts, along their training, in 8 bits.

``python -m attnlab.models.formation`` trains both models and stores them: 16 KB a checkpoint,
410 KB in all, and what was measured of each. The pages of the book fetch one when a reader looks at
it. A file is one of `attnlab.tensors` with what `attnlab.minilm.int8` makes of the weights.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlab.data.repeats import PERIODS
from attnlab.minilm.int8 import quantised, restored
from attnlab.models import numpy_continuer
from attnlab.tensors import dumps, loads

if TYPE_CHECKING:
    from attnlab.models.attention_only import AttentionOnlyModel

FOLDER = Path(__file__).parent / "trained" / "formation"
MEASURES = "measures.json"
SEED = 0
#: The texts on which checkpoints are measured, the same in Python and in the page.
TEST_SEED, NUM_TESTS = 7, 32
#: After how many steps of training there is a checkpoint: many where a model learns much.
STEPS: Mapping[str, tuple[int, ...]] = {
    "one period": (0, 50, 100, 120, 140, 150, 160, 180, 200, 250, 300, 500, 1000),
    "many periods": (0, 50, 100, 150, 200, 220, 240, 260, 280, 300, 400, 500, 1000),
}

#: Weights by the names that torch gives them.
Weights = Mapping[str, NDArray[np.float64]]


def pack(state: Mapping[str, ArrayLike]) -> bytes:
    """Return weights as a file of 8-bit rows, each with its scale."""
    return dumps(quantised({name: np.asarray(array, np.float32) for name, array in state.items()}))


def unpack(content: bytes) -> Weights:
    """Return the weights of a file."""
    arrays = loads(content)
    exact = {n: a if a.dtype == np.int8 else a.astype(np.float64) for n, a in arrays.items()}
    return restored(exact)


def file_name(condition: str, step: int) -> str:
    """Return the name of a checkpoint's file, such as ``many-periods-300.safetensors``."""
    return f"{condition.replace(' ', '-')}-{step}.safetensors"


def path_of(condition: str, step: int, folder: Path = FOLDER) -> Path:
    """Return where a checkpoint is stored; Python in a page has not fetched it.

    Raises
    ------
    ValueError
        If there is no such condition or step.
    """
    if condition not in STEPS:
        raise ValueError(f"condition is {condition!r}; expected one of {', '.join(STEPS)}")
    if step not in STEPS[condition]:
        known = ", ".join(map(str, STEPS[condition]))
        raise ValueError(f"step is {step}; there are checkpoints after {known}")
    return folder / file_name(condition, step)


def content(condition: str, step: int, folder: Path = FOLDER) -> bytes:
    """Return a stored checkpoint as it is; see `path_of`."""
    return path_of(condition, step, folder).read_bytes()


@cache
def weights(condition: str, step: int) -> Weights:
    """Return the weights of a checkpoint; see `content`."""
    return unpack(content(condition, step))


def measure(condition: str, step: int, folder: Path = FOLDER) -> dict[str, Any]:
    """Return the loss in the repeats in nats, and the scores of the heads of the circuit.

    "previous" has those of the heads of layer 1, "induction" those of layer 2.
    """
    model = unpack(content(condition, step, folder))
    tokens, periods = numpy_continuer.draw(TEST_SEED, NUM_TESTS, PERIODS[condition])
    reading = numpy_continuer.read(model, tokens)
    previous = numpy_continuer.previous_token_scores(reading.weights)[0]
    induction = numpy_continuer.mean_induction_scores(reading.weights, tokens)[1]
    return {
        "step": step,
        "loss": round(numpy_continuer.loss_in_repeats(reading.logits, tokens, periods), 4),
        "previous": previous.round(4).tolist(),
        "induction": induction.round(4).tolist(),
    }


@cache
def measures(folder: Path = FOLDER) -> dict[str, list[dict[str, Any]]]:
    """Return what was measured of each checkpoint, by condition; see `measure`."""
    stored: dict[str, list[dict[str, Any]]] = json.loads((folder / MEASURES).read_text("utf-8"))
    return stored


def make(folder: Path = FOLDER) -> list[Path]:
    """Train both models, and store their checkpoints and measures."""
    from attnlab.models import continuation

    folder.mkdir(parents=True, exist_ok=True)
    for condition, steps in STEPS.items():

        def look(step: int, model: AttentionOnlyModel, condition: str = condition) -> None:
            if step in STEPS[condition]:
                state = {name: value.numpy() for name, value in model.state_dict().items()}
                (folder / file_name(condition, step)).write_bytes(pack(state))

        look(steps[-1], continuation.train(condition, SEED, steps[-1], look))
    return [*sorted(folder.glob("*.safetensors")), write_measures(folder)]


def write_measures(folder: Path = FOLDER) -> Path:
    """Measure every stored checkpoint."""
    measured = {
        condition: [measure(condition, step, folder) for step in steps]
        for condition, steps in STEPS.items()
    }
    path = folder / MEASURES
    lines = ",\n".join(
        f'"{condition}": [\n' + ",\n".join(f"  {json.dumps(row)}" for row in rows) + "\n]"
        for condition, rows in measured.items()
    )
    path.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    return path


if __name__ == "__main__":
    print(*make(), sep="\n")
