"""Tokens by byte pairs: what is learned from fables, and that no text is lost."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from attnlab.data import fables
from attnlab.gpt import byte_pairs, to_text

TEXTS = [
    to_text(fables.encode(fables.tell(np.random.default_rng(seed)).words)) for seed in range(40)
]
MERGES = byte_pairs.learn(" ".join(TEXTS), 150)


def test_the_first_merges_are_the_most_frequent_pairs() -> None:
    # By hand, of "an ant and an otter": a–n four times, and then the blank before "an" three times.
    assert byte_pairs.learn("an ant and an otter", 3)[:2] == [(b"a", b"n"), (b" ", b"an")]
    assert MERGES[:3] == [(b"h", b"e"), (b" ", b"t"), (b" t", b"he")]


def test_merges_stop_where_every_word_is_one_token() -> None:
    assert byte_pairs.learn("ant ant", 50)[2:] == [(b" ", b"ant")]
    assert byte_pairs.learn("", 5) == []


def test_a_pair_of_equal_tokens_is_merged_from_the_left() -> None:
    assert byte_pairs.encode("aaa", [(b"a", b"a")]) == [b"aa", b"a"]


@given(st.text(max_size=40))
def test_any_text_comes_back(text: str) -> None:
    assert byte_pairs.decode(byte_pairs.encode(text, MERGES)) == text


def test_fables_come_back_in_fewer_and_fewer_tokens() -> None:
    fable = to_text(fables.encode(fables.tell(np.random.default_rng(10_001)).words))
    counts = []
    for num_merges in (0, 10, 50, 150):
        tokens = byte_pairs.encode(fable, MERGES[:num_merges])
        assert byte_pairs.decode(tokens) == fable
        counts.append(len(tokens))
    assert counts[0] == len(fable.encode())
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] < 0.45 * counts[0]
