"""The writer's model: TypeScript equals NumPy, on 20 fables; what is recorded is a true run."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import pytest

from attnlab.data.fables import tell
from attnlab.explorables import Writer
from attnlab.gpt import gpt, load, next_token, softmax, to_text, to_tokens
from attnlab.gpt.page_file import content, flat
from attnlab.gpt.reading import attention_maps
from attnlab.gpt.trained import words
from attnlab.models.numpy_continuer import random_numbers
from attnlab.tensors import dumps

NUM_FABLES, NUM_WITH_MAPS = 8, 2


def fable(seed: int) -> dict[str, Any]:
    """Return a fable as the model was trained on, and what NumPy reads in it."""
    model, told = load(), tell(np.random.default_rng(seed))
    tokens = np.array(to_tokens(" ".join(told.words)))
    made = {
        "tokens": tokens.tolist(),
        "text": to_text(tokens),
        "shares": softmax(gpt(tokens, model)).tolist(),
    }
    if seed < NUM_WITH_MAPS:
        made["weights"] = attention_maps(tokens, model).tolist()
    return made


def test_typescript_equals_numpy(in_node: Any) -> None:
    fixtures = {
        "words": words(),
        "whole": base64.b64encode(dumps(flat(load()))).decode(),
        "small": base64.b64encode(content()).decode(),
        "fables": [fable(seed) for seed in range(NUM_FABLES)],
        "recorded": Writer().recorded,
    }
    in_node("writer.test.ts", fixtures, 5)


def test_what_readers_do_while_a_source_takes_its_time(in_node: Any) -> None:
    in_node("panel.test.ts", {}, 2)


def test_a_beginning_with_an_unknown_word_is_refused() -> None:
    with pytest.raises(ValueError, match="'dragon' is not a word of the fables"):
        Writer(beginnings=[{"label": "a dragon …", "text": "once there was a dragon"}])


def test_what_is_recorded_is_written_by_the_model() -> None:
    recorded, first = Writer().recorded, Writer().beginnings[0]
    tokens = to_tokens(first["text"])
    draws = random_numbers(first["seed"])
    since = len(tokens)
    read = gpt(np.array(recorded["tokens"][:-1]), load())[since - 1 :]
    for token, step, logits in zip(
        recorded["tokens"][since:], recorded["steps"][since - 1 :], read, strict=True
    ):
        assert token == next_token(logits, recorded["temperature"], next(draws))
        likely = softmax(logits.astype(float) / recorded["temperature"])
        assert [share for _, share in step["next"]] == [
            round(1000 * likely[number]) for number, _ in step["next"]
        ]
        assert step["next"][0][0] == likely.argmax()
