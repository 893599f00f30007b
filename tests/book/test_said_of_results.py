"""What chapters say in words of results; the numbers themselves come from `attnlab.quoted`."""

from __future__ import annotations

import math
import re
from pathlib import Path

import jupytext
import numpy as np
import pytest

import attn
from attnlab import quoted, speed
from attnlab.claims import LEARNED
from attnlab.data import minilm_heads
from attnlab.evidence import blocks_today
from attnlab.experiments import (
    agreement,
    forgetting,
    longer_texts,
    norms,
    qk_norm,
    scaling,
    sinks,
    verdict,
)
from attnlab.experiments import load as stored
from attnlab.experiments.sentiment import MORE, TWO
from attnlab.models import fable_tests
from attnlab.quoted import (
    attention_today,
    build_a_gpt,
    interpretation,
    positions,
    scaled_dot_product,
    transformer,
)

BOOK = Path(__file__).resolve().parents[2] / "book"
SPEECH = ("content and place", "content only")
SHARE = r"(?<![\w.])(?:[01]\.\d\d(?!\.?\d)|\d+\s?%)"
#: Shares that are typed: of papers, settings, bounds, made-up answers, trials that nothing stores,
#: and what a test measures with PyTorch, here or in `tests/oracles/test_swaps.py`.
TYPED = {
    "attention-memory": {"0.01", "0.13", "0.25"},
    "evidence": {"0.02", "0.10", "0.12", "0.38", "0.42", "0.94"},  # a rerun, which nothing stores
    "circuits": {"0.11", "0.59", "0.73", "1.00", "1.16"},
    "fast-exact": {"0.25"},
    "gpt-and-bert": {"15 %"},
    "interpretation": {"0.01", "0.03"},
    "masking": {"0.62", "0.74", "0.98"},
    "motivation": {"1 %"},
    "multi-head": {"0.15"},
    "queries-keys-values": {"0.33", "1.00"},
    "soft-and-hard": {"0.03", "90 %"},
    "transformer": {"1.89"},
    "workshop": {"0.18"},
}
CHAPTERS = sorted(path.stem for path in BOOK.glob("*.md") if "instructors" not in path.stem)


def text(chapter: str) -> str:
    """Return a chapter with every run of blanks as one space."""
    return " ".join((BOOK / f"{chapter}.md").read_text("utf-8").split())


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_share_is_typed(chapter: str) -> None:
    cells = jupytext.read(BOOK / f"{chapter}.md").cells
    prose = " ".join(cell.source for cell in cells if cell.cell_type == "markdown")
    shares = set(re.findall(SHARE, re.sub(r"\{number\}`[^`]*`", "…", prose)))
    assert shares == TYPED.get(chapter, set())


def test_every_chapter_with_names_of_its_own_is_there() -> None:
    own = {path.stem.replace("_", "-") for path in Path(quoted.__file__).parent.glob("[!_]*.py")}
    assert own <= {path.stem for path in BOOK.glob("*.md")}


def test_motivation() -> None:
    for name in ("GRU", "attention", "attention, Italian"):
        assert stored("agreement")[name].at(20).min() > 0.995
    turned = [stored("agreement")[agreement.named("GRU", at)].at(20) for at in agreement.TURNED]
    assert min(shares.min() for shares in turned) > 0.995
    assert sum(map(len, turned)) == 12
    memory, bottleneck = stored("memory"), stored("bottleneck")
    one_length = memory["GRU, one length"]
    assert [sum(one_length.at(x) > 0.95) for x in (2, 4, 8, 12)] == [1, 1, 0, 0]
    keeping = memory[agreement.named("GRU, one length", {"start": agreement.KEEPING})]
    assert [sum(keeping.at(x) > 0.95) for x in (2, 12)] == [3, 1]
    assert memory["GRU, all lengths"].at(12).min() > 0.995
    attention = bottleneck["attention: sentence"]
    assert all(attention.at(x).min() > 0.995 for x in bottleneck.settings["trained on phrases"])
    assert max(bottleneck.settings["trained on phrases"]) == 6  # welcome: "the longest in training"
    assert attention.at(8).max() < 0.01  # "fewer than 1 %"


def test_scaled_dot_product() -> None:
    norm, measured = scaled_dot_product.norm, stored("scaling")
    assert norm(1024, 1.0) < norm(1024, None) / 100  # "less than a hundredth"
    assert scaling.smaller_from(measured) == 128
    assert scaling.smaller_from(measured, ", by queries") == 512
    assert scaling.smaller_from(measured, ", by queries, mean") == math.inf
    rng = np.random.default_rng(0)
    assert abs(scaling.scores(64, rng, same=True).mean() / 8 - 8) < 0.5
    assert abs(scaling.scores(64, rng, scaling.positive).mean() / 8 - 2) < 0.5


def test_multi_head() -> None:
    wide = stored("heads")["one head, at the beginning, width 64: participle"].at(4)
    assert sum(wide > 0.995) == 1  # "with twice the width, one of three does"


def test_positions() -> None:
    change = positions.change
    assert max(change(1, True), change(1, False), change(2, False)) < 1e-12
    # Within 16 tokens the fastest hand has been all the way round, at 64 the slowest has not.
    assert 2 * math.pi < 16
    assert 2 * math.pi > 64 * 10000 ** (-30 / 32)
    latest = stored("positions")["ALiBi: latest"]
    assert f"{latest.at(64).mean():.2f}" == f"{latest.at(128).mean():.2f}"  # "at 64 and at 128"


def test_scores() -> None:
    weights = quoted.names("scores")["weights"]
    assert weights[2] > weights[3]
    assert weights.argmax() == 1


def test_soft_and_hard() -> None:
    measured = stored("hard_attention")
    assert set(measured[quoted.names("soft-and-hard")["SOFT"]].at(16)) == {3}
    draws = measured["draws, baseline"]
    assert list(draws.x[3:]) == [16, 32, 64]
    assert max(draws.mean[4:] / draws.mean[3:-1]) < 2.2  # "only a little faster"
    updates = (measured[f"updates, {kind}"] for kind in ("one draw, baseline", "soft"))
    slow, fast = (curve.mean for curve in updates)
    assert (np.diff(slow - fast) > 0).all()  # "the lead grows", on average
    assert len(set(measured.settings["learning rates"].values())) == 1  # "the same for all"
    assert len(measured.seeds) == 3


def test_transformer() -> None:
    blocks = blocks_today.stored()["blocks"]
    assert transformer.both - transformer.neither < transformer.spread
    small = stored("norms")[norms.SMALL_START].array
    assert ((small <= norms.TRAINED).sum(), small.size) == (5, 6)  # "five of six"
    assert [f"{rate:g}" for rate in blocks_today.RATES] == [*blocks["LayerNorm, ReLU"]["excess"]]


def test_build_a_gpt() -> None:
    measured = fable_tests.stored()
    gap = measured["loss"] - measured["loss_of_grammar"]
    assert f"{build_a_gpt.coin:.3f}" == f"{gap:.3f}"  # "as much as the whole gap"
    assert all(row["right"] == 1 for rule, row in measured["rules"].items() if "4" not in rule)
    assert build_a_gpt.handed_over(4) < 0.5
    assert all(row["ended"] == 1 for row in measured["written"].values())


def test_windows_and_hashing() -> None:
    small = stored("hashing")["clusters, small: error"].at(4)
    assert (small > 0.2).sum() == 1  # "in one of three seeds"
    assert 131_072 * 64 > 8_000_000


def test_fast_exact() -> None:
    ratios = speed.ratios("dense", "torch SDPA")
    for peer in ("NumPy, as the formula reads", "torch, as the formula reads"):
        assert 2.5 < ratios[peer][2048] < 3.5  # "about three times"
    assert round(math.exp(40) / 1e17) == 2
    assert attn.causal_mask(8, 8).sum() == 36
    assert np.finfo(np.float32).max > 1e20 * math.exp(40)
    # The prose is about a machine on which the variable is set, and slows NumPy down.
    assert speed.environment()["OPENBLAS_CORETYPE"] == "Haswell"
    pinned, free = (
        speed.ratios("dense", "torch SDPA", pinned=p)["blockwise"][8192] for p in (True, False)
    )
    assert free < pinned


def test_sinks_of_attention_today() -> None:
    lost = attention_today.lost
    for gate in ("gate", "gate at 0.003"):  # "at each rate one of three seeds"
        assert (lost(gate) > 0.1).sum() == 1
    gates = sorted(lost("gate"))
    assert gates[1] < 0.01 < 0.17 < gates[2] < 0.18  # in the quiz
    assert lost("sink from 4").max() < 0.001  # "loses nothing in these three seeds"
    names = ("plain with more seeds", "plain without a mark")
    more, unmarked = (sinks.late(stored("sinks"), f"{name}: weight on the first") for name in names)
    assert sorted(more)[0] < 0.5 < sorted(more)[1]  # "of six more plain heads one"
    assert lost("plain with more seeds").argmin() == more.argmin()
    assert (lost("sink from 4 at 0.003 with more seeds") > 0.1).sum() == 1  # "one of six more"
    assert unmarked.max() < 0.02  # "hardly looks at the first token"
    slow = [lost(f"sink from {start} at 0.003") for start in (0, 4)]
    assert slow[0].min() > 1 > 0.01 > slow[1].max()  # "differ in the same way"
    assert lost("plain", attention_today.CACHES[2]).max() < 0.001  # "the loss is as before"


def test_rates_of_attention_today() -> None:
    rates = stored("qk_norm")
    assert (rates["normalised"].at(3.0) < LEARNED).sum() == 2  # "fails as well, in two"
    rates_and_steps = ("rate 1", "rate 1, steps 1800", "rate 0.5", "rate 2")
    assert verdict("qk_norm").when == tuple(
        f"learning {rate}, gradients: clipped at norm 1" for rate in rates_and_steps
    )
    assert (rates["normalised, not clipped"].array < LEARNED).sum() == 1  # "one of three"
    for kind in ("plain", "normalised"):
        assert rates[f"{kind}, small batches"].array.max() < LEARNED  # "neither kind learns"
    assert rates["normalised, longer"].array.min() > 0.99
    assert rates["plain: largest score"].at(1.0).min() > 20_000  # "tens of thousands"
    assert 0.89 < rates["plain"].at(0.3).max() <= 0.9
    for kind in qk_norm.KINDS:  # "up to a rate of 0.1 all three learn"
        assert min(rates[kind].at(rate).min() for rate in (0.003, 0.01, 0.03, 0.1)) > 0.99
        assert rates[kind].at(10.0).max() < 0.15  # "at 10 no model learns"
    assert min(rates["normalised"].at(rate).min() for rate in qk_norm.RATES if rate <= 1) > 0.99


def test_longer_texts_of_attention_today() -> None:
    measured = stored("longer_texts")
    after = [measured.mean(f"{way}: far, trained on", 50) for way in longer_texts.WAYS]
    # "at least": the unscaled model is the last of the other three to get there.
    assert after[0] == min(after[0], *after[2:])
    assert all(measured[f"{w}: far, trained on"].at(200).min() > 0.99 for w in longer_texts.WAYS)
    near = [measured["linear: near"].at(n) - measured["linear: far"].at(n) for n in (64, 128)]
    assert np.abs(near).max() < 0.05  # "of the near values it finds as few"


def test_attention_memory() -> None:
    wide = [stored("forgetting")[forgetting.named(kind, 32)] for kind in forgetting.KINDS]
    assert all((curve.array == 1).all() for curve in wide)  # "answer everything"
    names = [f"{forgetting.named(kind, 32)}: second text" for kind in forgetting.KINDS]
    second = [stored("forgetting")[name].at(8) for name in names]
    assert min(second[1].min(), second[2].min()) > 0.99  # "also answer every question"
    mixes = stored("layer_mixes")
    for mix in ("1 local : 1 global", "5 local : 1 global"):
        assert mixes[mix].array.min() > 0.999  # "find every value"
    assert mixes["all global"].array[1:].min() > 0.999
    local = mixes["all local"]
    assert local.at(3).min() > 0.96
    assert max(local.at(31).max(), local.at(61).max()) < 1 / 16 + 0.01  # "they guess"
    assert stored("linear_recall")["state of 32 features"].array.min() > 0.99
    assert stored("linear_recall")["softmax"].array.min() > 0.99


def test_models_in_the_table_have_an_entry_in_the_bibliography() -> None:
    table = text("attention-today").partition("## Which models use what")[2].partition("## What")[0]
    keys = re.findall(r"\{cite\}`([a-z0-9]+)`", table.partition("|")[2])
    bibliography = (BOOK / "references.bib").read_text(encoding="utf-8")
    assert len(keys) == 8
    assert all(f"{{{key}," in bibliography for key in keys)


def test_at_work() -> None:
    speech = stored("speech")
    letters, aligned = (speech[f"content and place: {of}"].at(8) for of in ("letters", "aligned"))
    assert letters.argmax() == aligned.argmin() == 2  # the third seed
    assert f"{aligned[0]:.2f}" == f"{aligned[1]:.2f}"  # "for two of them"
    assert aligned[2] < 0.3
    assert speech["content and place: forward"].at(8).min() > 0.95
    # And in evidence: one of six models has learned at 8 and 12 letters, none beyond.
    of = {n: [speech[f"{model}: letters"].at(n) for model in SPEECH] for n in (8, 12, 16, 24)}
    learned = {n: int((np.concatenate(shares) >= LEARNED).sum()) for n, shares in of.items()}
    assert learned == {8: 1, 12: 1, 16: 0, 24: 0}


def test_real_heads_of_interpretation() -> None:
    apple = minilm_heads.load("apple")
    row = apple.head(4, 2)[apple.tokens.index("picked")]
    assert apple.tokens[int(row.argmax())] == "apple"
    assert 0.51 < row.max() < 0.525
    assert apple.between("picked", "apple").mean() < 1 / len(apple.tokens)
    for name in minilm_heads.SENTENCES:
        weights = minilm_heads.load(name).weights
        assert f"{minilm_heads.offset(weights, -1)[0, 2]:.3f}" == "1.000"
        assert (weights[..., 0].mean(axis=(1, 2))[1:5] > 0.45).all()
    # Heads of layer 1, and some of layer 6, spread their weights.
    largest = minilm_heads.load("cat").weights.max(axis=-1).mean(axis=-1)  # (6, 12)
    assert (largest[0] < 0.5).sum() >= 10
    assert 6 <= (largest[5] < 0.5).sum() < 12


def test_seeds_of_interpretation() -> None:
    sentiment = stored("sentiment")
    weight = sentiment[f"{TWO}: weight on the adjective"].at(8)
    assert f"{weight[1]:.2f}" == f"{weight[2]:.2f}"
    at_adjective = sentiment[f"{TWO}: changes without not at the adjective"].at(8)
    elsewhere = sentiment[f"{TWO}: changes without not elsewhere"].at(8)
    np.testing.assert_array_equal(at_adjective > 0.9, [False, True, True])
    np.testing.assert_array_equal(elsewhere > 0.9, [True, False, False])
    assert sentiment[f"{TWO}: changes without another word"].at(8).max() < 0.02
    before = "weight on not before the adjective"
    assert sentiment[f"{TWO}: {before}"].at(8).max() < 0.05
    assert sentiment[TWO].at(8).min() > 0.95
    assert len(interpretation.on_not) == 5  # "of nine more models, five"
    both = (TWO, TWO + MORE)
    weight, on_not = (
        np.concatenate([sentiment[f"{name}: {part}"].at(8) for name in both])
        for part in ("weight on the adjective", before)
    )
    # In evidence-in-use: "in ten of twelve models", "in one on *not*", "in seven of the twelve".
    assert ((weight > 0.5).sum(), (weight < 0.1).sum(), (on_not < 0.1).sum()) == (10, 1, 7)


def test_swaps_of_interpretation() -> None:
    swap = stored("swap")
    assert swap["Transformer: subject swapped"].at(2).min() == 1
    assert swap["Transformer: attractor swapped"].at(2).max() == 0
    english = swap["Transformer: weight on the English subject"].at(2)
    np.testing.assert_array_equal(english > 0.9, [False, False, True])
    assert english[:2].max() < 0.01
    words, source = (
        swap[f"Transformer: subject swapped, {part} only"].at(2) for part in ("words", "source")
    )
    np.testing.assert_allclose(words, [1, 1, 0], atol=0.005)
    np.testing.assert_allclose(source, [0, 0, 1], atol=0.005)
    assert swap["BiGRU with attention: subject swapped"].at(2).min() == 1
    assert swap["BiGRU with attention: vector of the verb swapped"].at(2).max() == 0


def test_the_penalty_takes_the_weight_away_and_with_it_the_accuracy() -> None:
    """0.51 is an accuracy; the weight itself goes to 0."""
    cue = stored("cue")
    assert cue["words alone: weight on the cue"].at(10.0).max() < 1e-4
    assert abs(cue["words alone: accuracy"].at(10.0) - 0.5).max() < 0.03
    assert cue["words alone, uniform: accuracy"].at(0.0).min() == 1
    for chapter in ("interpretation", "evidence"):
        assert "the strongest penalty removes the weight as well" in text(chapter)


def test_importance_is_noise_where_words_have_no_effect() -> None:
    importance = stored("importance")
    models = ("one layer", "BiGRU", "Transformer")
    tau, agree = (
        {model: importance.mean(f"{model}: {part}", 4) for model in models}
        for part in ("tau of all words", "largest agree")
    )
    assert max(tau, key=tau.__getitem__) == min(agree, key=agree.__getitem__) == "one layer"
    assert importance["Transformer: largest agree"].array[:2].min() > 0.99
    assert f"{np.sort(importance['Transformer: largest agree'].at(4))[1]:.2f}" == "1.00"
    assert importance["one layer: largest agree"].array.min() > 0.3
    assert importance["one layer: largest agree"].array.max() < 0.45
    for model in models:
        assert importance[f"{model}: right"].array.min() > 0.99
        assert importance[f"{model}: words without effect"].array.min() > 0.5
