"""Generate sentences of a synthetic grammar with real words, and their translations.

"the apple | under | the lamp | behind | the wall | had been | picked": a subject, any number of
phrases (a preposition and a noun that is not the subject), and a participle that agrees with the
subject in French and Italian. An article and its noun are one token. The grammar has one
sentence pattern; mastering it does not make a model a translator.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnlab.data import lexicon
from attnlab.data.lexicon import AUXILIARY, Language

Tokens = NDArray[np.int64]


@dataclass(frozen=True)
class Sentences:
    """A batch of sentences with equally many phrases.

    Parameters
    ----------
    tokens : array of int, shape (batch, 3 + 2 * num_phrases)
        English. The subject is token 0, the verb is the last one.
    participle : array of int, shape (batch,)
        The correct participle: ``2 * verb + feminine``.
    target : array of int, shape (batch, 4 + 2 * num_phrases)
        The whole translation, closed by `Grammar.END`.
    """

    tokens: Tokens
    participle: Tokens
    target: Tokens


class Grammar:
    """The grammar with its translation into one language: draws sentences and writes them as text.

    Parameters
    ----------
    language : "french" or "italian"

    Examples
    --------
    >>> grammar = Grammar("french")
    >>> sentences = grammar.sample(np.random.default_rng(2), batch=1, num_phrases=1)
    >>> " ".join(grammar.english(sentences.tokens[0]))
    'the wall under the window had been sold'
    >>> " ".join(grammar.translation(sentences.target[0]))
    'le mur sous la fenêtre avait été vendu'
    """

    BEGIN, END = 0, 1
    #: First target token that is a noun.
    FIRST_NOUN = 2

    def __init__(self, language: Language = "french") -> None:
        if language not in lexicon.LANGUAGES:
            raise ValueError(f"language is {language!r}; expected one of {lexicon.LANGUAGES}")
        self.language = language
        self.nouns = lexicon.nouns(language)
        self.verbs = lexicon.verbs(language)
        self.prepositions = lexicon.prepositions(language)
        self.feminine = np.array([noun.feminine for noun in self.nouns])
        # English tokens: nouns, verbs, prepositions, "had been".
        self._verb, self._preposition = len(self.nouns), len(self.nouns) + len(self.verbs)
        self._had_been = self._preposition + len(self.prepositions)
        # Target tokens: begin, end, nouns, prepositions, both auxiliaries, participles.
        self._target_preposition = self.FIRST_NOUN + len(self.nouns)
        self._auxiliary = self._target_preposition + len(self.prepositions)
        #: First target token that is a participle; add ``2 * verb + feminine`` to get any of them.
        self.first_participle = self._auxiliary + 2

    @property
    def num_tokens(self) -> int:
        """Size of the English vocabulary."""
        return self._had_been + 1

    @property
    def num_participles(self) -> int:
        """Number of participles: two for each verb."""
        return 2 * len(self.verbs)

    @property
    def num_targets(self) -> int:
        """Size of the target vocabulary."""
        return self.first_participle + self.num_participles

    def sample(self, rng: np.random.Generator, batch: int, num_phrases: int) -> Sentences:
        """Return random sentences, every word drawn independently."""
        nouns = rng.integers(len(self.nouns), size=(batch, num_phrases + 1))
        prepositions = rng.integers(len(self.prepositions), size=(batch, num_phrases))
        return self.build(nouns, prepositions, rng.integers(len(self.verbs), size=batch))

    def build(self, nouns: Tokens, prepositions: Tokens, verb: Tokens) -> Sentences:
        """Return the sentences with the given words, as numbers in the word lists.

        ``nouns`` has shape (batch, num_phrases + 1), the subject first.
        """
        batch, length = len(nouns), 1 + 2 * prepositions.shape[1]
        feminine = self.feminine[nouns[:, 0]].astype(np.int64)
        tokens = np.full((batch, length + 2), self._had_been)
        target = np.full((batch, length + 3), self.END)
        tokens[:, 0:length:2], target[:, 0:length:2] = nouns, nouns + self.FIRST_NOUN
        tokens[:, 1:length:2] = prepositions + self._preposition
        target[:, 1:length:2] = prepositions + self._target_preposition
        tokens[:, -1] = verb + self._verb
        participle = 2 * verb + feminine
        # Where the auxiliary has a single form, as in French, it must not reveal the gender.
        agrees = len(set(AUXILIARY[self.language])) > 1
        target[:, -3] = self._auxiliary + feminine * agrees
        target[:, -2] = self.first_participle + participle
        return Sentences(tokens, participle, target)

    def redrawn(self, tokens: Tokens, rng: np.random.Generator) -> Tokens:
        """Return for each English token a random one of its kind, such as a noun for a noun."""
        first = np.array([0, self._verb, self._preposition, self._had_been, self.num_tokens])
        kind = np.searchsorted(first, tokens, side="right")
        return rng.integers(first[kind - 1], first[kind])

    def sentence(self, subject: str, *rest: str) -> Sentences:
        """Return one sentence: ``sentence("apple", "under lamp", "picked")``.

        Raises
        ------
        ValueError
            If a word is not in the lexicon.
        """
        *phrases, verb = rest
        pairs = [phrase.split() for phrase in phrases]
        nouns = [subject, *(noun for _, noun in pairs)]
        return self.build(
            np.array([[_find(self.nouns, noun) for noun in nouns]]),
            np.array([[_find(self.prepositions, word) for word, _ in pairs]], dtype=np.int64),
            np.array([_find(self.verbs, verb)]),
        )

    def parse(self, text: str) -> Sentences:
        """Return a sentence from its words, without *the* and *had been*: ``"apple picked"``.

        Raises
        ------
        ValueError
            If it is not a noun, any number of prepositions each with a noun, and a participle.
        """
        words = text.split()
        if len(words) < 2 or len(words) % 2:
            raise ValueError(
                f"sentence is {text!r}; expected a noun, prepositions each with a noun, and a "
                "participle, such as 'apple under tree picked'"
            )
        phrases = (" ".join(words[i : i + 2]) for i in range(1, len(words) - 1, 2))
        return self.sentence(words[0], *phrases, words[-1])

    def english(self, tokens: Tokens) -> list[str]:
        """Return one sentence's tokens, shape (num_tokens,), as text."""
        return [self._english(int(token)) for token in tokens]

    def translation(self, target: Tokens) -> list[str]:
        """Return one target's tokens as text, up to and without END."""
        stop = list(target).index(self.END) if self.END in target else len(target)
        return [self._translated(int(token)) for token in target[:stop]]

    def target_words(self) -> list[str]:
        """Return the text of every target token, END included."""
        words = [self._translated(token) for token in range(self.num_targets)]
        words[self.END] = "(end)"
        return words

    def participle(self, number: int) -> str:
        """Return a participle by its number: ``2 * verb + feminine``."""
        return self.verbs[number // 2].forms[number % 2]

    def _english(self, token: int) -> str:
        if token < self._verb:
            return f"the {self.nouns[token].english}"
        if token < self._preposition:
            return self.verbs[token - self._verb].english
        if token < self._had_been:
            return self.prepositions[token - self._preposition].english
        return "had been"

    def _translated(self, token: int) -> str:
        if token == self.BEGIN:
            return "(begin)"
        if token < self._target_preposition:
            return self.nouns[token - self.FIRST_NOUN].forms[0]
        if token < self._auxiliary:
            return self.prepositions[token - self._target_preposition].forms[0]
        if token < self.first_participle:
            return AUXILIARY[self.language][token - self._auxiliary]
        return self.participle(token - self.first_participle)


def _find(words: tuple[lexicon.Word, ...], english: str) -> int:
    known = [word.english for word in words]
    if english not in known:
        raise ValueError(f"{english!r} is not in the lexicon; expected one of {', '.join(known)}")
    return known.index(english)
