"""Compare what a masked model and a model of the next token learn of the same text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from attnlab.claims import LEARNED, MAJORITY, NEAR_CHANCE, Claim, Trial, each_seed
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result, curves_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from torch import Tensor

    from attn.torch import Transformer
    from attnlab.models.text_models import Text

CLAIM = Claim(
    chapter="gpt-and-bert",
    sentence="A model of the next token cannot use what comes after a gap, and a masked model "
    "cannot write.",
    source="Often said of GPT and BERT. Devlin et al. (2019), section 1, say that a model which "
    "reads from left to right is restricted to the tokens before.",
    refuted_by="A model of the next token that finds the gender which only a later word shows; or "
    "a masked model most of whose sentences are right.",
    seconds=200,
    knobs={
        "phrases": 2,
        "start": "as attn.torch starts it",
        "learning rate": 0.005,
        "steps": 5000,
        "width": 32,
        "hidden in training": 0.15,
        "order of writing": "from left to right",
    },
)
PHRASES = (0, 1, 2, 3)
CHANCE = 0.5
#: Tokens that a model of the next token may write before it must have ended its sentence.
LONGEST = 16


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train both models with every seed, and let each fill gaps and write on."""
    from attnlab.models import text_models, training

    watch = training.Stopwatch()
    size, steps = (20, 20) if quick else (200, text_models.STEPS)
    text = text_models.Text()
    curves: dict[str, Curve] = {}
    for objective in text_models.OBJECTIVES:
        models = [text_models.train(objective, seed, steps) for seed in seeds]
        measures = [[measure(model, text, n, size) for n in PHRASES] for model in models]
        curves |= curves_of(PHRASES, measures, prefix=f"{objective}: ")
    settings = {
        "layers": text_models.LAYERS,
        "steps": steps,
        "hidden in training": text_models.HIDDEN,
        "test sentences": size,
        "quick": quick,
    }
    return Result(curves, list(seeds), settings, watch.seconds)


def measure(model: Transformer, text: Text, num_phrases: int, size: int) -> dict[str, float]:
    """Return shares from 0 to 1.

    "subject", "participle": the probability of a word with the right gender in a gap there;
    "every filling": the same at the subject, when each word is tried in the whole sentence (models
    of the next token only); "writing": the share of sentences of the grammar among those written
    after a subject.
    """
    import torch

    from attnlab.models.text_models import SUBJECT, at_gap, by_whole_sentences

    tokens = text.sample(np.random.default_rng((num_phrases, 3)), size, num_phrases)
    genders = torch.from_numpy(text.genders())
    participle = tokens.shape[1] - 2
    wanted = genders[tokens[:, participle]]  # of the subject, and so of the participle

    def right(probabilities: Tensor) -> float:
        return float((probabilities * (genders == wanted[:, None])).sum(-1).mean())

    measures = {
        "subject": right(at_gap(model, tokens, SUBJECT, text.gap)),
        "participle": right(at_gap(model, tokens, participle, text.gap)),
        "writing": _writing(model, text, tokens),
    }
    if model.encoder is None:
        measures["every filling"] = right(by_whole_sentences(model, tokens, SUBJECT))
    return measures


def _writing(model: Transformer, text: Text, tokens: Tensor) -> float:
    """Return the share of sentences of the grammar among those that begin with a subject."""
    import torch

    from attnlab.models.text_models import SUBJECT, write_on

    length = tokens.shape[1] if model.encoder is not None else LONGEST
    generator = torch.Generator().manual_seed(0)
    written = write_on(model, tokens[:, : SUBJECT + 1], length, text.gap, generator).numpy()
    end = text.grammar.END
    cut = [row[: list(row).index(end) + 1] if end in row else row for row in written]
    return float(np.mean([text.is_sentence(row) for row in cut]))


def trials(result: Result) -> list[Trial]:
    """Test what each model is said to be unable to do, with each number of phrases."""
    blind, tests = CHANCE + NEAR_CHANCE, []
    for phrases in PHRASES:
        at = {name: curve.at(phrases) for name, curve in result.curves.items()}
        learned = np.minimum(at["masked: participle"], at["next token: participle"]) >= LEARNED
        unable = {
            "a gap, in one pass": at["next token: subject"] <= blind,
            "a gap, every word tried": at["next token: every filling"] <= blind,
            "writing, told the length": at["masked: writing"] < MAJORITY,
        }
        for what, agrees in unable.items():
            tests += each_seed(agrees, what, learned, {"phrases": phrases})
    return tests


def because(result: Result) -> str:
    """Return what each model makes of the gap, and how it writes."""
    at = {name: curve.at(2).mean() for name, curve in result.curves.items()}
    return (
        f"Where the subject is hidden and a later participle shows its gender, the masked model "
        f"gives nouns of that gender a probability of {at['masked: subject']:.2f}, and the model "
        f"of the next token {at['next token: subject']:.2f}, which is chance. If every word is "
        f"tried in the gap and the whole sentences are compared, the latter gives "
        f"{at['next token: every filling']:.2f}: it has learned the connection, but one pass from "
        f"left to right cannot use it. Of the sentences that it writes, "
        f"{at['next token: writing']:.2f} are right. The masked model, told the length and filling "
        f"gaps from left to right, gets {at['masked: writing']:.2f} right: nothing is left of "
        f"“cannot write”."
    )


def figure(result: Result) -> Figure:
    """Return a figure of the gender given to a hidden subject."""
    return plot_curves(
        {
            "masked": result["masked: subject"],
            "next token, every word tried": result["next token: every filling"],
            "next token": result["next token: subject"],
        },
        accent="masked",
        x_label="phrases in the sentence",
        y_label="right gender in the gap",
    )
