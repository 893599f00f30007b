"""Store checkpoints of the models that continue repeated texts along their training, in 8 bits.

``python -m attnlab.models.formation`` trains both models and stores them: 13.6 KB a checkpoint,
354 KB in all, and what was measured of each. The pages of the book fetch one when a reader looks at
it.

A file holds numbers of 32 bits, little-endian: the scales of all rows, then norms and biases.
Behind them come the matrices in 8 bits: each row of a matrix is its integers times its scale.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlab.data.repeats import NUM_WORDS, PERIODS
from attnlab.models import numpy_continuer

if TYPE_CHECKING:
    from attnlab.models.attention_only import AttentionOnlyModel

FOLDER = Path(__file__).parent / "trained" / "formation"
MEASURES = "measures.json"
SEED = 0
#: The texts on which checkpoints are measured, the same in Python and in the page.
TEST_SEED, NUM_TESTS = 7, 32
WIDTH, NUM_LAYERS = 32, 2
#: After how many steps of training there is a checkpoint: many where a model learns much.
STEPS: Mapping[str, tuple[int, ...]] = {
    "one period": (0, 50, 100, 120, 140, 150, 160, 180, 200, 250, 300, 500, 1000),
    "many periods": (0, 50, 100, 150, 200, 220, 240, 260, 280, 300, 400, 500, 1000),
}
MATRICES: Mapping[str, tuple[int, int]] = {
    "embedding.weight": (NUM_WORDS, WIDTH),
    **{
        f"layers.{layer}.to_{part}.weight": (WIDTH, WIDTH)
        for layer in range(NUM_LAYERS)
        for part in ("query", "key", "value", "output")
    },
    "to_logits.weight": (NUM_WORDS, WIDTH),
}
VECTORS: Mapping[str, int] = {
    **{f"norms.{i}.{part}": WIDTH for i in range(NUM_LAYERS + 1) for part in ("weight", "bias")},
    "to_logits.bias": NUM_WORDS,
}

#: Weights by the names that torch gives them.
Weights = Mapping[str, NDArray[np.float64]]


def pack(state: Mapping[str, ArrayLike]) -> bytes:
    """Return weights as a file of 8-bit rows, each with its scale."""
    scales, rows = [], []
    for name, shape in MATRICES.items():
        matrix = np.asarray(state[name], dtype=np.float32).reshape(shape)
        scale = np.maximum(np.abs(matrix).max(axis=1, keepdims=True), 1e-12) / 127
        scales.append(scale.ravel())
        rows.append(np.rint(matrix / scale).astype(np.int8).ravel())
    vectors = [np.asarray(state[name], dtype=np.float32) for name in VECTORS]
    floats = np.concatenate([*scales, *vectors]).astype("<f4")
    return floats.tobytes() + np.concatenate(rows).tobytes()


def unpack(content: bytes) -> dict[str, NDArray[np.float64]]:
    """Return the weights of a file.

    Raises
    ------
    ValueError
        If the file has another length than this model's.
    """
    num_scales = sum(rows for rows, _ in MATRICES.values())
    num_floats = num_scales + sum(VECTORS.values())
    expected = 4 * num_floats + sum(rows * columns for rows, columns in MATRICES.values())
    if len(content) != expected:
        raise ValueError(f"a checkpoint of {len(content)} bytes; expected {expected}")
    floats = np.frombuffer(content, "<f4", num_floats).astype(np.float64)
    integers = np.frombuffer(content, np.int8, offset=4 * num_floats).astype(np.float64)
    weights, row, start = {}, 0, 0
    for name, (rows, columns) in MATRICES.items():
        matrix = integers[start : start + rows * columns].reshape(rows, columns)
        weights[name] = matrix * floats[row : row + rows, None]
        row, start = row + rows, start + rows * columns
    for name, size in VECTORS.items():
        weights[name] = floats[row : row + size]
        row += size
    return weights


def file_name(condition: str, step: int) -> str:
    """Return the name of a checkpoint's file, such as ``many-periods-300.bin``."""
    return f"{condition.replace(' ', '-')}-{step}.bin"


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
    return [*sorted(folder.glob("*.bin")), write_measures(folder)]


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
