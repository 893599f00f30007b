"""What does a head do where nothing is relevant, and what if its cache loses the first token?"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from attnlab.claims import MAJORITY, Claim, Trial, each_seed
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from torch import Tensor

    from attnlab.models.streams import Abstention, StreamModel

#: Where the learned sink starts, in nats: the first one is the default.
STARTS = (0, 2, 4)
RATE, SLOW = 0.01, 0.003
CLAIM = Claim(
    chapter="attention-today",
    sentence="A causal head of plain softmax puts most of its weight on the first token where "
    "nothing is relevant, and predicts badly once a cache has evicted that token. With a gate it "
    "does not need the token; with a learned sink it does if the sink starts at 0, and does not if "
    "the sink starts at 4.",
    source="Xiao et al. (2024), sections 3.1 to 3.3; for the gate Qiu et al. (2025). The starts "
    "are ours. The sentence was restated after the first run, by what that run had found.",
    refuted_by="A plain head with less than half of its weight on the first token; one, or a head "
    "whose sink starts at 0, that loses less than 0.1 nats when that token is evicted; a head with "
    "a gate, or with a sink that starts at 4, that loses more; one whose sink starts at 2 and that "
    "loses more than from 0.",
    seconds=170,
    knobs={
        "start": f"sink at {STARTS[0]}",
        "learning rate": RATE,
        "steps": 1000,
        "width": 32,
        "tokens in the cache": 12,
    },
)
NUM_WORDS = 12
TRIGGERS = 3  # words 0, 1 and 2, after which the word before them comes again
FIRST = NUM_WORDS  # the mark of the beginning
NUM_TOKENS = 32
WINDOW = 12  # tokens in a cache, the newest included
#: Positions whose means are points of a curve.
BIN = 4
#: A loss of this many nats more counts as predicting badly.
NOTABLE = 0.1
#: Each head by its name in the result: how it may abstain, and where its sink starts.
HEADS: dict[str, tuple[Abstention, float]] = {
    "plain": ("plain", 0),
    **{f"sink from {start}": ("sink", start) for start in STARTS},
    "gate": ("gate", 0),
}
CACHES = ("all tokens", f"last {WINDOW}", f"first and last {WINDOW - 1}")

log = logging.getLogger(__name__)


class Stream(NamedTuple):
    """``tokens``, (batch, num_tokens); ``chances`` of each next one, (..., NUM_WORDS + 1)."""

    tokens: NDArray[np.int64]
    chances: NDArray[np.float64]


def successors() -> NDArray[np.float64]:
    """Return how often each word follows each, (NUM_WORDS, NUM_WORDS): the same in all texts."""
    scores = 1.5 * np.random.default_rng(7).standard_normal((NUM_WORDS, NUM_WORDS))
    return np.asarray(np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True))


def draw(rng: np.random.Generator, batch: int, num_tokens: int = NUM_TOKENS) -> Stream:
    """Return texts in which a word depends on the last one; after a trigger the one before it.

    So only a trigger has something to look for: the token before it. The other words know enough.
    """
    follow, rows = successors(), np.arange(batch)
    tokens = np.full((batch, num_tokens + 1), FIRST)
    chances = np.zeros((batch, num_tokens, NUM_WORDS + 1))
    chances[:, 0, :NUM_WORDS] = 1 / NUM_WORDS
    for t in range(num_tokens):
        if t:
            chances[:, t, :NUM_WORDS] = follow[tokens[:, t]]
            copies = (tokens[:, t] < TRIGGERS) & (tokens[:, t - 1] != FIRST)
            chances[copies, t] = 0
            chances[rows[copies], t, tokens[copies, t - 1]] = 1
        steps = chances[:, t].cumsum(axis=1)
        tokens[:, t + 1] = (steps < rng.random((batch, 1)) * steps[:, -1:]).sum(axis=1)
    return Stream(tokens[:, :-1], chances)


def train(head: str, seed: int = 0, steps: int = 1000, rate: float = RATE) -> StreamModel:
    """Return a model with one of ``HEADS``, trained on whole texts, with nothing evicted."""
    import torch
    from torch.nn.functional import cross_entropy

    from attnlab.models import training
    from attnlab.models.streams import StreamModel

    def loss(model: StreamModel, stream: Stream) -> Tensor:
        chances = torch.from_numpy(stream.chances).float()
        return cross_entropy(model(torch.from_numpy(stream.tokens)).mT, chances.mT)

    batches = training.batches(seed, steps, lambda rng: draw(rng, 48))
    with training.one_thread(seed):
        model = StreamModel(NUM_WORDS + 1, *HEADS[head])
        training.fit(model, batches, loss, learning_rate=rate, decay_steps=steps)
    log.info("%s, rate %s, seed %s", head, rate, seed)
    return model


def cached(cache: str, num_tokens: int = NUM_TOKENS) -> NDArray[np.bool_]:
    """Return which keys one of ``CACHES`` still holds for each query; the future is not hidden."""
    keys = np.arange(num_tokens)
    distance = keys[:, None] - keys
    if cache == CACHES[0]:
        return np.ones((num_tokens, num_tokens), dtype=bool)
    if cache == CACHES[1]:
        return distance < WINDOW
    return (distance < WINDOW - 1) | (keys == 0)


def measure(model: StreamModel, cache: str, size: int = 500) -> tuple[list[float], list[float]]:
    """Return the loss above the smallest possible, and the first token's weight, by position.

    Both are means over the words that are not triggers, which have nothing to look for.
    """
    import torch

    stream = draw(np.random.default_rng(2), size)
    with torch.no_grad():
        logits, weights = model.forward_with_weights(
            torch.from_numpy(stream.tokens), torch.from_numpy(cached(cache))
        )
    guesses = logits.log_softmax(-1).numpy()
    chances = stream.chances
    logs = np.log(chances, out=np.zeros_like(chances), where=chances > 0)
    extra = (chances * (logs - guesses)).sum(axis=-1)
    word = stream.tokens >= TRIGGERS
    means = [
        np.asarray([np.mean(values[:, b][word[:, b]]) for b in _bins()])
        for values in (extra, weights[..., 0].numpy())
    ]
    return means[0].tolist(), means[1].tolist()


def _bins() -> list[slice]:
    return [slice(start, start + BIN) for start in range(BIN, NUM_TOKENS, BIN)]


def curves_of(head: str, seeds: Sequence[int], steps: int, rate: float) -> dict[str, Curve]:
    """Train one of ``HEADS`` with every seed, and measure it with each cache."""
    x = [part.start + BIN // 2 for part in _bins()]
    name = named(head, rate)
    models = [train(head, seed, steps, rate) for seed in seeds]
    curves = {}
    for cache in CACHES:
        losses, weights = zip(*(measure(model, cache) for model in models), strict=True)
        curves[f"{name}, {cache}"] = Curve(x, losses)
        if cache == CACHES[0]:
            curves[f"{name}: weight on the first"] = Curve(x, weights)
    return curves


def named(head: str, rate: float) -> str:
    """Return the name of a head's curves: its own at the usual learning rate."""
    return head if rate == RATE else f"{head} at {rate}"


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train each kind of head with every seed, at two rates; measure it with each cache.

    ``quick`` shortens training: a smoke test, not a result.
    """
    from attnlab.models import training

    watch = training.Stopwatch()
    steps = 50 if quick else 1000
    curves: dict[str, Curve] = {}
    for rate in (RATE, SLOW):
        for head in HEADS:
            curves |= curves_of(head, seeds, steps, rate)
    curves |= likelihoods(curves)
    settings = {"steps": steps, "window": WINDOW, "test texts": 500, "quick": quick}
    return Result(curves, list(seeds), settings, watch.seconds)


def likelihoods(curves: Mapping[str, Curve]) -> dict[str, Curve]:
    """Return, for each head and cache, the next word's likelihood over the best possible one."""
    names = (f"{head}, {cache}" for head in HEADS for cache in CACHES)
    return {
        f"{name}: likelihood": Curve(curves[name].x, np.exp(-curves[name].array).tolist())
        for name in names
    }


def late(result: Result, curve: str) -> NDArray[np.float64]:
    """Return a curve's mean over the positions whose window has lost the first token, by seed."""
    x = np.asarray(result[curve].x)
    return np.asarray(result[curve].array[:, x - BIN // 2 >= WINDOW].mean(axis=1))


def trials(result: Result) -> list[Trial]:
    """Test each kind of head: what the first token's eviction costs, and what it gets before."""
    made = []
    for rate in (RATE, SLOW):
        slow = {} if rate == RATE else {"learning rate": rate}
        whole, cost, kept = {}, {}, {}
        for head in HEADS:
            name = named(head, rate)
            whole[head], evicted, held = (late(result, f"{name}, {cache}") for cache in CACHES)
            cost[head], kept[head] = evicted - whole[head], held - whole[head]
        most = late(result, f"{named('plain', rate)}: weight on the first") > MAJORITY
        first, middle, last = (f"sink from {start}" for start in STARTS)
        agrees = {
            "plain": most & (cost["plain"] >= NOTABLE) & (kept["plain"] < NOTABLE),
            first: cost[first] >= NOTABLE,
            middle: cost[middle] < cost[first],
            last: cost[last] < NOTABLE,
            "gate": cost["gate"] < NOTABLE,
        }
        for head in HEADS:
            kind, start = HEADS[head]
            condition = {"plain": "a plain head", "sink": "a sink", "gate": "a gate"}[kind]
            turned = {} if start == STARTS[0] else {"start": f"sink at {start}"}
            known = whole[head] < NOTABLE
            made += each_seed(agrees[head], condition, learned=known, at={**turned, **slow})
    return made


def because(result: Result) -> str:
    """Return the weight of the first token, and what its eviction costs."""
    parts = []
    for head in HEADS:
        weight = late(result, f"{head}: weight on the first").mean()
        whole, evicted, kept = (late(result, f"{head}, {cache}").mean() for cache in CACHES)
        parts.append(
            f"{head}: the first token has {weight:.2f} of the weight; the loss above the smallest "
            f"possible is {whole:.3f} nats with all tokens, {evicted:.3f} with the last {WINDOW} "
            f"only, {kept:.3f} if the first is kept"
        )
    text = "; ".join(parts)
    slow = ", ".join(f"{_cost(result, named(h, SLOW)).max():.2f} for {h}" for h in HEADS)
    return (
        f"{text[0].upper()}{text[1:]}. The eviction costs at most, in any seed, "
        f"{_cost(result, 'gate').max():.2f} nats for gate; at a learning rate of {SLOW}, {slow}. "
        f"The part on the gate is refuted at both rates."
    )


def _cost(result: Result, name: str) -> NDArray[np.float64]:
    """Return how many nats the first token's eviction costs, by seed."""
    whole, evicted = (late(result, f"{name}, {cache}") for cache in CACHES[:2])
    return evicted - whole


def figure(result: Result) -> Figure:
    """Return a figure of how likely the next word is by position, with and without the first."""
    first, _, last = STARTS
    names = {
        "plain, first evicted": f"plain, {CACHES[1]}",
        "plain, first kept": f"plain, {CACHES[2]}",
        f"sink from {first}, first evicted": f"sink from {first}, {CACHES[1]}",
        f"sink from {last}, first evicted": f"sink from {last}, {CACHES[1]}",
        "gate, first evicted": f"gate, {CACHES[1]}",
    }
    return plot_curves(
        {label: result[f"{name}: likelihood"] for label, name in names.items()},
        accent="plain, first evicted",
        x_label="position of the token",
        y_label="likelihood of the next word ÷ the best possible",
    )
