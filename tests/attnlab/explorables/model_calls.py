"""Calls of the figures that run a model, with what NumPy gives for the same weights."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import numpy as np

import attn
from attnlab.data.fables import tell
from attnlab.data.grammar import Grammar
from attnlab.data.repeats import PERIODS
from attnlab.explorables import Translation
from attnlab.explorables.circuit import BY_NUMBER
from attnlab.explorables.translation import MOST_PHRASES, NUM_BEST, NUM_SHOWN
from attnlab.explorables.writer import sharpest
from attnlab.gpt import load, next_token, to_tokens
from attnlab.gpt.reading import attention_maps
from attnlab.gpt.trained import words
from attnlab.models import formation, numpy_continuer, numpy_translator

from .calls import Call, call, made

GRAMMAR = Grammar("french")
SHOWN = [("one period", 150), ("many periods", 280)]
#: Texts as a reader may type them, and in the model's words.
TYPED = {
    "Once there was an old fox named Mara, who": "once there was an old fox named Mara , who",
    'ONCE there was mara. "Who has it?" asked': "once there was Mara . “ who has it ? ” asked",
    "once there  was": "once there was",
}


def in_file(content: bytes) -> dict[str, Any]:
    """Return what stands for the bytes of a file."""
    return made("text.fromBase64", base64.b64encode(content).decode())


def texts(condition: str, size: int = 32) -> tuple[Any, Any]:
    return numpy_continuer.draw(formation.TEST_SEED, size, PERIODS[condition])


def of_circuit(shared: dict[str, Any]) -> Iterator[Call]:
    """Yield calls of the figure of a circuit, whose checkpoints go into ``shared``."""
    for condition, step in SHOWN:
        arrays = made("encoder/tensors.tensorsOf", in_file(formation.content(condition, step)))
        shared[condition] = made("circuit/weights.weightsOf", arrays)
        weights, model = formation.weights(condition, step), {"$shared": condition}
        tokens, periods = texts(condition)
        gives = {"texts": tokens, "periods": periods}
        yield call("circuit/readings.testTexts", condition, gives=gives)
        for text in (tokens[0], [10, 16, 3, 12, 10, 16, 3, 10], [5, 5, 5]):
            maps = numpy_continuer.read(weights, np.array([text])).weights
            layers = [{"weights": layer} for layer in maps[0].reshape(2, 2, -1)]
            yield call("circuit/forward.read", model, text, gives={"layers": layers}, within=1e-8)
        maps = numpy_continuer.read(weights, tokens[:1]).weights
        previous = numpy_continuer.previous_token_scores(maps).ravel()
        induction = numpy_continuer.mean_induction_scores(maps, tokens[:1]).ravel()
        of = "circuit/measures"
        for head, before, after in zip(maps.reshape(4, -1), previous, induction, strict=True):
            yield call(f"{of}.previousTokenScore", head, len(tokens[0]), gives=before)
            yield call(f"{of}.inductionScore", head, tokens[0], gives=after)
        yield call(f"{of}.inductionScore", [1.0] * 9, [1, 2, 3], gives=None)
        for off in ([], [12], [11, 21], [11, 12, 21, 22]):
            logits = numpy_continuer.read(weights, tokens, [BY_NUMBER[n] for n in off]).logits
            loss = numpy_continuer.loss_in_repeats(logits, tokens, periods)
            given = (model, condition, off)
            yield call("circuit/readings.measure", *given, gives={"loss": loss}, within=1e-8)
            means = made("circuit/readings.measure", *given, part="means")
            shares = {"shares": attn.softmax(logits[2]).ravel()}
            given = (model, tokens[2], means)
            yield call("circuit/forward.read", *given, gives=shares, within=1e-8)


def sentences(seed: int) -> list[str]:
    """Return one random sentence with each number of phrases."""
    rng = np.random.default_rng(seed)
    found = []
    for phrases in range(MOST_PHRASES + 1):
        tokens = GRAMMAR.sample(rng, 1, phrases).tokens[0]
        text = [word.removeprefix("the ") for word in GRAMMAR.english(tokens)]
        found.append(" ".join(word for word in text if word != "had been"))
    return found


def of_translation(shared: dict[str, Any]) -> Iterator[Call]:
    """Yield calls of the figure of a translation, whose model goes into ``shared``."""
    file, unpack = in_file(numpy_translator.PATH.read_bytes()), "translation/npz.unpack"
    weights, state = numpy_translator.load(), Translation().state()
    names = ("nouns", "prepositions", "verbs", "target", "feminine")
    shared |= {"translator": made(unpack, file), "lexicon": {name: state[name] for name in names}}
    lexicon = {"$shared": "lexicon"}
    arrays = {name: np.atleast_2d(array) for name, array in weights.items()}
    yield call(unpack, file, gives=arrays, within=0)
    for size in (3, 30):
        said = f"{size} bytes that are not an npz file"
        yield call(unpack, in_file(bytes(size)), refuses=said)
    of = "translation/sentence"
    for sentence, hidden, uniform in (
        *((sentence, [], False) for sentence in sentences(5)),
        *((sentence, [], True) for sentence in sentences(6)),
        *((sentence, [0, len(sentence.split())], False) for sentence in sentences(7)),
        ("apple under tree behind house picked", [1, 3], True),
    ):
        pair = GRAMMAR.parse(sentence)
        tokens, parsed = pair.tokens[0], made(f"{of}.parsed", lexicon, sentence)
        yield call(f"{of}.english", lexicon, parsed, gives=GRAMMAR.english(tokens))
        yield call(f"{of}.tokensOf", lexicon, parsed, gives=tokens)
        yield call(f"{of}.translation", lexicon, parsed, gives=pair.target[0])
        steps = numpy_translator.translate(weights, tokens, hidden, uniform)
        best = np.argsort(-steps.shares, axis=1, kind="stable")[:, :NUM_BEST]
        gives = [
            {"word": word, "scores": scores, "weights": row, "context": context[:NUM_SHOWN],
             "best": [[n, shares[n]] for n in first]}
            for word, scores, row, context, first, shares in zip(
                steps.words, steps.scores, steps.weights, steps.contexts, best, steps.shares,
                strict=True)
        ]  # fmt: skip
        given = ({"$shared": "translator"}, tokens, hidden, uniform)
        yield call("translation/model.translate", *given, gives=gives, within=1e-9)
    yield call(f"{of}.parsed", lexicon, " apple  picked ", gives=["apple", "picked"])
    long = f"apple {'under tree ' * 9}picked"
    for other in ("", "apple", "apple under picked", "cat picked", "apple tree house picked",
                  "apple under", long):  # fmt: skip
        yield call(f"{of}.parsed", lexicon, other, gives=None)


def of_writer(rng: np.random.Generator) -> Iterator[Call]:
    """Yield calls of the figures that write fables: heads, the next word, typed texts."""
    for temperature in (0.0, 0.1, 0.8, 2.0) * 10:
        logits, draw = rng.normal(size=12) * 3, float(rng.random())
        given = ({"logits": logits, "weights": []}, temperature, draw)
        gives = next_token(logits, temperature, draw)
        yield call("writer/source.nextToken", *given, gives=gives)
    for seed in range(2):
        tokens = to_tokens(" ".join(tell(np.random.default_rng(seed)).words))
        maps = attention_maps(np.array(tokens), load())
        is_word = [words()[token][0].isalpha() for token in tokens]
        for i in range(len(tokens)):
            rows = maps[:, :, i, : i + 1]
            reading = {"logits": [], "weights": rows}
            yield call("writer/heads.sharpest", reading, is_word, gives=sharpest(rows, tokens))
    of, known = "your_writer/typed", words()
    for text, spaced in TYPED.items():
        yield call(f"{of}.tokensOf", text, known, gives=to_tokens(spaced))
    yield call(f"{of}.tokensOf", "Once there was a dragon named Mara", known, gives="dragon")
    for word, gives in (("foxx", ["fox"]), ("Karla", ["Karl"])):
        yield call(f"{of}.nearest", word, known, 1, gives=gives)
