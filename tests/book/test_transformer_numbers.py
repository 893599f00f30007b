"""Each number that the chapters on the Transformer quote is the number of a run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from attnlab.evidence import blocks_today
from attnlab.experiments import load, norms

BOOK = Path(__file__).resolve().parents[2] / "book"


def text(chapter: str) -> str:
    """Return a chapter with every run of blanks as one space."""
    return re.sub(r"\s+", " ", (BOOK / f"{chapter}.md").read_text("utf-8"))


def mean(result: str, curve: str, x: float) -> str:
    return f"{load(result)[curve].at(x).mean():.2f}"


def transformer() -> Iterator[str]:
    deep, shallow = (f"{layers} layers, norm" for layers in (12, 4))
    yield f"ends {mean('norms', f'{deep} first, no warm-up', 0.003)} nats"
    yield f"norm-last model ends at {mean('norms', f'{deep} last, no warm-up', 0.003)}"
    yield f"brings it down to {mean('norms', f'{deep} last, with warm-up', 0.003)}"
    yield f"the first {norms.WARM_UP} of the {norms.STEPS} steps"
    yield f"norm-last model ends at {mean('norms', f'{shallow} last, no warm-up', 0.003)}"
    patient = mean("norms", norms.PATIENT, norms.PATIENT_RATE)
    yield f"{norms.PATIENT_RATE:g}, and four times as many steps, {norms.PATIENT_STEPS:,}"
    yield f"norm-last model of 12 layers ends at {patient} **without any warm-up**"
    seeds = load("bottleneck")["Transformer: sentence"].at(8)
    yield f"from {seeds.min():.2f} to {seeds.max():.2f}"


def gpt_and_bert() -> Iterator[str]:
    yield f"When every word is tried, {mean('objectives', 'next token: every filling', 2)} of the"
    shares = [mean("objectives", f"{name}: writing", 2) for name in ("masked", "next token")]
    yield f"as the other: {shares[0]} and {shares[1]} with two phrases"


@pytest.mark.parametrize("quotes", [transformer, gpt_and_bert], ids=lambda f: f.__name__)
def test_quoted_numbers_are_those_of_the_results(quotes) -> None:
    chapter = text(quotes.__name__.replace("_", "-"))
    for quote in quotes():
        assert quote in chapter, quote


def test_the_blocks_of_today() -> None:
    chapter, blocks = text("transformer"), blocks_today.stored()["blocks"]
    means = blocks_today.means(0.003)
    plain, both = means["LayerNorm, ReLU"], means.pop("RMSNorm, SwiGLU")
    assert f"within {max(means.values()) - min(means.values()):.3f} nats" in chapter
    spread = max(np.ptp(row["excess"]["0.003"]) for row in blocks.values())
    assert both - plain < spread
    assert f"a single row differ by up to {spread:.2f}." in chapter
    assert f"Both changes together end {both - plain:.3f} higher" in chapter
    assert f"four decoders of {blocks_today.LAYERS} layers" in chapter
    assert [f"{rate:g}" for rate in blocks_today.RATES] == [*blocks["LayerNorm, ReLU"]["excess"]]


def test_the_floor_and_what_ignores_context() -> None:
    pytest.importorskip("torch")
    from attnlab.models.text_models import PHRASES, Text

    sentences, rng = Text(), np.random.default_rng(0)
    assert f"a loss of {norms.best_loss(sentences, 0):.2f} nats a token" in text("transformer")
    drawn = [sentences.sample(rng, 1000, n).numpy()[:, 1:] for n in PHRASES]
    counts = np.bincount(np.concatenate([tokens.ravel() for tokens in drawn])).clip(1)
    surprise = -np.log(counts / counts.sum())
    above = [
        surprise[tokens].mean() - norms.best_loss(sentences, n)
        for tokens, n in zip(drawn, PHRASES, strict=True)
    ]
    last = load("norms")["12 layers, norm last, no warm-up"].at(0.003).mean()
    assert abs(np.mean(above) - last) < 0.05  # no better than one that knows frequencies alone


def test_sizes_that_the_chapters_name() -> None:
    pytest.importorskip("torch")
    from attnlab.models import encoder_decoder, text_models
    from attnlab.models.counts import Sizes, multiplications, parameters

    model = encoder_decoder.load()
    count = sum(parameter.numel() for parameter in model.parameters())
    assert f"This model has {count:,} parameters" in text("transformer")
    assert f"for each of the {model.to_scores.out_features} tokens" in text("transformer")
    for objective in text_models.OBJECTIVES:
        model = text_models.build(objective, text_models.Text())
        count = sum(parameter.numel() for parameter in model.parameters())
        assert f"the same {count:,} parameters" in text("gpt-and-bert")
    base = parameters(Sizes(512, 2048, 6, 6, 37_000, 37_000))
    attentions = sum(count for part, count in base.items() if "attention" in part)
    assert base["feed-forward networks"] > attentions
    assert 2 * (base["embeddings"] + base["output layer"]) > sum(base.values())
    tied = sum(base.values()) - 2 * 37_000 * 512 - 37_000  # one matrix of three, without biases
    assert f"Counted like that, the model has {tied / 1e6:.0f} million" in text("transformer")
    work = multiplications(Sizes(512, 2048, 6, 6, 37_000, 37_000), 25, 25)
    pairs = 6 * 3 * 2 * 25 * 25 * 512  # scores and mixing, in three attentions of six layers
    share = 1 - pairs / sum(work.values())
    assert f"{share:.0%} of the multiplications".replace("%", " %") in text("transformer")
