"""Measure what a head does where nothing is relevant, and what losing the first token costs."""

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
    sentence="Where nothing is relevant, a causal head of plain softmax puts most of its weight on "
    "the first token, and predicts badly once a cache has evicted that token. With a gate it does "
    "not need the token; with a learned sink it does if the sink starts at 0, and does not if the "
    "sink starts at 4.",
    source="Xiao et al. (2024), sections 3.1 to 3.3; for the gate Qiu et al. (2025). The starts "
    "are ours. The claim was reworded after the first run, in view of what that run had found.",
    refuted_by="A plain head with less than half of its weight on the first token. Or an eviction "
    "of that token that raises the loss by less than 0.1 nats with a plain head or a sink that "
    "starts at 0; by more with a gate or a sink that starts at 4; or, with a sink that starts at "
    "2, by more than with one that starts at 0.",
    seconds=450,
    knobs={
        "start": f"sink at {STARTS[0]}",
        "learning rate": RATE,
        "steps": 1000,
        "width": 32,
        "tokens in the cache": 12,
        "texts begin with": "a mark",
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


class Setting(NamedTuple):
    """What is trained: one of ``HEADS``, and how its training differs from the others'.

    Parameters
    ----------
    head : str
    rate : float
        The learning rate.
    marked : bool
        Whether texts begin with the mark.
    more : bool
        Whether twice as many further seeds follow the first ones.
    """

    head: str
    rate: float = RATE
    marked: bool = True
    more: bool = False

    @property
    def name(self) -> str:
        """How the names of its curves begin."""
        rate = "" if self.rate == RATE else f" at {self.rate}"
        mark = "" if self.marked else " without a mark"
        return f"{self.head}{rate}{mark}{' with more seeds' if self.more else ''}"

    @property
    def turned(self) -> dict[str, float | str]:
        """The knobs that have another value than the claim's."""
        kind, start = HEADS[self.head]
        turned: dict[str, float | str] = {}
        if kind == "sink" and start != STARTS[0]:
            turned["start"] = f"sink at {start:g}"
        if self.rate != RATE:
            turned["learning rate"] = self.rate
        if not self.marked:
            turned["texts begin with"] = "any word"
        return turned


#: Further seeds show what one model of eight does.
SETTINGS = (
    *(Setting(head, rate) for rate in (RATE, SLOW) for head in HEADS),
    Setting("plain", marked=False),
    *(Setting(head, rate, more=True) for rate in (RATE, SLOW) for head in ("plain", "sink from 4")),
    Setting("sink from 0", more=True),
)

log = logging.getLogger(__name__)


class Stream(NamedTuple):
    """``tokens``, (batch, num_tokens); ``chances`` of each next one, (..., NUM_WORDS + 1)."""

    tokens: NDArray[np.int64]
    chances: NDArray[np.float64]


def successors() -> NDArray[np.float64]:
    """Return how often each word follows each, (NUM_WORDS, NUM_WORDS): the same in all texts."""
    scores = 1.5 * np.random.default_rng(7).standard_normal((NUM_WORDS, NUM_WORDS))
    return np.asarray(np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True))


def draw(
    rng: np.random.Generator, batch: int, num_tokens: int = NUM_TOKENS, marked: bool = True
) -> Stream:
    """Return texts in which a word depends on the last one; after a trigger it is the one before.

    So only a trigger has something to look for: the token before it. The other words know enough.
    Texts begin with ``FIRST`` if they are ``marked``, and with any word otherwise.
    """
    if not marked:
        longer = draw(rng, batch, num_tokens + 1)
        return Stream(longer.tokens[:, 1:], longer.chances[:, 1:])
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


def train(setting: Setting, seed: int = 0, steps: int = 1000) -> StreamModel:
    """Return a model trained on whole texts, with nothing evicted."""
    import torch
    from torch.nn.functional import cross_entropy

    from attnlab.models import training
    from attnlab.models.streams import StreamModel

    def loss(model: StreamModel, stream: Stream) -> Tensor:
        chances = torch.from_numpy(stream.chances).float()
        return cross_entropy(model(torch.from_numpy(stream.tokens)).mT, chances.mT)

    batches = training.batches(seed, steps, lambda rng: draw(rng, 48, marked=setting.marked))
    with training.one_thread(seed):
        model = StreamModel(NUM_WORDS + 1, *HEADS[setting.head])
        training.fit(model, batches, loss, learning_rate=setting.rate, decay_steps=steps)
    log.info("%s, seed %s", setting.name, seed)
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


def measure(
    model: StreamModel, cache: str, size: int = 500, marked: bool = True
) -> tuple[list[float], list[float]]:
    """Return the loss above the smallest possible, and the first token's weight, by position.

    Both are means over the words that are not triggers, which have nothing to look for.
    """
    import torch

    stream = draw(np.random.default_rng(2), size, marked=marked)
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


def curves_of(setting: Setting, seeds: Sequence[int], steps: int) -> dict[str, Curve]:
    """Train a model with every seed, and measure it with each cache."""
    x = [part.start + BIN // 2 for part in _bins()]
    if setting.more:
        seeds = [seed + times * len(seeds) for times in (1, 2) for seed in seeds]
    models = [train(setting, seed, steps) for seed in seeds]
    curves = {}
    for cache in CACHES:
        measured = [measure(model, cache, marked=setting.marked) for model in models]
        losses, weights = zip(*measured, strict=True)
        curves[f"{setting.name}, {cache}"] = Curve(x, losses)
        if cache == CACHES[0]:
            curves[f"{setting.name}: weight on the first"] = Curve(x, weights)
    return curves


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train what ``SETTINGS`` say with every seed; measure it with each cache.

    ``quick`` shortens training: a smoke test, not a result.
    """
    from attnlab.models import training

    watch = training.Stopwatch()
    steps = 50 if quick else 1000
    curves: dict[str, Curve] = {}
    for setting in SETTINGS:
        curves |= curves_of(setting, seeds, steps)
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
    for setting in SETTINGS:
        whole, evicted, held = (late(result, f"{setting.name}, {cache}") for cache in CACHES)
        cost, kept = evicted - whole, held - whole
        weight = late(result, f"{setting.name}: weight on the first")
        kind, start = HEADS[setting.head]
        if kind == "plain":
            agrees = {
                "the weight of a plain head": weight > MAJORITY,
                "the loss of a plain head": (cost >= NOTABLE) & (kept < NOTABLE),
            }
        elif kind == "gate":
            agrees = {"a gate": cost < NOTABLE}
        elif start == STARTS[0]:
            agrees = {"a sink": cost >= NOTABLE}
        elif start == STARTS[-1]:
            agrees = {"a sink": cost < NOTABLE}
        else:
            agrees = {"a sink": cost < _cost(result, Setting("sink from 0", setting.rate).name)}
        for condition, as_claimed in agrees.items():
            made += each_seed(as_claimed, condition, learned=whole < NOTABLE, at=setting.turned)
    return made


def because(result: Result) -> str:
    """Return the weight of the first token, and what its eviction costs."""
    parts = []
    for head in HEADS:
        weight = late(result, f"{head}: weight on the first").mean()
        whole, evicted, kept = (late(result, f"{head}, {cache}").mean() for cache in CACHES)
        parts.append(
            f"{head}: the first token has {weight:.2f} of the weight, and the loss above the "
            f"smallest possible is {whole:.3f} nats with all tokens, {evicted:.3f} with the last "
            f"{WINDOW} only and {kept:.3f} if the first is kept"
        )
    text = "; ".join(parts)
    slow = ", ".join(f"{_cost(result, Setting(h, SLOW).name).max():.2f} for {h}" for h in HEADS)
    plain, high = (Setting(head, more=True) for head in ("plain", "sink from 4"))
    fewest = late(result, f"{plain.name}: weight on the first")
    unmarked = Setting("plain", marked=False).name
    low = late(result, f"{unmarked}: weight on the first").max()
    return (
        f"On average over three seeds, {text}. The eviction costs at most "
        f"{_cost(result, 'gate').max():.2f} nats for gate in any of these seeds; at a learning "
        f"rate of {SLOW}, at most {slow}. "
        f"The part of the claim on the gate is refuted at both rates. Of {fewest.size} more plain "
        f"heads, one has only {fewest.min():.2f} of its weight on the first token, whose eviction "
        f"costs it {_cost(result, plain.name).min():.2f} nats. For {fewest.size} more sinks from 4 "
        f"the eviction costs at most {_cost(result, high.name).max():.2f} nats, and at {SLOW} at "
        f"most {_cost(result, high._replace(rate=SLOW).name).max():.2f}. In texts that begin with "
        f"any word instead of a mark, the first token has at most {low:.2f} of the weight, and its "
        f"eviction changes the loss by at most {abs(_cost(result, unmarked)).max():.2f} nats: the "
        f"mark makes the sink."
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
