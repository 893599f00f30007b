"""A trained translator reads any sentence of its grammar, and each word shows where it looks."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
from attnlab.explorables.fields import field
from attnlab.models import numpy_translator
from attnlab.models.numpy_translator import GRAMMAR
from attnlab.models.numpy_translator import Translation as Written

#: Training had up to six.
MOST_PHRASES = 8
#: How many numbers of a context vector, and how many candidates for a word, are shown.
NUM_SHOWN, NUM_BEST = 4, 3
#: Decimals of stored numbers; with four, 0.00496 was 0.0050 and then shown as 0.01.
_STORED = 7


def _english(words: Any) -> list[str]:
    return [word.english for word in words]


class Translation(Explorable):
    """The course's first translator at work: words read, words written, and the weights between.

    Parameters
    ----------
    sentence
        A subject, up to 8 prepositions each with a noun, and a participle: ``"apple picked"`` is
        *the apple had been picked*.
    hidden
        Positions of tokens, from 0, that the decoder may not attend to. The encoder reads them.
    uniform
        Whether every token that is not hidden gets the same weight.
    step
        The step of the decoder whose numbers are shown, from 0.
    nouns, prepositions, verbs, target, feminine
        The words of the grammar, the tokens of the translation, and which nouns are feminine.
    stored
        The answer to the first sentence, which is shown before the weights have come.
    wanted, weights
        In a notebook, whether the front end asks for the model, and its file in base64.
    """

    sentence = field(fields.text, "apple under tree behind house picked")
    hidden = field(fields.counts, [])
    uniform = field(fields.flag, False)
    step = field(fields.count, 6)
    nouns = field(fields.words, _english(GRAMMAR.nouns))
    prepositions = field(fields.words, _english(GRAMMAR.prepositions))
    verbs = field(fields.words, _english(GRAMMAR.verbs))
    target = field(fields.words, GRAMMAR.target_words())
    feminine = field(fields.words, [n.english for n in GRAMMAR.nouns if n.feminine])
    stored = field(fields.mapping, {})
    wanted = field(fields.flag, False)
    weights = field(fields.text, "")

    def __init__(self, **state: Any) -> None:
        super().__init__(**state)
        if not self.stored and numpy_translator.PATH.is_file():
            self.stored = self.stored_steps()
        self.observe(self._give, "wanted")

    def check(self) -> None:
        """Raise ValueError unless the sentence is in the grammar and a word of it is visible."""
        count = GRAMMAR.parse(self.sentence).tokens.shape[1]
        if count > 3 + 2 * MOST_PHRASES:
            raise ValueError(
                f"sentence has {(count - 3) // 2} phrases; expected at most {MOST_PHRASES}"
            )
        if not set(self.hidden) < set(range(count)):
            raise ValueError(
                f"hidden is {self.hidden}; expected positions from 0 to {count - 1}, and not all"
            )

    def _give(self, change: Any) -> None:
        if change["new"]:
            self.weights = base64.b64encode(numpy_translator.PATH.read_bytes()).decode()

    def written(self) -> Written:
        """Return what the model does at each step."""
        tokens = GRAMMAR.parse(self.sentence).tokens[0]
        return numpy_translator.translate(
            numpy_translator.load(), tokens, self.hidden, self.uniform
        )

    def stored_steps(self) -> dict[str, Any]:
        """Return what the page shows of each step, and of which sentence."""
        made = self.written()
        best = np.argsort(-made.shares, axis=1, kind="stable")[:, :NUM_BEST]
        steps = [
            {
                "word": int(made.words[i]),
                "scores": made.scores[i].round(_STORED).tolist(),
                "weights": made.weights[i].round(_STORED).tolist(),
                "context": made.contexts[i, :NUM_SHOWN].round(_STORED).tolist(),
                "best": [
                    [int(word), round(float(made.shares[i, word]), _STORED)] for word in best[i]
                ],
            }
            for i in range(len(made.words))
        ]
        return {"of": [self.sentence, self.hidden, self.uniform], "steps": steps}
