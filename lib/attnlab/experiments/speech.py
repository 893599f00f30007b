"""Transcribe speech, a noisy signal of sounds of different lengths, letter by letter.

The signal is synthetic: each letter has a spectrum of its own, lasts two to five frames, or one or
two, and noise is added. Does attention run along the signal, and does it still do so when the
utterance is longer than any in training?
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from attnlab.claims import LEARNED, NEARLY_ALWAYS, Claim, Knobs, Trial, each_seed
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result, curves_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from torch import Tensor, nn

    from attnlab.models.speech_recognizer import SpeechRecognizer

CLAIM = Claim(
    chapter="at-work",
    sentence="While speech is written down, attention runs along the signal: the largest weight "
    "moves forward with every letter.",
    source="After Chorowski et al. (2015), 'Attention-Based Models for Speech Recognition', who "
    "show such alignments for phonemes.",
    refuted_by="A model that writes the right letters while its largest weight stays or jumps back "
    "in more than a tenth of the steps.",
    seconds=140,
    knobs={
        "start": "as PyTorch starts it",
        "learning rate": 0.01,
        "steps": 1000,
        "width": 32,
        "noise": 0.5,
        "frames of a sound": "2 to 5",
    },
)
LETTERS = "abcdefghij"
NUM_BANDS, NOISE = 12, 0.5
#: Frames of a sound.
DURATIONS, SHORT = (2, 3, 4, 5), (1, 2)
LENGTHS = (3, 5, 8, 12, 16, 24)
TRAINED = (3, 4, 5, 6, 7, 8)
MODELS = ("content only", "content and place")
#: The end of a model's name in the curves, with the frames of its sounds and the knob.
SOUNDS: dict[str, tuple[Sequence[int], Knobs]] = {
    "": (DURATIONS, {}),
    ", short sounds": (SHORT, {"frames of a sound": "1 or 2"}),
}


class Utterances(NamedTuple):
    """A batch of utterances with equally many letters.

    Parameters
    ----------
    frames : array, shape (batch, num_frames, NUM_BANDS)
        Silence fills up the shorter ones.
    letters : array of int, shape (batch, num_letters)
    owner : array of int, shape (batch, num_frames)
        The letter that each frame belongs to; -1 is silence.
    """

    frames: NDArray[np.float32]
    letters: NDArray[np.int64]
    owner: NDArray[np.int64]


def spectra() -> NDArray[np.float32]:
    """Return the sound of each letter, shape (num_letters, NUM_BANDS); the same for all seeds."""
    return np.random.default_rng(7).normal(size=(len(LETTERS), NUM_BANDS)).astype(np.float32)


def draw(
    rng: np.random.Generator, batch: int, num_letters: int, durations: Sequence[int] = DURATIONS
) -> Utterances:
    """Return random utterances; no letter follows itself, since nothing would separate the two."""
    steps = rng.integers(1, len(LETTERS), size=(batch, num_letters))
    steps[:, 0] = rng.integers(len(LETTERS), size=batch)
    letters = steps.cumsum(axis=1) % len(LETTERS)
    ends = rng.choice(durations, size=(batch, num_letters)).cumsum(axis=1)  # (batch, num_letters)
    frame = np.arange(ends.max())
    owner = (frame >= ends[:, :, None]).sum(axis=1)  # (batch, num_frames)
    owner[owner == num_letters] = -1
    sounds = spectra()[np.take_along_axis(letters, np.maximum(owner, 0), axis=1)]
    sounds[owner < 0] = 0
    noise = rng.normal(scale=NOISE, size=sounds.shape).astype(np.float32)
    return Utterances(sounds + noise, letters, owner)


def train(
    name: str, seed: int = 0, steps: int = 1000, durations: Sequence[int] = DURATIONS
) -> SpeechRecognizer:
    """Return a trained model: one of `MODELS`.

    Raises
    ------
    ValueError
        If there is no such model.
    """
    from attnlab.models import training
    from attnlab.models.speech_recognizer import SpeechRecognizer

    if name not in MODELS:
        raise ValueError(f"model is {name!r}; expected one of {', '.join(MODELS)}")

    batches = training.batches(
        seed, steps, lambda rng: draw(rng, 32, int(rng.choice(TRAINED)), durations)
    )

    with training.one_thread(seed):
        model = SpeechRecognizer(
            NUM_BANDS, len(LETTERS), location_aware=name == "content and place"
        )
        training.fit(model, batches, _loss, learning_rate=0.01, decay_steps=steps)
    return model


def measure(
    model: SpeechRecognizer, num_letters: int, durations: Sequence[int] = DURATIONS
) -> dict[str, float]:
    """Return the share of correct letters, of steps at which the largest weight is on the
    letter's own frames or on those of a neighbour, and of steps that move forward.

    The model reads the letters that it wrote itself; their number is given.
    """
    from attnlab.models.training import tensor

    test = draw(np.random.default_rng((num_letters, 2)), 200, num_letters, durations)
    letters, weights = model.transcribe(tensor(test.frames), num_letters)
    largest = weights.numpy().argmax(axis=-1)  # (batch, num_letters)
    heard = np.take_along_axis(test.owner, largest, axis=1)
    return {
        "letters": float((letters.numpy() == test.letters).mean()),
        "aligned": float((heard == np.arange(num_letters)).mean()),
        "one letter off": float((abs(heard - np.arange(num_letters)) == 1).mean()),
        "forward": float((np.diff(largest, axis=1) > 0).mean()),
    }


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train each model with every seed; test with each number of letters.

    ``quick`` shortens training and tests fewer lengths: a smoke test, not a result.
    """
    from attnlab.models.training import Stopwatch

    watch = Stopwatch()
    lengths, steps = ((3, 8), 40) if quick else (LENGTHS, 1000)
    curves: dict[str, Curve] = {}
    for end, (durations, _) in SOUNDS.items():
        for name in MODELS:
            models = [train(name, seed, steps, durations) for seed in seeds]
            measured = [[measure(m, length, durations) for length in lengths] for m in models]
            curves |= curves_of(lengths, measured, f"{name}{end}: ")
    settings = {"trained on letters": list(TRAINED), "steps": steps, "quick": quick}
    return Result(curves, list(seeds), settings, watch.seconds)


def trials(result: Result) -> list[Trial]:
    """Test both variants at each length, where they write the right letters."""
    return [
        trial
        for length in result["content and place: letters"].x
        for name in MODELS
        for end, (_, knobs) in SOUNDS.items()
        for trial in each_seed(
            result[f"{name}{end}: forward"].at(length) >= NEARLY_ALWAYS,
            f"{length} letters",
            learned=result[f"{name}{end}: letters"].at(length) >= LEARNED,
            at=knobs,
        )
    ]


def because(result: Result) -> str:
    """Return how often the largest weight moves forward, and where it is."""
    longest, beyond = max(result.settings["trained on letters"]), LENGTHS[-1]
    short, aligned = LENGTHS[1], result["content and place: aligned"]
    seeds = ", ".join(f"{share:.2f}" for share in aligned.at(longest))

    least = LENGTHS[0]
    brief = [
        f"{name} {' and '.join(shares)}"
        for name in MODELS
        for shares in (
            [
                ", ".join(f"{x:.2f}" for x in result[f"{name}, short sounds: {part}"].at(least))
                + f" {words}"
                for part, words in (("letters", "right"), ("forward", "forward"))
            ],
        )
    ]

    def both(name: str) -> str:
        known, forward = (result[f"{name}: {part}"] for part in ("letters", "forward"))
        return ", ".join(
            f"{known.at(length).mean():.2f} and {forward.at(length).mean():.2f} with {length}"
            for length in (short, longest, beyond)
        )

    return (
        f"Share of letters that are right, and of steps in which the largest weight moves forward, "
        f"by the number of letters ({longest} are the most in training). Scores from content "
        f"and place: {both('content and place')}. From content only: {both('content only')}. "
        f"Forward does not mean on the spot: at {longest} letters, in {seeds} of the steps, seed "
        f"by seed, the largest weight of the former is on the frames of the letter being written. "
        f"With sounds of one or two frames instead of two to five, the largest weight stays or "
        f"jumps back more often. With {least} letters, seed by seed: {'; '.join(brief)}."
    )


def figure(result: Result) -> Figure:
    """Return a figure of how many letters are correct."""
    names = ("content and place", "content only")
    return plot_curves(
        {name: result[f"{name}: letters"] for name in names},
        accent="content and place",
        chance=0.1,
        trained_to=8,
        x_label="letters in the utterance",
        y_label="letters that are right",
    )


def _loss(model: nn.Module, batch: Utterances) -> Tensor:
    from torch.nn.functional import cross_entropy

    from attnlab.models.training import tensor

    letters = tensor(batch.letters)
    return cross_entropy(model(tensor(batch.frames), letters).flatten(0, 1), letters.flatten())
