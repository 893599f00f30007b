"""Summarise texts by selecting the sentences that say what a text is about.

The query is the mean of all sentences' vectors, which are the keys; the sentences with the largest
weights are kept. Nothing is trained here: the vectors come from a real model, see
`documents`. A text is one document, shuffled with sentences of other documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from attn import attention_weights
from attnlab.claims import MAJORITY, NEARLY_ALWAYS, Claim, Knobs, Trial, each_seed
from attnlab.data import documents
from attnlab.drawing import plot_curves
from attnlab.results import Result, curves_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CLAIM = Claim(
    chapter="at-work",
    sentence="Attention identifies the most important sentences of a document.",
    source="Lists of applications in many texts on attention.",
    refuted_by="Strays among the kept sentences in more than a tenth of the cases; or a first "
    "sentence, which says what its document is about, that is left out more often than kept.",
    seconds=5,
    knobs={"sentences kept": 2, "query": "the mean of all sentences", "sentences from": "MiniLM"},
)
STRAYS = (1, 2, 3, 4, 5)
KEPT, FEWER = 2, 1
#: Divides the cosines; a smaller one peaks the weights and changes no order.
TEMPERATURE = 0.1


class Mixed(NamedTuple):
    """A text of one document and strays.

    Parameters
    ----------
    sentences : list of str
    vectors : array, shape (num_sentences, 384)
    stray : array of bool, shape (num_sentences,)
    first : int
        Where the document's first sentence stands.
    """

    sentences: list[str]
    vectors: NDArray[np.float32]
    stray: NDArray[np.bool_]
    first: int


def mix(rng: np.random.Generator, num_strays: int) -> Mixed:
    """Return a random document with strays, each from another document, in random order."""
    vectors, texts = documents.load(), list(documents.DOCUMENTS.values())
    topic, *others = rng.permutation(len(texts))
    chosen = [(topic, number) for number in range(len(texts[topic]))]
    chosen += [(other, int(rng.integers(len(texts[other])))) for other in others[:num_strays]]
    order = rng.permutation(len(chosen))
    chosen = [chosen[i] for i in order]
    return Mixed(
        [texts[document][number] for document, number in chosen],
        np.stack([vectors[one] for one in chosen]),
        np.array([document != topic for document, _ in chosen]),
        chosen.index((topic, 0)),
    )


def weights(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return each sentence's weight in the attention of the whole text, shape (num_sentences,)."""
    query = vectors.mean(axis=0, keepdims=True)
    weights: NDArray[np.float32] = attention_weights(query, vectors, scale=1 / TEMPERATURE)
    return weights[0]


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Draw texts with every seed; count strays and first sentences among those that are kept.

    ``quick`` draws few texts: a smoke test, not a result.
    """
    from attnlab.models.training import Stopwatch

    watch = Stopwatch()
    strays, number = ((1, 5), 20) if quick else (STRAYS, 200)
    measured = [[_measure(seed, count, number) for count in strays] for seed in seeds]
    curves = curves_of(strays, measured)
    fewer = [[_measure(seed, count, number, FEWER) for count in strays] for seed in seeds]
    curves |= curves_of(strays, fewer, "one kept: ")
    settings = {"kept": KEPT, "texts": number, "quick": quick}
    return Result(curves, list(seeds), settings, watch.seconds)


def trials(result: Result) -> list[Trial]:
    """Test whether strays are left out and the sentence that states the topic is kept."""
    settings: dict[str, Knobs] = {"": {}, "one kept: ": {"sentences kept": FEWER}}
    return [
        trial
        for prefix, at in settings.items()
        for strays in result["kept are on topic"].x
        for trial in each_seed(
            (result[f"{prefix}kept are on topic"].at(strays) >= NEARLY_ALWAYS)
            & (result[f"{prefix}first is kept"].at(strays) > MAJORITY),
            f"{strays} stray{'s' * (strays > 1)}",
            at=at,
        )
    ]


def because(result: Result) -> str:
    """Return which sentences are kept."""
    few, most = STRAYS[0], STRAYS[-1]
    topic, chance = result["kept are on topic"].at(most), result["at random"].at(most)
    first, other = (
        [result[name].at(strays).mean() for strays in (few, most)]
        for name in ("first is kept", "another on topic is kept")
    )
    return (
        f"With {most} strays among 6 sentences of a topic, {topic.mean():.2f} of the kept ones are "
        f"on topic; at random it would be {chance.mean():.2f}. Near the mean is not the same as "
        f"important: the sentence that says what the text is about is kept in {first[1]:.2f} of "
        f"these texts, and each other one on topic in {other[1]:.2f}; with {few} stray, in "
        f"{first[0]:.2f} and {other[0]:.2f}. If two of six sentences were kept at random, it would "
        f"be {KEPT / 6:.2f}."
    )


def figure(result: Result) -> Figure:
    """Return a figure of which sentences are kept."""
    names = ("kept are on topic", "at random", "first is kept", "another on topic is kept")
    return plot_curves(
        {name: result[name] for name in names},
        accent="kept are on topic",
        x_label="strays among six sentences of a topic",
        y_label="share",
    )


def _measure(seed: int, num_strays: int, number: int, num_kept: int = KEPT) -> dict[str, float]:
    rng = np.random.default_rng((seed, num_strays))
    texts = [mix(rng, num_strays) for _ in range(number)]
    kept = [np.argsort(-weights(text.vectors))[:num_kept] for text in texts]
    length = len(texts[0].sentences)
    others = length - num_strays - 1  # sentences on topic beside the first
    topic = [1 - text.stray[best].mean() for text, best in zip(texts, kept, strict=True)]
    first = [text.first in best for text, best in zip(texts, kept, strict=True)]
    return {
        "kept are on topic": float(np.mean(topic)),
        "at random": round(1 - num_strays / length, 4),
        "first is kept": float(np.mean(first)),
        # Strays are hardly ever kept, so chance among all sentences would flatter the first one.
        "another on topic is kept": round((num_kept * np.mean(topic) - np.mean(first)) / others, 4),
    }
