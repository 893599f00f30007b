"""Learn tokens from a text by merging frequent pairs: byte-pair encoding.

Gage (1994) compressed files like this, Sennrich, Haddow and Birch (2016) cut words for translation;
Radford et al. (2019), section 2.2, began with bytes, so that no text is without tokens. Their
pattern for words has more cases than ours.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

Pair = tuple[bytes, bytes]


def learn(text: str, num_merges: int) -> list[Pair]:
    """Return the pairs of tokens to merge, the most frequent one first.

    A token is a piece of a word with the space before it, and begins as a single byte.

    Examples
    --------
    >>> learn("an ant and an otter", 2)
    [(b'a', b'n'), (b' ', b'an')]
    """
    words = Counter(_words(text))
    pieces = {word: _bytes(word) for word in words}
    merges: list[Pair] = []
    for _ in range(num_merges):
        counts: Counter[Pair] = Counter()
        for word, times in words.items():
            for pair in pairwise(pieces[word]):
                counts[pair] += times
        if not counts:
            break
        merges.append(max(counts, key=lambda pair: (counts[pair], pair)))
        pieces = {word: _merge(parts, merges[-1]) for word, parts in pieces.items()}
    return merges


def encode(text: str, merges: list[Pair]) -> list[bytes]:
    """Return the tokens of any text: each merge in the order in which it was learned.

    Examples
    --------
    >>> encode("an antler", learn("an ant and an otter", 2))
    [b'an', b' an', b't', b'l', b'e', b'r']
    """
    tokens: list[bytes] = []
    for word in _words(text):
        parts = _bytes(word)
        for pair in merges:
            parts = _merge(parts, pair)
        tokens += parts
    return tokens


def decode(tokens: list[bytes]) -> str:
    """Return the text of the tokens."""
    return b"".join(tokens).decode()


def _words(text: str) -> list[str]:
    return re.findall(r"\s*\S+|\s+", text)


def _bytes(word: str) -> list[bytes]:
    return [bytes([byte]) for byte in word.encode()]


def _merge(parts: list[bytes], pair: Pair) -> list[bytes]:
    """Return the parts of a word with each occurrence of the pair as one token."""
    merged: list[bytes] = []
    for part in parts:
        if merged and (merged[-1], part) == pair:
            merged[-1] += part
        else:
            merged.append(part)
    return merged
