"""Compare four ways to say where a token stands, on two tasks and on longer texts."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from attnlab.claims import LEARNED, Claim, Knobs, Trial, each_seed
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from torch import Tensor, nn

CLAIM = Claim(
    chapter="positions",
    sentence="What is learned with distances (rotary, ALiBi) carries over to texts longer than "
    "those of training; what is learned with sinusoids that are added to the tokens does not.",
    source="Press et al. (2022): sections 3 and 4 on ALiBi, section 2.2 against sinusoids and on "
    "rotary, which carries over a little. Su et al. (2024), abstract, on rotary.",
    refuted_by="On a task that it has learned, an encoding by distance that keeps less than nine "
    "tenths of its accuracy at four times the trained length; or added sinusoids that keep as "
    "much.",
    seconds=140,
    knobs={
        "start": "as PyTorch starts it",
        "learning rate": 0.01,
        "steps": 1500,
        "width": 32,
        "width of a head": 8,
        "longest text in training": 16,
    },
)
ENCODINGS = ("rotary", "ALiBi", "sinusoidal", "none")
TASKS = ("three back", "latest")
NUM_WORDS = 16
TRAINED = tuple(range(4, 17))  # numbers of tokens
LENGTHS = (4, 8, 16, 32, 64, 128)
SHIFT = 100
#: The encodings that learn a task as the knobs stand by default.
LEARNED_PAIRS = (
    ("rotary", "latest"),
    ("ALiBi", "latest"),
    ("sinusoidal", "latest"),
    ("rotary", "three back"),
    ("sinusoidal", "three back"),
)


class Setting(NamedTuple):
    """How a model is made and trained; ``start`` multiplies its first queries and keys."""

    steps: int = 1500
    learning_rate: float = 0.01
    width: int = 32
    num_heads: int = 4
    longest: int = 16
    start: float = 1.0


DEFAULT = Setting()

#: Settings with turned knobs: what trials say of them, and how their models are trained.
TURNED: dict[str, tuple[Knobs, Setting]] = {
    "heads of width 4": ({"width of a head": 4}, Setting(num_heads=8)),
    "other training": (
        {
            "start": "queries and keys twice as large",
            "learning rate": 0.005,
            "steps": 750,
            "width": 48,
            "longest text in training": 20,
        },
        Setting(750, 0.005, 48, 6, 20, 2.0),
    ),
}
#: The encodings that learn a task, and are trained with turned knobs.
TURNED_PAIRS = {
    "heads of width 4": LEARNED_PAIRS,
    "other training": LEARNED_PAIRS[:3],
}
#: Share of the accuracy at the trained length that counts as carried over.
KEPT = 0.9

log = logging.getLogger(__name__)


class Texts(NamedTuple):
    """``tokens`` have shape (batch, num_tokens), ``answer`` has shape (batch,)."""

    tokens: Tensor
    answer: Tensor


def draw(task: str, rng: np.random.Generator, batch: int, num_tokens: int) -> Texts:
    """Return random texts of one task.

    *three back*: which word stands three places before the last? *latest*: a token is one of four
    names with one of four colours; the last token repeats the first one's name, and the answer is
    the latest colour of that name.
    """
    import torch

    tokens = rng.integers(NUM_WORDS, size=(batch, num_tokens))
    if task == "three back":
        answer = tokens[:, -4]
    else:
        names = tokens[:, :-1] // 4
        queried = names[:, 0]
        last = num_tokens - 2 - (names == queried[:, None])[:, ::-1].argmax(axis=1)
        answer = tokens[np.arange(batch), last] % 4
        tokens[:, -1] = NUM_WORDS + queried
    return Texts(torch.from_numpy(tokens), torch.from_numpy(np.ascontiguousarray(answer)))


def train(encoding: str, task: str, seed: int = 0, setting: Setting = DEFAULT) -> nn.Module:
    """Return a model trained on texts of 4 tokens to the longest of the setting, 16 by default.

    Raises
    ------
    ValueError
        If there is no such encoding or task.
    """
    import torch
    from torch.nn.functional import cross_entropy

    from attnlab.models import position_encodings, training

    for option, value, known in (("encoding", encoding, ENCODINGS), ("task", task, TASKS)):
        if value not in known:
            raise ValueError(f"{option} is {value!r}; expected one of {', '.join(known)}")

    def loss(model: nn.Module, texts: Texts) -> Tensor:
        return cross_entropy(model(texts.tokens), texts.answer)

    steps, rate, width, num_heads, longest, start = setting
    lengths = range(TRAINED[0], longest + 1)
    batches = training.batches(
        seed, steps, lambda rng: draw(task, rng, 128, int(rng.choice(lengths)))
    )

    with training.one_thread(seed):
        model = position_encodings.PositionModel(
            encoding, NUM_WORDS + 4, NUM_WORDS, num_heads, width
        )
        with torch.no_grad():
            for name in "qk":
                model.project[name].get_parameter("weight").mul_(start)
        training.fit(model, batches, loss, learning_rate=rate, decay_steps=steps)
    log.info("%s, %s, seed %s", encoding, task, seed)
    return model


def accuracy(
    model: nn.Module, task: str, num_tokens: int, first: int = 0, size: int = 1000
) -> float:
    """Return the share of correct answers, with the first token at position ``first``."""
    import torch

    test = draw(task, np.random.default_rng((num_tokens, 2)), size, num_tokens)
    with torch.no_grad():
        predicted = model(test.tokens, first).argmax(dim=-1)
    return float((predicted == test.answer).float().mean())


def turned(encoding: str, task: str, knob: str, seeds: Sequence[int], quick: bool = False) -> Curve:
    """Train with turned knobs; test at the longest trained length and at four times it."""
    _, setting = TURNED[knob]
    lengths = (setting.longest, 4 * setting.longest)
    if quick:
        setting = setting._replace(steps=20)
    models = [train(encoding, task, seed, setting) for seed in seeds]
    return Curve(lengths, [[accuracy(m, task, n) for n in lengths] for m in models])


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train each encoding on each task; test on longer texts, and on texts that start later.

    ``quick`` shortens training: a smoke test, not a result.
    """
    from attnlab.models import training

    watch = training.Stopwatch()
    steps, lengths = (100, (8, 16)) if quick else (1500, LENGTHS)
    curves = {}
    for task in TASKS:
        for encoding in ENCODINGS:
            models = [train(encoding, task, seed, Setting(steps)) for seed in seeds]
            name = f"{encoding}: {task}"
            curves[name] = Curve(lengths, [[accuracy(m, task, n) for n in lengths] for m in models])
            curves[f"{name}, shifted"] = Curve(
                (0, SHIFT), [[accuracy(m, task, 16, first) for first in (0, SHIFT)] for m in models]
            )
    for knob, pairs in TURNED_PAIRS.items():
        for encoding, task in pairs:
            name = f"{encoding}: {task}, {knob}"
            curves[name] = turned(encoding, task, knob, seeds, quick)
    settings = {"steps": steps, "trained": TRAINED, "test texts": 1000, "quick": quick}
    return Result(curves, list(seeds), settings, watch.seconds)


def trials(result: Result) -> list[Trial]:
    """Test each encoding by distance on each task, beside added sinusoids."""
    trials = []
    for knob, longest, at in (
        ("", TRAINED[-1], {}),
        *((f", {knob}", setting.longest, at) for knob, (at, setting) in TURNED.items()),
    ):
        for encoding, task in product(("rotary", "ALiBi"), TASKS):
            name, other = f"{encoding}: {task}{knob}", f"sinusoidal: {task}{knob}"
            if name in result.curves:
                trials += each_seed(
                    _kept(result[name], longest) & ~_kept(result[other], longest),
                    f"{encoding}, task “{task}”",
                    result[name].at(longest) >= LEARNED,
                    at,
                )
    return trials


def _kept(curve: Curve, longest: int) -> NDArray[np.bool_]:
    """Whether each seed keeps its accuracy at four times the longest trained length."""
    return curve.at(4 * longest) >= KEPT * curve.at(longest)


def because(result: Result) -> str:
    """Return what carried over: to longer texts, and to later places."""
    near, far = TRAINED[-1], 4 * TRAINED[-1]
    rotary, alibi, added = (result[f"{n}: latest"] for n in ("rotary", "ALiBi", "sinusoidal"))
    return (
        f"At {far} tokens, four times the longest in training, the latest mention is found in "
        f"{alibi.at(far).mean():.2f} of the texts with ALiBi (at {near} tokens in "
        f"{alibi.at(near).mean():.2f}), "
        f"in {rotary.at(far).mean():.2f} with rotary and in {added.at(far).mean():.2f} with added "
        f"sinusoids. Rotary carries over to later places (with all tokens {SHIFT} places further "
        f"on, {result['rotary: latest, shifted'].at(SHIFT).mean():.2f}), but not to larger "
        f"distances. ALiBi does not learn every task: it names the third word back in "
        f"{result['ALiBi: three back'].at(near).mean():.2f}. With heads 4 wide instead of 8, "
        f"rotary finds {result['rotary: latest, heads of width 4'].at(far).mean():.2f} of the "
        f"latest mentions at the greater length, and "
        f"{result['rotary: three back, heads of width 4'].at(far).mean():.2f} of the third words "
        f"back."
    )


def figure(result: Result, task: str = "latest") -> Figure:
    """Return a figure of how many answers are correct as texts become longer."""
    return plot_curves(
        {name: result[f"{name}: {task}"] for name in ENCODINGS},
        accent="ALiBi" if task == "latest" else "rotary",
        chance=1 / 4 if task == "latest" else 1 / NUM_WORDS,
        trained_to=TRAINED[-1],
        log="x",
        x_label="tokens in the text",
        y_label="answers that are right",
    )
