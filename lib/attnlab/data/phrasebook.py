"""Make sentences like "the cat sat on the mat", with their French and every word's alignment.

One pattern: article, noun, verb, preposition, article, noun, each noun with an adjective or
without. In French the adjective follows its noun and agrees with it, and the verb is two words: *le
chat noir s'est assis sur le tapis*. So the alignment is not the diagonal.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Tokens = NDArray[np.int64]

# English: French, gender. None begins with a vowel, so no article is elided.
WHO = "cat:chat m, dog:chien m, boy:garçon m, girl:fille f, mouse:souris f, cow:vache f"
WHERE = (
    "mat:tapis m, bed:lit m, wall:mur m, roof:toit m, "
    "chair:chaise f, table:table f, box:boîte f, car:voiture f"
)
# English: French masculine, feminine.
ADJECTIVES = "black:noir noire, white:blanc blanche, green:vert verte, grey:gris grise"
# English: auxiliary, participle masculine, feminine; s'est and est are one token each.
VERBS = "sat:s'est assis assise, fell:est tombé tombée, stayed:est resté restée"
PREPOSITIONS = "on:sur, under:sous, behind:derrière"


def _entries(table: str) -> list[tuple[str, list[str]]]:
    parts = (entry.strip().split(":") for entry in table.split(","))
    return [(english, french.split()) for english, french in parts]


@dataclass(frozen=True)
class Pairs:
    """Sentences of one shape with their translations.

    Parameters
    ----------
    tokens : array of int, shape (batch, num_tokens)
    target : array of int, shape (batch, num_targets)
        Closed by END.
    aligned : array of int, shape (batch, num_targets)
        The position of the English word that each French word translates; END has the last one.
    kind : array of str, shape (batch, num_targets)
        "article", "noun", "adjective", "auxiliary", "participle", "preposition" or "end".
    """

    tokens: Tokens
    target: Tokens
    aligned: Tokens
    kind: NDArray[np.str_]


class Phrasebook:
    """The vocabulary as tokens: draws sentences and writes them as text.

    Examples
    --------
    >>> book = Phrasebook()
    >>> pairs = book.sample(np.random.default_rng(0), 1, (True, False))
    >>> " ".join(book.english(pairs.tokens[0]))
    'the grey cow fell on the roof'
    >>> " ".join(book.french(pairs.target[0]))
    'la vache grise est tombée sur le toit'
    >>> pairs.aligned[0]
    array([0, 2, 1, 3, 3, 4, 5, 6, 6])
    """

    #: Whether the first noun has an adjective, and the second.
    SHAPES = ((False, False), (True, False), (False, True), (True, True))
    END = "(end)"

    def __init__(self) -> None:
        self._who, self._where = _entries(WHO), _entries(WHERE)
        self._adjectives, self._verbs = _entries(ADJECTIVES), _entries(VERBS)
        self._prepositions = _entries(PREPOSITIONS)
        english, french = ["the"], ["(begin)", self.END, "le", "la"]
        for entries in (self._who, self._where, self._adjectives, self._verbs, self._prepositions):
            english += [word for word, _ in entries]
            french += [form for _, forms in entries for form in forms if form not in ("m", "f")]
        self._english = list(dict.fromkeys(english))
        self._french = list(dict.fromkeys(french))

    @property
    def num_tokens(self) -> int:
        """Size of the English vocabulary."""
        return len(self._english)

    @property
    def num_targets(self) -> int:
        """Size of the French vocabulary."""
        return len(self._french)

    def sample(
        self, rng: np.random.Generator, batch: int, shape: tuple[bool, bool] | None = None
    ) -> Pairs:
        """Return random sentences of one of ``SHAPES``, drawn at random by default."""
        first, second = self.SHAPES[rng.integers(len(self.SHAPES))] if shape is None else shape
        rows = [self._one(rng, first, second) for _ in range(batch)]
        tokens = [[self._english.index(word) for word in english] for english, _ in rows]
        target = [[self._french.index(word) for word, _, _ in french] for _, french in rows]
        aligned = [[at for _, at, _ in french] for _, french in rows]
        kind = [[name for _, _, name in french] for _, french in rows]
        return Pairs(np.array(tokens), np.array(target), np.array(aligned), np.array(kind))

    def english(self, tokens: Tokens) -> list[str]:
        """Return one sentence's tokens as text."""
        return [self._english[token] for token in tokens]

    def french(self, target: Tokens) -> list[str]:
        """Return one target's tokens as text, up to and without END."""
        words = [self._french[token] for token in target]
        return words[: words.index(self.END)] if self.END in words else words

    def _one(
        self, rng: np.random.Generator, first: bool, second: bool
    ) -> tuple[list[str], list[tuple[str, int, str]]]:
        """Return English words, and French words with their position in English and their kind."""
        english: list[str] = []
        french: list[tuple[str, int, str]] = []
        feminine = self._noun_phrase(rng, self._who, first, english, french)
        verb, (auxiliary, *participles) = self._verbs[rng.integers(len(self._verbs))]
        french.append((auxiliary, len(english), "auxiliary"))
        french.append((participles[feminine], len(english), "participle"))
        english.append(verb)
        preposition, (translated,) = self._prepositions[rng.integers(len(self._prepositions))]
        french.append((translated, len(english), "preposition"))
        english.append(preposition)
        self._noun_phrase(rng, self._where, second, english, french)
        return english, [*french, (self.END, len(english) - 1, "end")]

    def _noun_phrase(
        self,
        rng: np.random.Generator,
        nouns: list[tuple[str, list[str]]],
        with_adjective: bool,
        english: list[str],
        french: list[tuple[str, int, str]],
    ) -> bool:
        """Append "the grey cow" and "la vache grise"; return whether the noun is feminine."""
        word, (noun, gender) = nouns[rng.integers(len(nouns))]
        feminine, start = gender == "f", len(english)
        french.append(("la" if feminine else "le", start, "article"))
        french.append((noun, start + 1 + with_adjective, "noun"))
        english.append("the")
        if with_adjective:
            adjective, forms = self._adjectives[rng.integers(len(self._adjectives))]
            french.append((forms[feminine], start + 1, "adjective"))
            english.append(adjective)
        english.append(word)
        return feminine
