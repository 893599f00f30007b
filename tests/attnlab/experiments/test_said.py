"""What chapters say in words of stored results; the numbers in their text come from these."""

import numpy as np

from attnlab import speed
from attnlab.claims import LEARNED
from attnlab.evidence import blocks_today
from attnlab.experiments import forgetting, load, longer_texts, qk_norm, verdict
from attnlab.experiments.agreement import KEEPING, TURNED, named
from attnlab.experiments.sinks import CACHES
from attnlab.models import fable_tests
from attnlab.quoted import lost


def test_motivation():
    agreement, memory, bottleneck = load("agreement"), load("memory"), load("bottleneck")
    turned = [agreement[named("GRU", at)].at(20) for at in TURNED]
    assert min(shares.min() for shares in turned) > 0.995
    assert sum(map(len, turned)) == 12
    one_length = memory["GRU, one length"]
    assert [sum(one_length.at(x) > 0.95) for x in (2, 4, 8, 12)] == [1, 1, 0, 0]
    keeping = memory[named("GRU, one length", {"start": KEEPING})]
    assert [sum(keeping.at(x) > 0.95) for x in (2, 12)] == [3, 1]
    assert bottleneck["attention: sentence"].at(8).max() < 0.01  # "fewer than 1 %"
    assert max(bottleneck.settings["trained on phrases"]) == 6  # "the longest in training"


def test_heads_and_positions():
    wide = load("heads")["one head, at the beginning, width 64: participle"].at(4)
    assert sum(wide > 0.995) == 1  # "one of three does with twice the width"
    latest = load("positions")["ALiBi: latest"]
    assert f"{latest.at(64).mean():.2f}" == f"{latest.at(128).mean():.2f}"


def test_circuits():
    trained, one = (
        load("induction")[f"{p}: accuracy by period"] for p in ("many periods", "one period")
    )
    assert min(trained.at(period).min() for period in trained.x if 8 <= period <= 24) >= 0.995
    assert [x for x, share in zip(one.x, one.mean, strict=True) if share > 0.5] == [4, 8, 16]


def test_hashing():
    assert (load("hashing")["clusters, small: error"].at(4) > 0.2).sum() == 1  # "in one of three"
    laplace = load("peaked")["the largest 32, Laplace"]
    assert laplace.at(2.5).min() >= 0.9 > laplace.at(2).max()  # "nine tenths already at 2.5"


def test_fast_exact():
    ratios = speed.ratios("dense", "torch SDPA")
    for peer in ("NumPy, as the formula reads", "torch, as the formula reads"):
        assert 2.5 < ratios[peer][2048] < 3.5  # "about three times as slow"
    # The prose is about a machine on which the variable is set, and slows NumPy down.
    assert speed.environment()["OPENBLAS_CORETYPE"] == "Haswell"
    free = speed.ratios("dense", "torch SDPA", pinned=False)
    assert free["blockwise"][8192] < ratios["blockwise"][8192]


def test_transformer():
    blocks, means = blocks_today.stored()["blocks"], blocks_today.means(0.003)
    spread = max(np.ptp(row["excess"]["0.003"]) for row in blocks.values())
    assert means["RMSNorm, SwiGLU"] - means["LayerNorm, ReLU"] < spread  # "but the seeds differ"


def test_build_a_gpt():
    measured = fable_tests.stored()
    assert all(row["right"] == 1 for rule, row in measured["rules"].items() if "4" not in rule)
    assert all(row["ended"] == 1 for row in measured["written"].values())
    gap = measured["loss"] - measured["loss_of_grammar"]
    assert f"{np.log(2) / measured['words_of_a_fable']:.3f}" == f"{gap:.3f}"  # "as the whole gap"


def test_sinks():
    for gate in ("gate", "gate at 0.003"):  # "at each rate one of three seeds"
        assert (lost(gate) > 0.1).sum() == 1
    gates = sorted(lost("gate"))
    assert gates[1] < 0.01 < 0.17 < gates[2] < 0.18  # in the quiz
    assert lost("sink from 4").max() < 0.001  # "loses nothing, in any seed"
    slow = [lost(f"sink from {start} at 0.003") for start in (0, 4)]
    assert slow[0].min() > 1 > 0.01 > slow[1].max()  # "differ as they do here"
    assert lost("plain", CACHES[2]).max() < 0.001  # "the loss is as before"


def test_learning_rates():
    rates = load("qk_norm")
    assert (rates["normalised"].at(3.0) < LEARNED).sum() == 2  # "fails as well, in two of three"
    assert verdict("qk_norm").when == ("learning rate 1", "learning rate 1, steps 1800")
    assert rates["normalised, longer"].array.min() > 0.99
    assert rates["plain: largest score"].at(1.0).min() > 20_000  # "tens of thousands"
    for kind in qk_norm.KINDS:  # "up to a rate of 0.1 all three learn", "at 10 no model learns"
        assert min(rates[kind].at(rate).min() for rate in (0.003, 0.01, 0.03, 0.1)) > 0.99
        assert rates[kind].at(10.0).max() < 0.15
    assert min(rates["normalised"].at(rate).min() for rate in qk_norm.RATES if rate <= 1) > 0.99


def test_longer_texts():
    stored = load("longer_texts")
    after = [stored.mean(f"{way}: far, trained on", 50) for way in longer_texts.WAYS]
    assert after[0] == min(after[0], *after[2:])  # the unscaled model is the last to get there
    assert all(stored[f"{way}: far, trained on"].at(200).min() > 0.99 for way in longer_texts.WAYS)
    near = [stored["linear: near"].at(n) - stored["linear: far"].at(n) for n in (64, 128)]
    assert np.abs(near).max() < 0.05  # "of the near values it finds as few"


def test_memory():
    stored, wide = load("forgetting"), [forgetting.named(kind, 32) for kind in forgetting.KINDS]
    assert all((stored[kind].array == 1).all() for kind in wide)  # "answer everything"
    assert min(stored[f"{kind}: second text"].at(8).min() for kind in wide[1:]) > 0.99
    mixes = load("layer_mixes")
    for mix in ("1 local : 1 global", "5 local : 1 global"):
        assert mixes[mix].array.min() > 0.999  # "find every value"
    assert mixes["all global"].array[1:].min() > 0.999
    local = mixes["all local"]
    assert local.at(3).min() > 0.96
    assert max(local.at(31).max(), local.at(61).max()) < 1 / 16 + 0.01  # "they guess"
    for name in ("state of 32 features", "softmax"):
        assert load("linear_recall")[name].array.min() > 0.99


def test_speech():
    stored, models = load("speech"), ("content and place", "content only")
    letters, aligned = (stored[f"content and place: {of}"].at(8) for of in ("letters", "aligned"))
    assert letters.argmax() == aligned.argmin() == 2  # the third seed
    assert f"{aligned[0]:.2f}" == f"{aligned[1]:.2f}"  # "for two of them"
    assert stored["content and place: forward"].at(8).min() > 0.95
    # "One of six at 8 and 12 letters, none beyond", in evidence, too.
    learned = [
        sum((stored[f"{model}: letters"].at(n) >= LEARNED).sum() for model in models)
        for n in (8, 12, 16, 24)
    ]
    assert learned == [1, 1, 0, 0]


def test_interpretation():
    stored, two = load("sentiment"), "attention in two layers"
    weight = stored[f"{two}: weight on the adjective"].at(8)
    assert f"{weight[1]:.2f}" == f"{weight[2]:.2f}"
    changes = [stored[f"{two}: changes without {at}"].at(8) for at in (
        "not at the adjective", "not elsewhere", "another word")]  # fmt: skip
    assert (changes[0] > 0.9).tolist() == [False, True, True]
    assert (changes[1] > 0.9).tolist() == [True, False, False]
    assert changes[2].max() < 0.02
    swap = load("swap")
    english, words, source = (swap[f"Transformer: {of}"].at(2).round(1).tolist() for of in (
        "weight on the English subject", "subject swapped, words only",
        "subject swapped, source only"))  # fmt: skip
    assert english == [0, 0, 1]
    assert (words, source) == ([1, 1, 0], [0, 0, 1])
    assert load("cue")["words alone: weight on the cue"].at(10.0).max() < 1e-4


def test_importance():
    stored, models = load("importance"), ("one layer", "BiGRU", "Transformer")
    agree = {model: stored[f"{model}: largest agree"].array for model in models}
    assert agree["Transformer"][:2].min() > 0.99
    assert 0.3 < agree["one layer"].min() < agree["one layer"].max() < 0.45
    tau = [stored.mean(f"{model}: tau of all words", 4) for model in models]
    assert tau[0] == max(tau)  # where the largest agree least
    for model in models:
        assert stored[f"{model}: right"].array.min() > 0.99
        assert stored[f"{model}: words without effect"].array.min() > 0.5  # "most words"
