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
from attnlab.data.grammar import Grammar
from attnlab.experiments import layer_mixes
from attnlab.explorables import LayerStack, PictureQueries, Sink, TextMasks, TransformerBlocks
from attnlab.explorables.layer_stack import KINDS
from attnlab.explorables.text_masks import OBJECTIVES
from attnlab.models import glyph_detector, numpy_transformer

HERE = Path(__file__).parent
GRAMMAR = Grammar("french")


def opened(selected: str, **state: Any) -> dict[str, Any]:
    shown = TransformerBlocks(selected=selected, **state)
    mask = shown.mask()
    return {"state": shown.state(), "shape": shown.shape(), "numbers": shown.tensor().tolist(),
            "mask": None if mask is None else mask.tolist(),
            "best": shown.vocabulary.index(shown.next_token())}  # fmt: skip


def drained(sink: float, cap: float) -> dict[str, Any]:
    shown = Sink(score=[[30.0, -2.0, 0.5, 1.0]], queries=["q"], sink=sink, cap=cap)
    return {"state": shown.state(), "weights": shown.weights().tolist()}


def masked(hidden: list[int], prefix: int) -> dict[str, Any]:
    shown = TextMasks(hidden=hidden, prefix=prefix)
    masks = [shown.mask(objective).tolist() for objective in OBJECTIVES]
    return {"state": shown.state(), "masks": masks, "asked": [*map(shown.asked, OBJECTIVES)]}


def looked(kind: int) -> dict[str, Any]:
    pixels = np.random.default_rng(kind).integers(2, size=(16, 25))
    shown = PictureQueries(cells=pixels, selected=kind, noisy=kind > 3)
    share = float(shown.shares()[kind])
    return {"state": shown.state(), "weights": shown.weights().tolist(), "share": share}


STACKS = [KINDS, ["local"] * 6, ["global"], ["latent", "local", "shared", "local"], ["local"]]


def stacked(*kinds: str) -> dict[str, Any]:
    shown = LayerStack(layers=kinds)
    return {"state": shown.state(), "sizes": shown.sizes(), "reach": int(shown.reach().sum())}


@pytest.fixture(scope="module")
def fixtures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    shown = TransformerBlocks()
    parts = [part["id"] for part in [*shown.blocks, *shown.streams]]
    cases = {
        "opened": [
            opened(part, layer=layer, step=step, padded=padded)
            for part in parts
            for layer, step, padded in ((1, 1, False), (2, 5, True))
        ],
        "looked": [*map(looked, range(8))],
        "read": [masked(hidden, prefix) for hidden, prefix in (([3], 3), ([1, 5], 1), ([], 6))],
        "stacked": [stacked(*kinds) for kinds in STACKS],
        "drained": [drained(sink, cap) for sink in (-12.0, 0.0, 6.0) for cap in (1.0, 50.0)],
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
    assert "# pass 5" in done.stdout


def test_blocks_hold_what_the_trained_model_computes() -> None:
    torch = pytest.importorskip("torch")
    from attnlab.models import encoder_decoder

    model = encoder_decoder.load()
    pair = GRAMMAR.sentence("key", "under lamp", "found")
    source, target = pair.tokens[0].tolist(), [Grammar.BEGIN, *pair.target[0].tolist()]
    found = numpy_transformer.parts(numpy_transformer.load(), source, target, len(source))
    with torch.no_grad():
        memory = model.encode(torch.tensor([source]))
        embedded = model.embed(torch.tensor([target]), model.embed_target, "target")
        _, weights = model.decoder(embedded, memory, return_weights=True)
        scores = model(torch.tensor([source]), torch.tensor([target]))
    np.testing.assert_allclose(found["encoder.output"], memory[0], atol=1e-4)
    np.testing.assert_allclose(found["scores"], scores[0], atol=1e-4)
    for number, layer in enumerate(weights, 1):
        for kind in ("self", "cross"):
            expected = layer[kind][0]
            np.testing.assert_allclose(
                found[f"decoder.{number}.{kind}.weights"], expected, atol=1e-5
            )


def test_padding_changes_nothing_for_the_tokens_that_are_real() -> None:
    model, pair = numpy_transformer.load(), GRAMMAR.sentence("key", "under lamp", "found")
    source, target = pair.tokens[0].tolist(), [Grammar.BEGIN, *pair.target[0].tolist()]
    alone = numpy_transformer.parts(model, source, target, len(source))
    padded = numpy_transformer.parts(model, [*source, 0, 0], target, len(source))
    np.testing.assert_allclose(padded["scores"], alone["scores"])
    assert not padded["decoder.2.cross.weights"][..., len(source) :].any()


def test_stream_is_the_embedding_and_all_that_was_added() -> None:
    end = TransformerBlocks(selected="encoder.stream.2", layer=2).tensor()
    last = TransformerBlocks(selected="encoder.output").tensor()
    model = numpy_transformer.load()
    gain, shift = model["encoder.norm.weight"], model["encoder.norm.bias"]
    normed = (end - end.mean(axis=1, keepdims=True)) / end.std(axis=1, keepdims=True)
    np.testing.assert_allclose(normed * gain + shift, last, atol=0.03)


def test_decoder_writes_the_translation_word_by_word() -> None:
    steps = range(1, 9)
    written = [TransformerBlocks(step=step).next_token() for step in steps]
    assert written == [*TransformerBlocks().target_tokens[1:], "(end)"]
    assert TransformerBlocks(selected="decoder.self", step=3).shape() == (4, 3, 3)


def test_sink_and_cap_are_those_of_attn() -> None:
    query, key = np.array([[6.0, 0.0]]), np.array([[1.0, 0.0], [-1.0, 2.0], [0.5, 0.0]])
    scores = attn.scaled_dot_score(query, key)
    shown = Sink(score=scores, queries=["q"], key_tokens=["a", "b", "c"], sink=1.0, cap=3.0)
    options = {"sink": 1.0, "soft_cap": 3.0, "return_weights": True}
    _, weights = attn.scaled_dot_product_attention(query, key, key, **options)
    np.testing.assert_allclose(shown.weights(), weights)
    # As good as none, as the ends of the sliders say.
    np.testing.assert_allclose(Sink().weights(), attn.softmax(np.array(Sink().score)), atol=5e-3)


def test_a_prefix_lies_between_the_two_masks() -> None:
    shown = TextMasks(prefix=3)
    causal, everything, prefix = (shown.mask(name) for name in ("next", "hidden", "prefix"))
    assert (causal <= prefix).all()
    assert (prefix <= everything).all()
    assert prefix.sum() == causal.sum() + 3  # the pairs of the prefix that look ahead
    asked = shown.asked("prefix")
    assert asked == ["", "", *shown.tokens[3:], ""]
    # Nobody may see what is asked for, but for the gap, which hides it.
    for name in ("next", "prefix"):
        for place, token in enumerate(shown.asked(name)):
            seen = np.array(shown.tokens)[shown.mask(name)[place]]
            assert token not in seen


@pytest.mark.parametrize("mix", layer_mixes.MIXES)
def test_a_stack_keeps_what_the_experiment_on_mixes_keeps(mix: str) -> None:
    letters = layer_mixes.MIXES[mix]
    shown = LayerStack(layers=["global" if letter == "G" else "local" for letter in letters])
    one_token = attn.cache_size(1, num_kv_heads=8, head_dim=64, bytes_per_number=2)
    assert sum(shown.sizes()) == layer_mixes.keys_kept(letters) * one_token
    assert shown.reach().sum() == (64 if "G" in letters else 6 * (layer_mixes.WINDOW - 1) + 1)


def test_picture_is_read_as_the_detector_reads_it() -> None:
    torch = pytest.importorskip("torch")
    from attnlab.models.stored_weights import load_weights
    from attnlab.models.vision import GlyphDetector

    model = GlyphDetector(8)
    load_weights(model, glyph_detector.NAME)
    shown = PictureQueries()
    with torch.no_grad():
        cells = torch.tensor(shown.pixels(), dtype=torch.float32)[None]
        logits, weights = model.forward_with_weights(cells)
    np.testing.assert_allclose(shown.shares(), torch.sigmoid(logits)[0], atol=0.01)
    for kind in range(8):
        found = PictureQueries(selected=kind).weights()
        np.testing.assert_allclose(found, weights[0, kind], atol=0.02)
    # The query for a glyph that is absent looks at some cell: noise decides at which.
    absent = [PictureQueries(selected=k).weights().max() for k in (0, 1, 3, 7)]
    assert max(absent) > 0.4
    there = {name for name, share in zip(shown.kinds, shown.shares(), strict=True) if share > 0.5}
    assert there == {"ring", "bar", "arch", "wedge"}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: TransformerBlocks(selected="decoder"), "selected is 'decoder'; expected one of"),
        (lambda: TransformerBlocks(layer=3), "layer is 3; expected 1 to 2"),
        (lambda: TransformerBlocks(step=0), "step is 0; expected 1 to 8"),
        (lambda: Sink(score=[[1.0]]), r"score has shape \(1, 1\); the words ask for \(2, 4\)"),
        (lambda: PictureQueries(cells=[[1.0]]), r"cells has shape \(1, 1\); expected \(16, 25\)"),
        (lambda: PictureQueries(selected=8), "selected is 8; there are 8 kinds"),
        (lambda: TextMasks(objective="gap"), "objective is 'gap'; expected one of next, hidden"),
        (lambda: TextMasks(selected=7), "selected is 7; the text has places 0 to 6"),
        (lambda: TextMasks(prefix=7), "prefix is 7; expected 1 to 6"),
        (lambda: LayerStack(layers=["wide"]), r"layers is \['wide'\]; expected one or more of"),
        (lambda: LayerStack(window=0), "window is 0; expected 1 or more"),
        (lambda: Sink(sink=7), "sink is 7; expected a number from -12.0 to 6.0"),
    ],
)
def test_bad_input_gets_one_line(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()
