"""Swap a noun for one of the other gender, and test whose gender the participle follows.

And where are the weights meanwhile, in all attentions of the decoder? The two answers need not
agree.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from attnlab.claims import LEARNED, MAJORITY, Claim, Trial, each_seed
from attnlab.data.grammar import Grammar, Sentences, Tokens
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result, curves_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from torch import Tensor, nn

CLAIM = Claim(
    chapter="interpretation",
    sentence="At the participle a translator looks at the noun whose gender the participle takes.",
    source="The usual picture of attention: from ramassée back to pomme.",
    refuted_by="A model whose participle follows the subject's gender in nearly every sentence, "
    "and in which no head of any attention of its decoder gives the subject, English or French, "
    "more than half of its weight while the participle is written.",
    seconds=80,
    knobs={
        "start": "as PyTorch starts it",
        "learning rate": "0.003 for the Transformer, 0.005 for the BiGRU",
        "steps": 2000,
        "width": 64,
        "phrases in training": "0 to 6",
        "test nouns": "those of training, in other sentences",
    },
)
PHRASES = (1, 2, 3, 4, 5, 6)
MODELS = {"Transformer": "Transformer", "attention": "BiGRU with attention"}

log = logging.getLogger(__name__)


def swapped(test: Sentences, grammar: Grammar, at: int, source: bool, words: bool) -> Sentences:
    """Return the sentences with noun ``at`` (0: the subject) replaced by one of the other gender.

    Parameters
    ----------
    test : Sentences
    grammar : Grammar
    at : int
        0 for the subject, 1 for the noun of the first phrase, …
    source, words : bool
        Whether to replace it in the English sentence, and in the French words. The participle and
        the auxiliary stay as they are.
    """
    rng = np.random.default_rng((at, 3))
    old = test.tokens[:, 2 * at]
    genders = [np.flatnonzero(grammar.feminine == gender) for gender in (True, False)]
    new = np.where(
        grammar.feminine[old],
        rng.choice(genders[1], size=len(old)),
        rng.choice(genders[0], size=len(old)),
    )
    tokens, target = test.tokens.copy(), test.target.copy()
    if source:
        tokens[:, 2 * at] = new
    if words:
        target[:, 2 * at] = new + grammar.FIRST_NOUN
    return replace(test, tokens=tokens, target=target)


def written_gender(model: nn.Module, test: Sentences, grammar: Grammar, forced: bool) -> Tokens:
    """Return the gender of each participle: 0 masculine, 1 feminine, 2 where there is none.

    With ``forced`` the model writes it after the words of ``test.target``, else after its own.
    """
    import torch

    from attnlab.models import training, translators

    tokens, target = training.tensor(test.tokens), training.tensor(test.target)
    with torch.no_grad():
        if not forced:
            target = translators.translate(model, tokens, target.shape[1])
        return _gender(model(tokens, target), grammar)


def flips(
    model: nn.Module,
    test: Sentences,
    at: int,
    *,
    source: bool = True,
    words: bool = False,
    forced: bool = False,
) -> float:
    """Return the share of sentences whose participle changes its gender with noun ``at``."""
    grammar = Grammar("french")
    before = written_gender(model, test, grammar, forced)
    after = written_gender(model, swapped(test, grammar, at, source, words), grammar, forced)
    return float((before != after).mean())


def weights_at_participle(model: Any, test: Sentences) -> dict[str, float]:
    """Return the mean weights on subject and verb while the participle is written.

    Cross-attention reads the English words; self-attention, where the decoder has it, the French
    ones. With several heads, the largest head's weight counts.
    """
    import torch

    from attnlab.models import training

    with torch.no_grad():
        weights = model.attentions(training.tensor(test.tokens), training.tensor(test.target))
    at = {name: kind[:, :, -2].mean(dim=0) for name, kind in weights.items()}  # (heads, num_keys)
    weight_on = {
        "weight on the English subject": float(at["cross"][:, 0].max()),
        "weight on the verb": float(at["cross"][:, -1].max()),
    }
    if "self" in at:  # before the first French word stands the mark for the beginning
        weight_on["weight on the French subject"] = float(at["self"][:, 1].max())
    return weight_on


def participle_rows(pair: Sentences, seed: int) -> dict[str, NDArray[np.float32]]:
    """Return the weights of a Transformer's heads while it writes the participle of one sentence.

    "self" has a column for the mark of the beginning and for each French word before, "cross" one
    for each English word; both have a row for each head.
    """
    import torch

    from attnlab.models import checkpoints, training

    model: Any = checkpoints.translator("Transformer", seed)
    with torch.no_grad():
        kinds = model.attentions(training.tensor(pair.tokens), training.tensor(pair.target))
    own, cross = kinds["self"][0, :, -2].numpy(), kinds["cross"][0, :, -2].numpy()
    return {"self": own[:, :-1], "cross": cross}  # the end is not written yet, and masked


def carriers(model: Any, test: Sentences) -> dict[str, float]:
    """Return how often the participle turns with a part of a recurrent encoder's output.

    That part comes from the English sentence with the subject swapped, everything else from the
    original sentence, as do the French words before.
    """
    import torch

    from attnlab.models import training

    grammar = Grammar("french")
    other = swapped(test, grammar, 0, source=True, words=False)
    with torch.no_grad():
        (encoded, start), (new_encoded, new_start) = (
            model.encode(training.tensor(sentences.tokens)) for sentences in (test, other)
        )
        with_verb = torch.cat([encoded[:, :-1], new_encoded[:, -1:]], dim=1)
        but_verb = torch.cat([new_encoded[:, :-1], encoded[:, -1:]], dim=1)
        target = training.tensor(test.target)
        genders = [
            _gender(model.decode(*parts, target)[0], grammar)
            for parts in ((encoded, start), (with_verb, start), (but_verb, new_start))
        ]
    return {
        "vector of the verb swapped": float((genders[1] != genders[0]).mean()),
        "all but the vector of the verb swapped": float((genders[2] != genders[0]).mean()),
    }


def measure(model: Any, test: Sentences) -> dict[str, float]:
    """Return all shares for sentences of one length."""
    last = (test.tokens.shape[1] - 3) // 2
    return {
        "subject swapped": flips(model, test, 0),
        "attractor swapped": flips(model, test, last),
        "subject swapped, source only": flips(model, test, 0, forced=True),
        "subject swapped, words only": flips(model, test, 0, source=False, words=True, forced=True),
        **weights_at_participle(model, test),
        **(carriers(model, test) if hasattr(model, "encode") else {}),
    }


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Swap nouns under the shipped translators, which were trained with seeds 0, 1 and 2.

    ``quick`` takes fewer sentences and lengths: a smoke test, not a result.
    """
    from attnlab.models import checkpoints, training

    watch = training.Stopwatch()
    phrases, size = ((2, 4), 50) if quick else (PHRASES, 500)
    tests = [training.held_out(Grammar("french"), number, size) for number in phrases]
    curves: dict[str, Curve] = {}
    for name, label in MODELS.items():
        models = [checkpoints.translator(name, seed) for seed in seeds]
        with training.one_thread(0):
            measured = [[measure(model, test) for test in tests] for model in models]
        curves |= curves_of(phrases, measured, f"{label}: ")
        log.info("%s", label)
    settings = {"test sentences": size, "quick": quick}
    return Result(curves, list(seeds), settings, watch.seconds)


def trials(result: Result) -> list[Trial]:
    """Test each kind of translator, where its participle follows the subject."""
    return [
        trial
        for label in MODELS.values()
        for x in result[f"{label}: subject swapped"].x
        for trial in each_seed(
            _largest(result, label, x) > MAJORITY,
            label,
            learned=result[f"{label}: subject swapped"].at(x) >= LEARNED,
        )
    ]


def because(result: Result) -> str:
    """Return what turns the participle, and where the weights are meanwhile."""
    return f"{_recurrent(result)} {_direct(result)}"


def figure(result: Result) -> Figure:
    """Return a figure of what swapping the subject changes, and of the largest weight on it."""
    recurrent, direct = MODELS["attention"], MODELS["Transformer"]
    curves = {
        f"{recurrent}: turned": result[f"{recurrent}: subject swapped"],
        f"{recurrent}: weight on the English subject": result[
            f"{recurrent}: weight on the English subject"
        ],
        f"{direct}: weight on the English subject": result[
            f"{direct}: weight on the English subject"
        ],
        f"{direct}: weight on the French subject": result[
            f"{direct}: weight on the French subject"
        ],
    }
    return plot_curves(
        curves,
        accent=f"{recurrent}: turned",
        x_label="phrases in the sentence",
        y_label="share of participles turned, or weight",
    )


def _gender(logits: Tensor, grammar: Grammar) -> Tokens:
    """Return 0, 1 or 2, as `written_gender`, from logits (batch, num_targets, words)."""
    participle = logits[:, -2].argmax(dim=-1).numpy() - grammar.first_participle
    gender: Tokens = np.where(participle >= 0, participle % 2, 2)
    return gender


def _largest(result: Result, label: str, x: float = 4) -> NDArray[np.float64]:
    """Return each seed's largest weight on the subject, in either language."""
    names = [f"{label}: weight on the {language} subject" for language in ("English", "French")]
    return np.max([result[name].at(x) for name in names if name in result.curves], axis=0)


def _recurrent(result: Result) -> str:
    label = MODELS["attention"]
    turned, other, on_verb, by_verb, by_rest = (
        result[f"{label}: {part}"].at(4).mean()
        for part in (
            "subject swapped",
            "attractor swapped",
            "weight on the verb",
            "vector of the verb swapped",
            "all but the vector of the verb swapped",
        )
    )
    return (
        f"Swapping the subject turns {turned:.2f} of the participles of a recurrent translator; "
        f"swapping the last noun before the verb (the attractor) turns {other:.2f}. Yet the "
        f"translator's weight on the subject is at most {_largest(result, label).max():.2f}, and "
        f"on the verb {on_verb:.2f}. Nor is the gender taken from the verb's vector: swapped "
        f"alone, it turns {by_verb:.2f} of the participles; everything else in the encoder's "
        f"output turns {by_rest:.2f}."
    )


def _direct(result: Result) -> str:
    label = MODELS["Transformer"]
    french, english, words, source = (
        _each(result[f"{label}: {part}"].at(4))
        for part in (
            "weight on the French subject",
            "weight on the English subject",
            "subject swapped, words only",
            "subject swapped, source only",
        )
    )
    return (
        f"In every seed a Transformer looks at the noun that the gender comes from. Seed by seed, "
        f"self-attention gives the French subject {french} of its weight, and swapping it in "
        f"French alone turns {words} of the participles; cross-attention gives the English subject "
        f"{english}, and swapping it in English alone turns {source}."
    )


def _each(values: NDArray[np.float64]) -> str:
    return ", ".join(f"{value:.2f}" for value in values)
