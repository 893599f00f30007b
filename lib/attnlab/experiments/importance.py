"""Leave words out, and test whether the word with the most weight has the most effect.

Leaving a word out means that its *source* embedding is 0, or that another word of its kind stands
in its place. A translator writes the participle after the correct French words, so an effect that
goes through those is not seen, and one-word changes do not show what two words do together.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlab.claims import LEARNED, NEARLY_ALWAYS, Claim, Knobs, Trial, each_seed
from attnlab.data.grammar import Grammar, Sentences
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result, curves_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from torch import Tensor, nn

CLAIM = Claim(
    chapter="interpretation",
    sentence="The weights show how much each word mattered for the answer.",
    source="A common reading of attention maps. Jain and Wallace (2019), section 4.1, tested it by "
    "rank correlations, also with the effect of leaving words out, and mostly found weak ones.",
    refuted_by="A trained model in which the word with the most weight is, in more than a tenth of "
    "the sentences, not the word that changes the answer most when left out.",
    seconds=50,
    knobs={
        "start": "as PyTorch starts it; the embeddings of the one layer with a spread of 0.6",
        "learning rate": "0.003 for the Transformer, 0.005 for the BiGRU and the one layer",
        "steps": "2000 for the translators, 800 for the one layer",
        "width": "64 for the translators, 32 for the one layer",
        "a word is left out by": "an embedding of 0",
        "heads": "averaged",
    },
)
PHRASES = (2, 4, 6)
MODELS = ("one layer", "BiGRU", "Transformer")
#: Words that move the answer less, in total variation distance, are not ranked.
SOME_EFFECT = 0.01
#: How words are left out: the end of a model's name in the curves, and the knob.
SWAPPED = ", swapped"
WAYS: dict[str, Knobs] = {
    "": {},
    SWAPPED: {"a word is left out by": "another word of its kind, the mean of eight draws"},
}
NUM_DRAWS = 8

Floats = NDArray[np.float64]
log = logging.getLogger(__name__)


def kendall_tau(first: ArrayLike, second: ArrayLike) -> Floats:
    r"""Return Kendall's :math:`\tau_b` of rows: 1 for the same order, -1 for the reverse.

    Parameters
    ----------
    first, second : array_like, shape (..., num_items)

    Returns
    -------
    array, shape (...)
        The pairs of items in the same order minus those in the reverse order, divided by
        :math:`\sqrt{n_1 n_2}`, where n counts the pairs that a row does not tie. 0 where a row ties
        all its items.

    References
    ----------
    Kendall (1945), "The Treatment of Ties in Ranking Problems".

    Examples
    --------
    >>> float(kendall_tau([1, 2, 3], [10, 30, 20]).round(3))
    0.333
    """
    first, second = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    one, other = np.triu_indices(first.shape[-1], 1)
    first_signs = np.sign(first[..., one] - first[..., other])  # (..., num_pairs)
    second_signs = np.sign(second[..., one] - second[..., other])
    untied = (first_signs**2).sum(axis=-1) * (second_signs**2).sum(axis=-1)
    agreed = (first_signs * second_signs).sum(axis=-1)
    return np.where(untied > 0, agreed / np.sqrt(np.maximum(untied, 1)), 0.0)


@contextmanager
def erased(embed: nn.Embedding, position: int, num_tokens: int) -> Iterator[None]:
    """Let ``embed`` return zeros for the token at ``position``, which keeps its position."""

    def erase(_: nn.Module, __: Any, vectors: Tensor) -> Tensor:
        if vectors.ndim == 3:  # (batch, num_tokens, width)
            keep = vectors.new_ones(num_tokens)
            keep[position] = 0
            return vectors * keep[:, None]
        # A model may embed its last token by itself, (batch, width).
        return vectors * float(position != num_tokens - 1)

    hook = embed.register_forward_hook(erase)
    try:
        yield
    finally:
        hook.remove()


def effects(answer: Callable[[], Tensor], embed: nn.Embedding, num_tokens: int) -> Floats:
    """Return how far the answer moves when each token is erased, shape (batch, num_tokens).

    In total variation distance: half the sum of the differences of probabilities, from 0 to 1.
    ``answer`` computes probabilities, shape (batch, num_answers).
    """
    import torch

    with torch.no_grad():
        whole, moved = answer(), []
        for position in range(num_tokens):
            with erased(embed, position, num_tokens):
                moved.append((answer() - whole).abs().sum(dim=-1) / 2)
    return torch.stack(moved, dim=-1).double().numpy()


def effects_of_swaps(answer: Callable[[Tensor], Tensor], tokens: Tensor) -> Floats:
    """Return how far the answer moves on average when each token is drawn anew among its kind.

    In total variation distance, shape (batch, num_tokens). ``answer`` computes probabilities from
    tokens.
    """
    import torch

    grammar, rng = Grammar("french"), np.random.default_rng(5)
    moved = torch.zeros(tokens.shape, dtype=torch.float64)
    with torch.no_grad():
        whole = answer(tokens)
        for position in range(tokens.shape[1]):
            for _ in range(NUM_DRAWS):
                other = tokens.clone()
                words = grammar.redrawn(tokens[:, position].numpy(), rng)
                other[:, position] = torch.from_numpy(words)
                moved[:, position] += (answer(other) - whole).abs().sum(dim=-1) / 2 / NUM_DRAWS
    return moved.numpy()


def agreement(weights: Floats, changes: Floats) -> dict[str, float]:
    """Return how weights and effects agree, on average over sentences.

    Parameters
    ----------
    weights, changes : array, shape (batch, num_tokens)

    Returns
    -------
    dict
        "largest agree": how often the word with the most weight has the most effect. "two largest
        agree": the share of the two words with the most weight that are among the two with the
        most effect. "tau of words with an effect": the mean of `kendall_tau` over sentences with
        at least two words that move the answer by `SOME_EFFECT`. "tau of all words". "words
        without effect": the share of all others.
    """
    heaviest, strongest = (np.argsort(-rows, axis=-1)[:, :2] for rows in (weights, changes))
    shared = (heaviest[:, :, None] == strongest[:, None]).any(axis=-1)  # (batch, 2)
    moved = changes >= SOME_EFFECT
    taus = [
        float(kendall_tau(row[some], change[some]))
        for row, change, some in zip(weights, changes, moved, strict=True)
        if some.sum() > 1
    ]
    return {
        "largest agree": float((heaviest[:, 0] == strongest[:, 0]).mean()),
        "two largest agree": float(shared.mean()),
        "tau of words with an effect": float(np.mean(taus)) if taus else 0.0,
        "tau of all words": float(kendall_tau(weights, changes).mean()),
        "words without effect": float(1 - moved.mean()),
    }


def compare(name: str, model: Any, test: Sentences, swapped: bool = False) -> dict[str, float]:
    """Return `agreement` for the participle, and how many participles are right.

    A translator writes it after the correct words. The weights of several heads are averaged.
    A word is ``swapped`` for others of its kind, or its embedding is 0.
    """
    import torch

    from attnlab.models import training

    tokens, target = training.tensor(test.tokens), training.tensor(test.target)
    right = test.participle

    def answer(tokens: Tensor = tokens) -> Tensor:
        logits = model(tokens) if name == "one layer" else model(tokens, target)[:, -2]
        return torch.softmax(logits.double(), dim=-1)

    with torch.no_grad():
        if name == "one layer":
            weights = model.forward_with_weights(tokens)[1][:, 0]
        else:
            weights = model.forward_with_weights(tokens, target)[1].mean(dim=1)[:, -2]
            right = right + Grammar("french").first_participle
        written = answer().argmax(dim=-1).numpy()
    if swapped:
        changes = effects_of_swaps(answer, tokens)
    else:
        embed = model.embed if name == "one layer" else model.embed_source
        changes = effects(answer, embed, tokens.shape[1])
    agreed = agreement(weights.double().numpy(), changes)
    return {"right": float((written == right).mean()), **agreed}


def uniform_share(model: Any, test: Sentences, uniform: bool) -> tuple[float, float]:
    """Return the shares of correct genders and verbs, with ``uniform`` equal weights on all words.

    The participle is written after the correct words.
    """
    import torch

    from attnlab.models import training

    grammar = Grammar("french")
    with torch.no_grad():
        logits = model(training.tensor(test.tokens), training.tensor(test.target), uniform)
    participle = logits[:, -2].argmax(dim=-1).numpy() - grammar.first_participle
    gender = (participle >= 0) & (participle % 2 == test.participle % 2)
    return float(gender.mean()), float((participle // 2 == test.participle // 2).mean())


def model_of(name: str, seed: int) -> nn.Module:
    """Return the trained model: one of ``MODELS``; the translators come with the package."""
    from attnlab.experiments import agreement
    from attnlab.models import checkpoints

    if name == "one layer":
        return agreement.train("attention", seed)
    return checkpoints.translator("attention" if name == "BiGRU" else name, seed)


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Compare weights with effects for three kinds of models, and take the weights away.

    ``quick`` takes fewer sentences and lengths: a smoke test, not a result.
    """
    from attnlab.models import training

    watch = training.Stopwatch()
    phrases, size = ((2,), 20) if quick else (PHRASES, 200)
    tests = [training.held_out(Grammar("french"), number, size) for number in phrases]
    curves: dict[str, Curve] = {}
    for name in MODELS:
        models = [model_of(name, seed) for seed in seeds]
        with training.one_thread(0):
            for way in WAYS:
                rows = [[compare(name, m, test, way == SWAPPED) for test in tests] for m in models]
                curves |= curves_of(phrases, rows, f"{name}{way}: ")
            if name != "one layer":
                pairs = [[uniform_share(m, test, True) for test in tests] for m in models]
                for index, part in enumerate(("gender", "verb")):
                    shares = [[pair[index] for pair in row] for row in pairs]
                    curves[f"{name}, uniform: {part}"] = Curve(phrases, shares)
        log.info("%s", name)
    settings = {"test sentences": size, "quick": quick}
    return Result(curves, list(seeds), settings, watch.seconds)


def trials(result: Result) -> list[Trial]:
    """Test for each kind of model whether the most weight goes with the most effect."""
    return [
        trial
        for name in MODELS
        for way, at in WAYS.items()
        for x in result[f"{name}: right"].x
        for trial in each_seed(
            result[f"{name}{way}: largest agree"].at(x) >= NEARLY_ALWAYS,
            name,
            learned=result[f"{name}: right"].at(x) >= LEARNED,
            at=at,
        )
    ]


def because(result: Result) -> str:
    """Return how often the word with the most weight has the most effect, seed by seed."""
    erased, swapped = (
        "; ".join(
            f"{name} {', '.join(f'{share:.2f}' for share in curve.at(4))}"
            for name in MODELS
            for curve in (result[f"{name}{way}: largest agree"],)
        )
        for way in WAYS
    )
    rest = ", ".join(
        f"{name} {result[f'{name}: words without effect'].at(4).mean():.2f}" for name in MODELS
    )
    gender, verb = (result[f"Transformer, uniform: {part}"].at(4) for part in ("gender", "verb"))
    return (
        f"The word with the most weight has the most effect in these shares of the sentences with "
        f"4 phrases, seed by seed. With an embedding of 0: {erased}. With another word of its "
        f"kind in its place: {swapped}. In the one layer the verb is the query: it changes "
        f"the answer and needs no weight. Most words change the answer by less than {SOME_EFFECT} "
        f"({rest}), so the order of all words would be noise. With uniform weights a Transformer "
        f"still names {gender.mean():.2f} of the genders, but only {verb.mean():.2f} of the verbs. "
        "Not tested: effects through the French words already written, which stay as they are."
    )


def figure(result: Result) -> Figure:
    """Return a figure of how often the most weight goes with the most effect."""
    return plot_curves(
        {name: result[f"{name}: largest agree"] for name in MODELS},
        accent="Transformer",
        x_label="phrases in the sentence",
        y_label="largest weight has largest effect",
    )
