"""The model of the circuit: NumPy equals torch, 8 bits are enough."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import pytest

from attnlab.data.repeats import PERIODS
from attnlab.experiments import induction, load
from attnlab.explorables import Circuit
from attnlab.models import formation, numpy_continuer

from .model_calls import SHOWN, texts

CHECKPOINTS = [(condition, step) for condition, steps in formation.STEPS.items() for step in steps]


@pytest.mark.parametrize(("condition", "step"), CHECKPOINTS)
def test_measures_are_those_of_the_checkpoints_which_are_small(condition: str, step: int) -> None:
    stored = formation.measures()[condition][formation.STEPS[condition].index(step)]
    measured = formation.measure(condition, step)
    assert measured.keys() == stored.keys()
    for name, value in stored.items():
        assert measured[name] == pytest.approx(value, abs=2e-4), name
    assert len(formation.content(condition, step)) <= 25_000


def test_rows_of_8_bits_go_round() -> None:
    rng = np.random.default_rng(3)
    shapes: dict[str, Any] = {**formation.MATRICES, **formation.VECTORS}
    state = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    again = formation.unpack(formation.pack(state))
    for name, shape in formation.MATRICES.items():
        steps = np.abs(state[name]).max(axis=1, keepdims=True) / 127
        assert (np.abs(again[name] - state[name]) <= 0.51 * steps).all(), name
        assert again[name].shape == shape
    for name in formation.VECTORS:
        np.testing.assert_allclose(again[name], state[name], rtol=1e-6)


def test_other_files_are_refused() -> None:
    with pytest.raises(ValueError, match="a checkpoint of 3 bytes; expected 13632"):
        formation.unpack(b"abc")
    with pytest.raises(ValueError, match="step is 7; there are checkpoints after 0, 50"):
        formation.content("many periods", 7)
    with pytest.raises(ValueError, match="condition is 'two periods'; expected one of one period"):
        formation.content("two periods", 0)


def torch_model(condition: str, step: int) -> Any:
    import torch

    from attnlab.models.attention_only import AttentionOnlyModel

    model = AttentionOnlyModel(formation.NUM_WORDS).double()
    weights = formation.weights(condition, step)
    model.load_state_dict({name: torch.from_numpy(np.array(w)) for name, w in weights.items()})
    return model


@pytest.mark.parametrize(("condition", "step"), SHOWN)
@pytest.mark.parametrize("without", [[], [(1, 2)], [(1, 1), (2, 2)]])
def test_numpy_equals_torch(condition: str, step: int, without: list[Any]) -> None:
    torch = pytest.importorskip("torch")
    tokens, _ = texts(condition, 5)
    with torch.no_grad():
        logits, weights = torch_model(condition, step).forward_with_weights(
            torch.from_numpy(tokens), without
        )
    reading = numpy_continuer.read(formation.weights(condition, step), tokens, without)
    np.testing.assert_allclose(reading.logits, logits.numpy(), atol=1e-9)
    np.testing.assert_allclose(reading.weights, weights.numpy(), atol=1e-9)


@pytest.mark.parametrize("condition", PERIODS)
def test_checkpoints_are_those_of_the_experiment_up_to_8_bits(condition: str) -> None:
    stored = load("induction")
    test = induction.texts_to_test(PERIODS[condition])
    for step in (0, 200, 300, 1000):
        logits = numpy_continuer.read(formation.weights(condition, step), test.tokens).logits
        right = (logits[:, :-1].argmax(axis=-1) == test.tokens[:, 1:])[test.is_known].mean()
        curve = stored[f"{condition}: accuracy"]
        assert abs(right - curve.array[0, list(curve.x).index(step)]) < 0.02, step


def test_notebook_is_given_the_checkpoint_that_it_asks_for() -> None:
    shown = Circuit()
    assert shown.weights == ""
    shown.wanted = "one-period-150.bin"
    name, content = shown.weights.split(" ")
    assert name == "one-period-150.bin"
    assert base64.b64decode(content) == formation.content("one period", 150)
