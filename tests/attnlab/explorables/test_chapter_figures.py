"""Figures that are made for one chapter: their numbers are those of models and of `attn`."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import attn
from attnlab.explorables import LayerStack, Sink, TransformerBlocks
from attnlab.explorables.layer_stack import KINDS

HERE = Path(__file__).parent


def opened(selected: str, layer: int, step: int) -> dict[str, Any]:
    """Return a state, and what torch computes for it with the same weights."""
    torch = pytest.importorskip("torch")
    from attnlab.data.grammar import Grammar
    from attnlab.models import encoder_decoder

    shown = TransformerBlocks(selected=selected, layer=layer, step=step)
    pair = Grammar("french").sentence("apple", "under tree", "behind house", "picked")
    model, seen = encoder_decoder.load(), {}

    def keep(name: str) -> Any:
        return lambda module, inputs, output: seen.update({name: output})

    for name, module in model.named_modules():
        module.register_forward_hook(keep(name))
    target = torch.tensor([[Grammar.BEGIN, *pair.target[0][: step - 1]]])
    scores = model(torch.from_numpy(pair.tokens), target)[0]
    stack, part = selected.split(".", 1)
    index = f"{stack}.layers.{layer - 1}"
    if part == "self":  # by hand, from what the layer's projections return
        inner = f"{index}.{'attention' if stack == 'encoder' else 'self_attention'}"
        module = model.get_submodule(inner)
        x = seen[f"{index}.norm_{'attention' if stack == 'encoder' else 'self'}"][0].detach()
        project = lambda w, b: attn.split_heads((x @ w + b).detach().numpy(), 4)  # noqa: E731
        expected = attn.attention_weights(
            project(module.w_query, module.b_query),
            project(module.w_key, module.b_key),
            is_causal=stack == "decoder",
        )
    else:
        found = {
            "output": lambda: seen["encoder.norm"],
            "network": lambda: seen[f"{index}.feed_forward"],
            "scores": lambda: scores[None],
        }[part]()
        expected = found[0].detach().numpy()
    return {"state": shown.state(), "expected": np.asarray(expected, dtype=float).tolist(),
            "shape": expected.shape, "best": int(scores[-1].argmax())}  # fmt: skip


def drained(sink: float, cap: float) -> dict[str, Any]:
    """Return a state, and the weights that attention has with such a sink and such a cap."""
    score = [[30.0, -2.0, 0.5, 1.0], [-4.0, -4.0, -4.0, -4.0]]
    shown = Sink(score=score, sink=sink, cap=cap)
    options: dict[str, Any] = {
        "sink": np.array(sink),
        "soft_cap": cap,
        "scale": 1.0,
        "return_weights": True,
    }
    _, weights = attn.scaled_dot_product_attention(np.array(score), np.eye(4), np.eye(4), **options)
    return {"state": shown.state(), "weights": weights.tolist()}


def stacked(*kinds: str) -> dict[str, Any]:
    """Return a stack, the bytes of its caches, and what its output depends on by its masks."""
    shown = LayerStack(layers=kinds)
    whole = {"num_kv_heads": 8, "head_dim": 64}
    kept = {"global": whole, "local": whole, "shared": {"num_kv_heads": 1, "head_dim": 64},
            "latent": {"d_latent": 128, "rotary_dim": 32}}  # fmt: skip
    sizes = [
        attn.cache_size(4 if kind == "local" else 64, bytes_per_number=2, **kept[kind])
        for kind in kinds
    ]
    causal = attn.causal_mask(64, 64)
    near = causal & attn.sliding_window_mask(64, 64, 3)
    seen, reaches = np.eye(64, dtype=bool)[-1], []
    for kind in reversed(kinds):  # from the output to the input
        seen = (seen.astype(int) @ (near if kind == "local" else causal)) > 0
        reaches.insert(0, int(seen.sum()))
    return {"state": shown.state(), "sizes": sizes, "reaches": reaches}


STACKS = [KINDS, ["local"] * 6, ["global"], ["latent", "local", "shared", "local"], ["local"] * 30]


@pytest.fixture(scope="module")
def fixtures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    cases = {
        "opened": [
            opened("encoder.self", 2, 1),
            opened("encoder.output", 1, 2),
            opened("decoder.self", 1, 5),
            opened("decoder.network", 2, 7),
            opened("decoder.scores", 2, 8),
        ],
        "stacked": [stacked(*kinds) for kinds in STACKS],
        "drained": [
            drained(sink, cap) for sink, cap in ((-12, 50), (0, 50), (0, 1), (6, 3), (2.5, 10))
        ],
    }
    path = tmp_path_factory.mktemp("fixtures") / "fixtures.json"
    path.write_text(json.dumps(cases))
    return path


def test_typescript_equals_numpy(node: str, fixtures: Path) -> None:
    done = subprocess.run(
        [node, "--test", "--test-reporter=tap", str(HERE / "chapter_figures.test.ts")],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"FIXTURES": str(fixtures)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# pass 4" in done.stdout


def test_decoder_writes_the_translation_word_by_word() -> None:
    shown = TransformerBlocks()
    written = [TransformerBlocks(step=step).next_token() for step in range(1, 9)]
    assert written == [*shown.target_tokens[1:], "(end)"]


def test_two_heads_look_at_the_noun_and_one_at_the_verb_as_the_task_says() -> None:
    weights = np.array(TransformerBlocks().tensors["decoder.cross"])[-1, :, 6]
    assert [int(row.argmax()) for row in weights] == [0, 6, 5, 0]


def test_the_ends_of_the_controls_are_as_good_as_none() -> None:
    score, (low, soft) = np.array(Sink().score), (Sink().sink, Sink().cap)
    weights = attn.softmax(soft * np.tanh(score / soft), sink=low)
    np.testing.assert_allclose(weights, attn.softmax(score), atol=5e-3)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: TransformerBlocks(selected="decoder"), "selected is 'decoder'; expected a block"),
        (lambda: TransformerBlocks(selected="encoder.stream.3"), "selected is 'encoder.stream.3'"),
        (lambda: TransformerBlocks(layer=3), "layer is 3; expected 1 to 2"),
        (lambda: TransformerBlocks(step=0), "step is 0; expected 1 to 8"),
        (lambda: LayerStack(layers=["wide"]), r"layers is \['wide'\]; expected one or more of"),
        (lambda: LayerStack(window=0), "window is 0; expected 1 or more"),
        (lambda: Sink(score=[[1.0]]), r"score has shape \(1, 1\); the words ask for \(2, 4\)"),
        (lambda: Sink(sink=7), "sink is 7; expected a number from -12.0 to 6.0"),
        (lambda: TransformerBlocks(tensors=[1]), r"tensors is \[1\]; expected arrays by name"),
    ],
)
def test_bad_input_gets_one_line(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()
