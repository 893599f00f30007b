"""Three sentences of 5, 2 and 3 tokens make one batch: the short ones are filled up with padding
tokens until all have the same length, here 7. Padding only makes the rows equally long. It means
nothing, so no query may attend to it.

Write `padding_mask`. Row $b$ says which keys of sentence $b$ are real; sentences begin at key 0,
and padding comes after. The mask is boolean and has the shape `(batch, 1, num_keys)`, so that one
row serves all queries of its sentence by broadcasting. `lengths` is an integer array; `num_keys`
may be more than the longest length, and a sentence may be empty.
"""

import numpy as np

import attn
from attn import scaled_dot_product_attention
from coursekit import (
    as_array,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_shape,
)

exercise(
    title="A mask for padding",
    version=2,
    withhold=["attn.padding_mask"],
    hints=[
        "The sentences have lengths 5, 2 and 3, and there are 7 keys. Write the three rows of True "
        "and False on paper.",
        "Key $j$ of sentence $b$ is real when $j$ is less than its length. `np.arange(num_keys)` "
        "gives all $j$ at once.",
        "Compare `np.arange(num_keys)`, of shape `(num_keys,)`, with the lengths in shape "
        "`(batch, 1, 1)`. Broadcasting gives `(batch, 1, num_keys)`.",
    ],
)


def padding_mask(lengths, num_keys):
    """Return True where a key is a real token, (batch, 1, num_keys).

    lengths: (batch,), the number of real tokens of each sentence
    """
    # BEGIN SOLUTION
    lengths = np.asarray(lengths)[:, None, None]  # (batch, 1, 1)
    return np.arange(num_keys) < lengths
    # END SOLUTION


MISTAKES = r"""
off-by-one: `<` → `<=`
    One key too many is visible. A sentence of length 2 has the keys 0 and 1, and key 2 is padding.
one-too-few: `< lengths` → `< lengths - 1`
    The last token of each sentence is hidden. A sentence of length 2 has the keys 0 and 1.
masks-queries: `np.arange(num_keys) < lengths` →
  `(np.arange(num_keys) < lengths) & (np.arange(num_keys)[:, None] < lengths)`
    Padding *queries* are masked too, so their rows see nothing at all: in a softmax such a row
    becomes NaN. Mask keys only; the outputs of padding are never read.
one-row-for-each-query: `np.arange(num_keys) < lengths` →
  `np.repeat(np.arange(num_keys) < lengths, num_keys, 1)`
    The numbers are right, but repeated for every query. One row for each sentence is enough:
    (batch, 1, num_keys).
causal: `np.arange(num_keys) < lengths` →
  `(np.arange(num_keys) < lengths) & np.tri(num_keys, dtype=bool)`
    The future is hidden as well. This mask is about padding only.
no-query-axis: `[:, None, None]` → `[:, None]`
    The axis for the queries is missing. Scores have shape (batch, num_queries, num_keys); a mask of
    shape (batch, num_keys) would be read as (num_queries, num_keys).
axis-at-the-end: `np.arange(num_keys)` → `np.arange(num_keys)[:, None]`
    The axis of length 1 is the last one, so the mask marks queries. Keys are on the last axis:
    (batch, 1, num_keys).
longest: `np.arange(num_keys)` → `np.arange(lengths.max())`
    The mask is as wide as the longest sentence. It needs num_keys columns.
same-for-all: `np.asarray(lengths)[:, None, None]` → `np.full((len(lengths), 1, 1), max(lengths))`
    All sentences have the same row, that of the longest one. Each has its own length.
nothing-hidden: `< lengths` → `>= 0 * lengths`
    No key is hidden.
not-boolean: `np.arange(num_keys) < lengths` → `(np.arange(num_keys) < lengths) * 1.0`
    The mask should be boolean. Numbers look alike, but `~mask` and `np.where` treat them
    differently.
aligned-right: `< lengths` → `>= num_keys - lengths`
    The padding is at the front. Here sentences start at key 0 and the padding comes after.
additive: `np.arange(num_keys) < lengths` → `np.where(np.arange(num_keys) < lengths, 0.0, -np.inf)`
    This is a mask to be added to scores, 0 and -inf. Return True and False.
at-least-one: `< lengths` → `< np.maximum(lengths, 1)`
    An empty sentence has one visible key. Its row should be all False.
mask-inverted: `<` → `>=`
"""


def _call(padding_mask, lengths, num_keys):
    what = f"padding_mask({lengths.tolist()}, {num_keys})"
    return as_array(call_keeping_inputs(padding_mask, lengths, num_keys), what), what


def _compare(padding_mask, lengths, num_keys):
    seen, what = _call(padding_mask, lengths, num_keys)
    right = attn.padding_mask(lengths, num_keys)
    expect_close(seen, right, what=what)
    message = f"The mask holds {seen.dtype} numbers; expected bool."
    expect(seen.dtype == bool, message, "not-boolean")


@check(points=2)
def three_sentences(padding_mask):
    """Lengths 5, 2 and 3, padded to 7"""
    _compare(padding_mask, np.array([5, 2, 3]), 7)


@check(points=2)
def growing_the_padding_changes_nothing(padding_mask):
    """Attention over 7 keys and over 7 keys plus 6 of padding is the same"""
    rng = np.random.default_rng(3)
    query, key, value = (rng.normal(size=shape) for shape in ((2, 3, 5), (2, 13, 5), (2, 13, 11)))
    parts = zip(query, key, value, (7, 4), strict=True)
    right = np.array([scaled_dot_product_attention(q, k[:n], v[:n]) for q, k, v, n in parts])
    for num_keys in (7, 13):
        mask, what = _call(padding_mask, np.array([7, 4]), num_keys)
        mask = expect_shape(mask, (2, 1, num_keys), what=what).astype(bool)
        keys, values = key[:, :num_keys], value[:, :num_keys]
        seen = scaled_dot_product_attention(query, keys, values, mask=mask)
        expect_close(seen, right, what=f"the output with {num_keys} keys")


@check(points=1, hidden=True)
def other_lengths(padding_mask, rng):
    """Other lengths, an empty sentence among them"""
    lengths = rng.integers(3, 12, size=7)
    lengths[3] = 0
    lengths[3] = 0
    _compare(padding_mask, lengths, 13)


ALSO_RIGHT = {
    "a list of lists": """
        def padding_mask(lengths, num_keys):
            return np.array([[[j < n for j in range(num_keys)]] for n in lengths])
    """,
    "fill row by row": """
        def padding_mask(lengths, num_keys):
            mask = np.zeros((len(lengths), 1, num_keys), dtype=bool)
            for row, length in zip(mask, lengths):
                row[:, :length] = True
            return mask
    """,
}
