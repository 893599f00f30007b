"""Test whether a trained model's head attends from participle to subject in new sentences.

The head was picked on one sentence, where its largest weight from *picked* is on *apple*. One
sentence shows nothing about the next. Here are others, in the same wording and in two plainer ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from attnlab.claims import NEARLY_ALWAYS, Claim, Trial, each_seed
from attnlab.data import lexicon
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from attnlab.models.minilm import Reader

CLAIM = Claim(
    chapter="interpretation",
    sentence="A head that looks from the participle to its subject in one sentence does so in "
    "others, however far the subject stands.",
    source="Pictures of single heads on single sentences, in many texts on attention.",
    refuted_by="At any distance, more than a tenth of fresh sentences in which that head does not "
    "prefer the subject to all other nouns.",
    seconds=150,
    knobs={
        "model": "all-MiniLM-L6-v2",
        "head": "layer 4, head 2",
        "compared with": "all other nouns of the sentence",
    },
)
#: The head that was picked, counted from 0: layer 4, head 2 in the words of the book.
LAYER, HEAD = 3, 1
PHRASES = (1, 3, 5, 8)
PREPOSITIONS = ("on", "in", "under", "near", "behind", "beside")
#: Wording: the sentence, made of the subject, phrases (one may stand in front) and the participle.
WORDINGS = {
    "as picked": "the {subject} that had been {phrases} for weeks had finally been {participle}.",
    "plain": "the {subject} {phrases} had been {participle}.",
    "a phrase first": "{front} the {subject} {phrases} had been {participle}.",
}


def sentence(rng: np.random.Generator, wording: str, num_phrases: int) -> tuple[str, list[str]]:
    """Return a sentence, and its participle, subject and other nouns.

    Examples
    --------
    >>> text, words = sentence(np.random.default_rng(0), "a phrase first", num_phrases=2)
    >>> text
    'on the notebook the glass on the tree had been picked.'
    >>> words
    ['picked', 'glass', 'tree', 'notebook']
    """
    known = [noun.english for noun in lexicon.nouns("french")]
    nouns = [str(noun) for noun in rng.choice(known, num_phrases + 1, replace=False)]
    phrases = [f"{rng.choice(PREPOSITIONS)} the {noun}" for noun in nouns[1:]]
    participle = str(rng.choice([verb.english for verb in lexicon.verbs("french")]))
    pattern = WORDINGS[wording]
    text = pattern.format(
        subject=nouns[0],
        front=phrases[-1],
        phrases=" ".join(phrases[:-1] if "{front}" in pattern else phrases),
        participle=participle,
    )
    return " ".join(text.split()), [participle, *nouns]


def prefers_subject(reader: Reader, text: str, words: Sequence[str]) -> NDArray[np.bool_]:
    """Return for every head whether the participle's weight on the subject is above those on the
    other nouns, shape (num_layers, num_heads). ``words`` is as `sentence` returns it.
    """
    tokens, weights = reader.weights(text)
    participle, *nouns = (tokens.index(word) for word in words)
    best: NDArray[np.bool_] = weights[:, :, participle, nouns].argmax(axis=-1) == 0
    return best


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Measure the picked head, and all 72 on average, over the number of phrases.

    Needs the weights: see `minilm`. ``quick`` takes few sentences: a smoke test, not a result.
    """
    from attnlab.models.minilm import Reader
    from attnlab.models.training import Stopwatch

    watch, reader = Stopwatch(), Reader()
    phrases, number = ((1, 3), 5) if quick else (PHRASES, 100)
    curves = {}
    for wording in WORDINGS:
        shares = np.array(
            [[_share(reader, seed, wording, n, number) for n in phrases] for seed in seeds]
        )  # (seeds, phrases, layers, heads)
        curves[f"picked head, {wording}"] = Curve(phrases, shares[..., LAYER, HEAD].tolist())
        mean = shares.mean(axis=(-2, -1)).round(4)
        curves[f"mean of all heads, {wording}"] = Curve(phrases, mean.tolist())
    chance = [[round(1 / (n + 1), 4) for n in phrases]] * len(seeds)
    curves["chance"] = Curve(phrases, chance)
    settings = {"layer": LAYER + 1, "head": HEAD + 1, "sentences": number, "quick": quick}
    return Result(curves, list(seeds), settings, watch.seconds)


def trials(result: Result) -> list[Trial]:
    """Test the picked head in each wording, at every distance."""
    return [
        trial
        for wording in WORDINGS
        for trial in each_seed(
            (result[f"picked head, {wording}"].array >= NEARLY_ALWAYS).all(axis=1), wording
        )
    ]


def because(result: Result) -> str:
    """Return how often the head prefers the subject, near and far."""
    near, far = PHRASES[0], PHRASES[-1]
    picked = result["picked head, as picked"]
    plain, first = (result[f"picked head, {name}"] for name in ("plain", "a phrase first"))
    return (
        "One head of one model was tested, on three draws of sentences. "
        "In fresh sentences worded like the first one, the picked head prefers the subject in "
        f"{picked.at(near).mean():.2f} of the cases with {near} phrase and in "
        f"{picked.at(far).mean():.2f} with {far}; in a plainer wording in "
        f"{plain.at(near).mean():.2f} and {plain.at(far).mean():.2f}; with a phrase before the "
        f"subject in {first.at(near).mean():.2f} and {first.at(far).mean():.2f}. Chance: "
        f"{result['chance'].at(near).mean():.2f} and {result['chance'].at(far).mean():.2f}."
    )


def figure(result: Result) -> Figure:
    """Return a figure of how often the subject is first among the nouns."""
    names = {
        "same wording as picked": "picked head, as picked",
        "plain": "picked head, plain",
        "a phrase before the subject": "picked head, a phrase first",
        "chance": "chance",
    }
    return plot_curves(
        {label: result[name] for label, name in names.items()},
        accent="same wording as picked",
        x_label="phrases in the sentence",
        y_label="subject is first among the nouns",
    )


def _share(
    reader: Reader, seed: int, wording: str, num_phrases: int, number: int
) -> NDArray[np.float64]:
    """Return for every head the share of sentences in which it prefers the subject."""
    rng = np.random.default_rng((seed, num_phrases))
    drawn = [sentence(rng, wording, num_phrases) for _ in range(number)]
    return np.mean([prefers_subject(reader, *one) for one in drawn], axis=0)
