"""TypeScript computes what `attn` computes: one set of fixtures, made here, checked in node."""

from __future__ import annotations

from typing import Any

import numpy as np

import attn
from attnlab.drawing import scales
from attnlab.drawing.heat_table import number
from attnlab.explorables import (
    AttentionRow,
    Pipeline,
    Reach,
    Saturation,
    ScoreFunctions,
    SoftDictionary,
    WindowMask,
)
from attnlab.explorables.base import literal


def attended(rng: np.random.Generator, count: int) -> dict[str, Any]:
    """Return one query, its keys and values, and what attn makes of them; some scores are huge."""
    query, key, value = (rng.normal(size=(n, 2)).round(2) for n in (1, count, count))
    query *= rng.choice([1, 1, 1000])
    scaled = bool(rng.integers(2))
    score = attn.scaled_dot_score if scaled else attn.dot_score
    weights = attn.softmax(score(query, key))
    return {
        "query": query[0].tolist(),
        "key": key.tolist(),
        "value": value.tolist(),
        "scaled": scaled,
        "scores": score(query, key)[0].tolist(),
        "weights": weights[0].tolist(),
        "context": (weights @ value)[0].tolist(),
    }


def mixed(rng: np.random.Generator, selected: int, sharpness: float) -> dict[str, Any]:
    """Return one row of attention over random vectors, as the first figure of the book shows it."""
    query, key = (rng.normal(scale=3, size=(4, 3)).round(2).tolist() for _ in range(2))
    value = rng.normal(size=(4, 2)).round(2).tolist()
    shown = AttentionRow(query=query, key=key, value=value, selected=selected, sharpness=sharpness)
    return {"query": query[selected], "key": key, "value": value, "sharpness": sharpness,
            "scores": shown.scores().tolist(), "weights": shown.weights().tolist(),
            "output": shown.output().tolist()}  # fmt: skip


def looked_up(rng: np.random.Generator, temperature: float) -> dict[str, Any]:
    score = rng.normal(size=5).round(1).tolist()
    score[3] = max(score)  # a tie
    value = rng.normal(size=5).round(2).tolist()
    entries = list("abcde")
    shown = SoftDictionary(entries=entries, score=score, value=value, temperature=temperature)
    weights, answer = shown.weights().tolist(), float(shown.answer())
    return {"score": score, "value": value, "temperature": temperature, "weights": weights,
            "answer": answer}  # fmt: skip


def masked(rng: np.random.Generator) -> dict[str, Any]:
    score = rng.normal(scale=3, size=(3, 5)).round(1)
    mask = rng.random((3, 5)) < 0.5
    mask[1] = rng.integers(2)
    weights = attn.softmax(score, mask=mask)
    return {"score": score.tolist(), "mask": mask.tolist(), "weights": weights.tolist()}


def presets(rows: int, columns: int, length: int) -> dict[str, Any]:
    padding = np.broadcast_to(attn.padding_mask([length], columns)[0], (rows, columns))
    causal = attn.causal_mask(rows, columns)
    return {
        "sizes": [rows, columns, length],
        "padding": padding.tolist(),
        "causal": causal.tolist(),
        "both": (padding & causal).tolist(),
    }


def colours() -> list[dict[str, Any]]:
    return [
        {"hue": hue, "percent": percent, "text": scales.text_colour(hue, percent)}
        for hue in ("ink", "positive", "negative")
        for percent in range(101)
    ]


def sentence(rng: np.random.Generator) -> dict[str, Any]:
    query, key = rng.normal(size=(4, 5)).round(2), rng.normal(size=(6, 5)).round(2)
    weights = attn.attention_weights(query, key)
    return {"query": query.tolist(), "key": key.tolist(), "weights": weights.tolist()}


def window(count: int, width: int, marked: list[int], causal: bool, layers: int) -> dict[str, Any]:
    shown = WindowMask(
        num_tokens=count, window=width, global_tokens=marked, is_causal=causal, num_layers=layers,
        selected=0,
    )  # fmt: skip
    pattern = {"tokens": count, "window": width, "globals": marked, "causal": causal}
    mask, reach = shown.mask().tolist(), shown.reach().tolist()
    return {"pattern": pattern, "layers": layers, "mask": mask, "reach": reach}


def reached(phrases: int, kernel: int, layers: int, attention: bool) -> dict[str, Any]:
    shown = Reach(phrases=phrases, kernel=kernel, layers=layers, attention=attention)
    stack = {"kernel": kernel, "layers": layers, "attention": attention}
    return {"tokens": shown.tokens, "phrases": phrases, "stack": stack,
            "sentence": shown.sentence(), "cone": shown.cone().tolist(),
            "needed": shown.needed()}  # fmt: skip


def stepped(sentence: str, is_causal: bool) -> dict[str, Any]:
    shown = Pipeline(sentence=sentence, is_causal=is_causal)
    return {"state": shown.state(), "tokens": shown.tokens(), "mask": shown.mask().tolist(),
            "weights": shown.weights().tolist(), "output": shown.output().tolist()}  # fmt: skip


def compared(rng: np.random.Generator) -> dict[str, Any]:
    parameters = {
        "query": rng.normal(size=2), "key": rng.normal(size=(4, 2)), "w_score": rng.normal(size=2),
        **{name: rng.normal(size=(2, 2)) for name in ("w_general", "w_query", "w_key")},
    }  # fmt: skip
    shown = ScoreFunctions(**parameters)
    scores = {name: row.tolist() for name, row in shown.scores().items()}
    return {"inputs": shown.state(), "scores": scores}


def saturated(exponent: int) -> dict[str, Any]:
    shown = Saturation(exponent=exponent)
    return {"state": shown.state(), "weights": shown.weights().tolist(),
            "norms": shown.gradients().tolist()}  # fmt: skip


def literals() -> list[dict[str, Any]]:
    values: list[Any] = [[1.0, 0.5], -0.25, [[True, False], [False, True]], 100.0, [], 0.0001]
    made = [{"value": value, "whole": False, "python": literal(value)} for value in values]
    whole: list[Any] = [[0, 7], 2]
    return made + [{"value": value, "whole": True, "python": literal(value)} for value in whole]


#: Numbers of any size in few characters.
SHORTS = [(0.0, "0.00"), (3.1e-7, "3.1e−7"), (0.006, "0.01"), (2.718, "2.72")]
SHORTS += [(9999.0, "9999.00"), (1e4, "1.0e4"), (1.26e43, "1.3e43")]


def test_typescript_equals_numpy(in_node: Any) -> None:
    rng = np.random.default_rng(7)
    cases = {
        "attended": [attended(rng, count) for count in (1, 2, 3, 5) for _ in range(5)],
        "rows": [mixed(rng, i, sharpness) for i in (0, 3) for sharpness in (0.0, 1.0, 4.0)],
        "lookedUp": [looked_up(rng, t) for t in (0.0, 0.05, 0.5, 1.0, 7.0, 100.0)],
        "masked": [masked(rng) for _ in range(20)],
        "sentences": [sentence(rng) for _ in range(3)],
        "windows": [
            window(7, 2, [], False, 1),
            window(7, 1, [0, 5], False, 2),
            window(11, 2, [], True, 3),
            window(5, 0, [3], True, 2),
        ],
        "reaches": [
            reached(phrases, kernel, layers, attention)
            for phrases in (0, 3, 4, 8)
            for kernel, layers in ((2, 1), (3, 4), (7, 3), (4, 8))
            for attention in (False, True)
        ],
        "pipelines": [
            stepped(sentence, is_causal)
            for sentence in ("the cat drank milk", "Paris", "L’été, she's gone; one 2 three four!")
            for is_causal in (False, True)
        ],
        "compared": [compared(rng) for _ in range(5)],
        "saturated": [saturated(exponent) for exponent in (0, 1, 4, 10)],
        "presets": [presets(*sizes) for sizes in ((5, 5, 3), (3, 5, 4), (2, 7, 0), (7, 3, 3))],
        "colours": colours(),
        "numbers": [[x, d, number(x, d)] for x in (-1.5, -0.001, 0.0, 2.26, 470.0) for d in (1, 2)],
        "shorts": SHORTS,
        "literals": literals(),
    }
    in_node("arithmetic.test.ts", cases, 17)
