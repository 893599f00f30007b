"""What does one vector lose of a sentence as it grows? Whole translations, word by word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attnlab.experiments.grammar import Grammar, Sentences
from attnlab.experiments.results import Claim, Curve, Result

if TYPE_CHECKING:
    from torch import Tensor, nn

CLAIM = Claim(
    name="bottleneck",
    claim="A fixed vector loses the content of a sentence as it grows; attention does not.",
    source="Bahdanau et al. (2015), section 1, after Cho et al. (2014), On the Properties.",
    refuted_by="A fixed vector that translates the longest trained sentences as well as attention.",
    seconds=400,
)
TRAINED = (0, 1, 2, 3, 4, 5, 6)
PHRASES = (0, 1, 2, 3, 4, 5, 6, 7, 8)
WIDTHS = {
    "vector of 16": 16,
    "vector of 32": 32,
    "vector of 64": 64,
    "vector of 128": 128,
    "attention": 64,
}


def train(name: str, seed: int = 0, steps: int = 3000) -> nn.Module:
    """Return a trained model: one of ``WIDTHS``.

    Raises
    ------
    ValueError
        If there is no such model.
    """
    from attnlab.experiments import training, translators

    if name not in WIDTHS:
        raise ValueError(f"model is {name!r}; expected one of {', '.join(WIDTHS)}")
    grammar = Grammar("french")
    with training.one_thread(seed):
        kind = "AttentionTranslator" if name == "attention" else "FixedVectorTranslator"
        model = getattr(translators, kind)(grammar, WIDTHS[name])
        batches = training.sentences(grammar, seed, steps, 64, TRAINED)
        training.fit(model, batches, _loss, learning_rate=0.005, decay_steps=steps)
    return model


def right(model: nn.Module, grammar: Grammar, test: Sentences) -> dict[str, float]:
    """Return the shares of sentences, of words and of the participles' genders that are right."""
    from attnlab.experiments import training, translators

    given = translators.translate(model, training.tensor(test.tokens), test.target.shape[1])
    same = given.numpy() == test.target
    participle = given[:, -2].numpy() - grammar.first_participle
    gender = (participle >= 0) & (participle % 2 == test.participle % 2)
    return {
        "sentence": float(same.all(axis=1).mean()),
        "word": float(same.mean()),
        "gender": float(gender.mean()),
    }


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train each model with every seed and let it translate sentences of each length.

    ``quick`` shortens training and tests fewer lengths: a smoke test, not a result.
    """
    from attnlab.experiments import training

    watch = training.Stopwatch()
    phrases = (0, 6) if quick else PHRASES
    grammar = Grammar("french")
    tests = [training.exam(grammar, n, 100 if quick else 500) for n in phrases]
    curves = {}
    for name in WIDTHS:
        found = []
        for seed in seeds:
            model = train(name, seed, steps=60 if quick else 3000)
            found.append([right(model, grammar, test) for test in tests])
        for part in ("sentence", "word", "gender"):
            curves[f"{name}: {part}"] = Curve(phrases, [[r[part] for r in row] for row in found])
    settings = {"trained on phrases": list(TRAINED), "test sentences": 500, "quick": quick}
    return Result(CLAIM, curves, list(seeds), settings, watch.seconds)


def _loss(model: nn.Module, batch: Sentences) -> Tensor:
    from torch.nn.functional import cross_entropy

    from attnlab.experiments.training import tensor

    target = tensor(batch.target)
    return cross_entropy(model(tensor(batch.tokens), target).flatten(0, 1), target.flatten())


if __name__ == "__main__":
    from attnlab.experiments.registry import main

    raise SystemExit(main([CLAIM.name]))
