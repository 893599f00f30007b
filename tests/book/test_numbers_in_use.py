"""Each number that the two chapters on uses quote is the number in a stored result."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from attnlab.claims import LEARNED
from attnlab.data import glove, minilm_heads
from attnlab.experiments import bottleneck, load, questions, summaries

BOOK = Path(__file__).resolve().parents[2] / "book"
TWO = "attention in two layers"
SPEECH = ("content and place", "content only")


def text(chapter: str) -> str:
    """Return a chapter with every run of blanks as one space."""
    return re.sub(r"\s+", " ", (BOOK / f"{chapter}.md").read_text("utf-8"))


def mean(result: str, curve: str, x: float) -> str:
    return f"{load(result)[curve].at(x).mean():.2f}"


def seeds(result: str, curve: str, x: float) -> list[str]:
    return [f"{value:.2f}" for value in load(result)[curve].at(x)]


def at_work() -> Iterator[str]:
    name = "sentiment"
    yield f"model with one attention is right in {mean(name, 'one attention', 8)} of the reviews"
    yield f"Attention puts {mean(name, 'one attention: weight on the adjective', 8)}"
    yield f"is taken, is right in {mean(name, TWO, 8)} of the reviews of 8 words"
    with_positions = mean(name, "one attention with positions", 8)
    yield f"one attention with positions stays at {with_positions}."
    yield f"in two layers gets worse too, down to {mean(name, TWO, 48)} at 48 words"
    one, plain = (mean(name, model, 48) for model in ("one attention", "mean of the words"))
    yield f"At 48 words it does help: {one} against {plain}."
    yield f"two layers reach {mean(name, f'{TWO}: unseen adjectives', 8)} at 8 words"
    name = "questions"
    unordered = mean(name, "attention without order", 16)
    yield f"{mean(name, 'attention', 16)} against {unordered} at 16 facts"
    yield f"The fixed vector is right in {mean(name, 'fixed vector', 16)} of the questions."
    yield f"even with two facts it is right in only {mean(name, 'fixed vector', 2)}."
    yield f"does no better here ({mean(name, questions.KEEPING, 16)} at 16 facts)"
    yield f"falls to {mean(name, 'attention', 64)} at 64 facts"
    name = "summaries"
    yield f"on topic in {mean(name, 'kept are on topic', 5)} of the cases"
    yield f"choosing at random gives {mean(name, 'at random', 5)}."
    kept = ("first is kept", "another on topic is kept")
    few, many = ([mean(name, curve, strays) for curve in kept] for strays in (1, 5))
    yield "chosen at random would each be kept in 0.33 of the texts"
    assert f"{summaries.KEPT / 6:.2f}" == "0.33"
    yield f"With 5 strays the first sentence is kept in {many[0]} and each other one on topic in"
    yield f"{many[1]}, with one stray in {few[0]} and {few[1]}."
    yield f"divided by a temperature of {summaries.TEMPERATURE},"
    name = "detection"
    yield f"on the right cell in {mean(name, 'found', 4)} of the cases"
    yield f"puts {mean(name, 'largest weight, absent', 4)} on some cell"
    yield from _pictures_and_speech()
    longest = bottleneck.bits(6)
    yield f"a sentence of six phrases is about {longest:.0f} bits, and the vector was trained for"
    yield f"for {load('bottleneck').settings['steps']['vector of 64']} steps."
    with_attention = mean("bottleneck", "attention: sentence", 6)
    yield f"at 6 phrases {with_attention} of the sentences are right with attention"
    yield f"and {mean('bottleneck', 'vector of 64: sentence', 6)} with one vector"
    yield f"Cat and dog, at {glove.load().cosine('cat', 'dog'):.2f}"


def _pictures_and_speech() -> Iterator[str]:
    name = "captions"
    right, located = (seeds(name, f"attention: {p}", 4) for p in ("captions", "looks there"))
    yield f"with 4 glyphs {right[0]} and {right[2]} of their captions are right"
    yield f"The other one stops at {right[1]}"
    yield f"for {located[0]} of the words of the first and for {located[2]} of the words of the"
    yield f"mean of the picture, {mean(name, 'mean of the picture: captions', 4)} are right"
    both, content = ([f"{m}: {p}" for p in ("letters", "forward")] for m in SPEECH)
    name = "speech"
    yield f"{mean(name, both[0], 8)} of the letters are right with content and place"
    yield f"and {mean(name, content[0], 8)} with content only."
    far = " and ".join(mean(name, curves[0], 24) for curves in (both, content))
    yield f"With 24 letters the shares are {far}."
    yield f"so in {mean(name, both[1], 24)} of the steps, whereas"
    yield f"other variant does so in {mean(name, content[1], 24)}."
    aligned = seeds(name, "content and place: aligned", 8)
    assert aligned[0] == aligned[1]
    yield f"For two of them the largest weight is on the right letter in {aligned[0]} of the steps."
    off = seeds(name, "content and place: one letter off", 8)
    yield f"one letter off in {off[2]} of the steps"


def interpretation() -> Iterator[str]:
    name = "real_heads"
    picked, plain, first = (
        [mean(name, f"picked head, {wording}", x) for x in (1, 8)]
        for wording in ("as picked", "plain", "a phrase first")
    )
    yield f"the head is good: {picked[0]} with one phrase, {picked[1]} with eight"
    yield f"chance gives {mean(name, 'chance', 8)}"
    yield f"falls from {plain[0]} to {plain[1]}"
    yield f"falls from {first[0]} to {first[1]}"
    following = [
        minilm_heads.offset(minilm_heads.load(s).weights, 1)[1, 8] for s in minilm_heads.SENTENCES
    ]
    yield f"with {min(following):.2f} to {max(following):.2f} of its weight"
    weight = seeds("sentiment", f"{TWO}: weight on the adjective", 8)
    assert weight[1] == weight[2]
    yield f"differ as well, {weight[0]} against {weight[1]}, at nearly equal accuracy"
    yield f"right in {mean('cue', 'BiGRU: accuracy', 10.0)} of the cases"
    yield f"with {mean('cue', 'BiGRU: weight on the cue', 10.0)} of its weight on the deciding"
    yield f"and accuracy falls to {mean('cue', 'words alone: accuracy', 10.0)}, no better than"
    on_cue = mean("cue", "words alone: weight on the cue", 0.1)
    yield f"with {on_cue} on the word the model is still"
    yield f"still right in {mean('cue', 'words alone: accuracy', 0.1)}, and so is one"
    french = seeds("swap", "Transformer: weight on the French subject", 2)
    english = seeds("swap", "Transformer: weight on the English subject", 2)
    yield f"self-attention gives the French subject {french[0]} and {french[1]}. The third seed"
    yield f"looks at the English one, with {english[2]}."
    name = "BiGRU with attention"
    subject = mean("swap", f"{name}: weight on the English subject", 2)
    verb = mean("swap", f"{name}: weight on the verb", 2)
    yield f"with a weight on it of {subject} and of {verb} on the verb"
    rest = mean("swap", f"{name}: all but the vector of the verb swapped", 2)
    yield f"everything else in the encoder's output turns {rest} of them"
    yield from importance()


def importance() -> Iterator[str]:
    name, models = "importance", ("one layer", "BiGRU", "Transformer")
    agree = {model: sorted(seeds(name, f"{model}: largest agree", 4)) for model in models}
    assert agree["Transformer"][1:] == ["1.00", "1.00"]
    yield f"in the third in {agree['Transformer'][0]} of the sentences with 4 phrases"
    yield f"Recurrent translators come near, from {agree['BiGRU'][0]} to {agree['BiGRU'][-1]}."
    taus = [mean(name, f"{model}: tau of all words", 4) for model in models]
    recurrent = f"{taus[1]} for the recurrent translators"
    yield f"it is {taus[0]} for the single layer, {recurrent} and {taus[2]}"
    without = sorted(mean(name, f"{model}: words without effect", 4) for model in models)
    yield f"most words, from {without[0]} to {without[-1]} of them"


QUOTED = {"at-work": at_work, "interpretation": interpretation}


@pytest.mark.parametrize("chapter", QUOTED)
def test_quoted_numbers_are_the_measured_ones(chapter: str) -> None:
    said = text(chapter)
    assert [quote for quote in QUOTED[chapter]() if quote not in said] == []


def test_what_interpretation_says_of_the_real_heads() -> None:
    apple = minilm_heads.load("apple")
    row = apple.head(4, 2)[apple.tokens.index("picked")]
    assert apple.tokens[int(row.argmax())] == "apple"
    assert 0.51 < row.max() < 0.525
    link = apple.between("picked", "apple")
    assert link.mean() < 1 / len(apple.tokens)
    for name in minilm_heads.SENTENCES:
        weights = minilm_heads.load(name).weights
        assert f"{minilm_heads.offset(weights, -1)[0, 2]:.3f}" == "1.000"
        assert (weights[..., 0].mean(axis=(1, 2))[1:5] > 0.45).all()


def test_what_interpretation_says_of_each_seed() -> None:
    stored = load("sentiment")
    at_adjective = stored[f"{TWO}: changes without not at the adjective"].at(8)
    elsewhere = stored[f"{TWO}: changes without not elsewhere"].at(8)
    np.testing.assert_array_equal(at_adjective > 0.9, [False, True, True])
    np.testing.assert_array_equal(elsewhere > 0.9, [True, False, False])
    assert stored[f"{TWO}: changes without another word"].at(8).max() < 0.02
    assert stored[f"{TWO}: weight on not"].at(8).max() < 0.05
    assert stored[TWO].at(8).min() > 0.95


def test_what_interpretation_says_of_swaps() -> None:
    stored = load("swap")
    assert stored["Transformer: subject swapped"].at(2).min() == 1
    assert stored["Transformer: attractor swapped"].at(2).max() == 0
    english = stored["Transformer: weight on the English subject"].at(2)
    np.testing.assert_array_equal(english > 0.9, [False, False, True])
    assert english[:2].max() < 0.01
    words = stored["Transformer: subject swapped, words only"].at(2)
    source = stored["Transformer: subject swapped, source only"].at(2)
    np.testing.assert_allclose(words, [1, 1, 0], atol=0.005)
    np.testing.assert_allclose(source, [0, 0, 1], atol=0.005)
    assert stored["BiGRU with attention: subject swapped"].at(2).min() == 1
    assert stored["BiGRU with attention: vector of the verb swapped"].at(2).max() == 0


def test_the_two_maps_of_interpretation_show_what_their_captions_say() -> None:
    pytest.importorskip("torch")
    from attnlab.data.grammar import Grammar
    from attnlab.experiments import swap

    pair = Grammar("french").sentence("apple", "under tree", "behind house", "picked")
    rows = swap.participle_rows(pair, seed=1)
    said = text("interpretation")
    assert "heads 1 and 3 look at la pomme" in said
    np.testing.assert_array_equal(rows["self"][:, 1] > 0.5, [True, False, True, False])
    assert "no head looks at the apple" in said
    assert rows["cross"][:, 0].max() < 0.01


def test_the_penalty_takes_the_weight_away_and_with_it_the_accuracy() -> None:
    """0.51 is an accuracy; the weight itself goes to 0."""
    stored = load("cue")
    assert stored["words alone: weight on the cue"].at(10.0).max() < 1e-4
    assert abs(stored["words alone: accuracy"].at(10.0) - 0.5).max() < 0.03
    assert stored["words alone, uniform: accuracy"].at(0.0).min() == 1
    for chapter in ("interpretation", "evidence"):
        assert "the strongest penalty removes the weight as well" in text(chapter)
        assert "cannot go to 0" not in text(chapter)


def test_heads_of_the_first_layer_are_broad() -> None:
    assert "in layer 1, and some in layer 6, spread their weights" in text("interpretation")
    largest = minilm_heads.load("cat").weights.max(axis=-1).mean(axis=-1)  # (6, 12)
    assert (largest[0] < 0.5).sum() >= 10
    assert 6 <= (largest[5] < 0.5).sum() < 12


def test_what_at_work_says_of_the_third_seed_of_speech() -> None:
    stored = load("speech")
    letters = stored["content and place: letters"].at(8)
    aligned = stored["content and place: aligned"].at(8)
    assert letters.argmax() == aligned.argmin() == 2
    assert aligned[2] < 0.3


def test_importance_is_noise_where_words_have_no_effect() -> None:
    stored = load("importance")
    models = ("one layer", "BiGRU", "Transformer")
    tau, agree = (
        {model: stored[f"{model}: {part}"].at(4).mean() for model in models}
        for part in ("tau of all words", "largest agree")
    )
    assert max(tau, key=tau.__getitem__) == min(agree, key=agree.__getitem__) == "one layer"
    assert stored["Transformer: largest agree"].array[:2].min() > 0.99
    assert stored["one layer: largest agree"].array.min() > 0.3
    assert stored["one layer: largest agree"].array.max() < 0.45
    for model in models:
        assert stored[f"{model}: right"].array.min() > 0.99
        assert stored[f"{model}: words without effect"].array.min() > 0.5


def test_what_at_work_says_of_running_along_the_signal() -> None:
    stored = load("speech")
    assert stored["content and place: forward"].at(8).min() > 0.95


def test_few_models_of_speech_have_learned_their_task() -> None:
    """What at-work and evidence say: one of six at 8 and 12 letters, none beyond."""
    stored = load("speech")
    letters = {n: [stored[f"{model}: letters"].at(n) for model in SPEECH] for n in (8, 12, 16, 24)}
    learned = {n: int((np.concatenate(of) >= LEARNED).sum()) for n, of in letters.items()}
    assert learned == {8: 1, 12: 1, 16: 0, 24: 0}


def test_the_query_for_an_absent_glyph_finds_cells_without_any() -> None:
    """What the feedback on a prediction says of this picture."""
    torch = pytest.importorskip("torch")
    from attnlab.data import glyphs
    from attnlab.experiments import detection

    drawn = glyphs.draw(np.random.default_rng(3), batch=1, num_glyphs=4)
    model = detection.train(seed=0)
    with torch.no_grad():
        _, weights = model.forward_with_weights(torch.from_numpy(drawn.cells))
    names = {glyphs.NAMES[number] for number in drawn.glyphs[0]}
    assert names == {"bar", "ring", "arch", "diamond"}
    cross = weights[0, glyphs.NAMES.index("cross")].numpy()
    assert cross.max() > 3 / 16
    assert not {*cross.argsort()[-3:]} & {*drawn.places[0]}


def test_the_verb_of_the_one_layer_matters_and_has_next_to_no_weight() -> None:
    torch = pytest.importorskip("torch")
    from attnlab.data.grammar import Grammar
    from attnlab.experiments import importance
    from attnlab.models import training

    model = importance.model_of("one layer", 0)
    tokens = training.tensor(training.held_out(Grammar("french"), 4, 100).tokens)
    changes = importance.effects(
        lambda: torch.softmax(model(tokens).double(), -1), model.embed, tokens.shape[1]
    ).mean(axis=0)
    with torch.no_grad():
        weights = model.forward_with_weights(tokens)[1][:, 0].mean(dim=0)
    assert changes[-1] > changes[0] > 0.3
    assert changes[1:-1].max() < 0.01
    assert weights[-1] < 0.01
