"""Three sentences of 5, 2 and 3 tokens form one batch: padding tokens are added until all have the
same length, here 7. Padding only makes the rows equally long. It carries no meaning, so no query
may attend to it.

Write `padding_mask`. Row $b$ says which keys of sentence $b$ are real; sentences begin at key 0,
and padding comes after them. The mask is boolean and has the shape `(batch, 1, num_keys)`, so one
row serves all queries of its sentence by broadcasting. `lengths` is an integer array; `num_keys`
may exceed the longest length, and a sentence may be empty.
"""

import numpy as np

import attn
from attn import scaled_dot_product_attention
from attnlab.mistakes import EXPLANATIONS
from coursekit import (
    as_array,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_shape,
    mistake,
)

exercise(
    id="padding-mask",
    chapter="masking",
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


def _call(padding_mask, lengths, num_keys):
    what = f"padding_mask({lengths.tolist()}, {num_keys})"
    return as_array(call_keeping_inputs(padding_mask, lengths, num_keys), what), what


def _compare(padding_mask, lengths, num_keys):
    seen, what = _call(padding_mask, lengths, num_keys)
    expect_close(seen, attn.padding_mask(lengths, num_keys), what=what)
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
    """Other lengths, including an empty sentence"""
    lengths = rng.integers(3, 12, size=7)
    lengths[3] = 0
    _compare(padding_mask, lengths, 13)


_RIGHT = "np.arange(num_keys) < lengths"

mistake("mask-inverted", EXPLANATIONS["mask-inverted"], {"<": ">="})
mistake(
    "off-by-one",
    "One key too many is visible. A sentence of length 2 has the keys 0 and 1, and key 2 is "
    "padding.",
    {"<": "<="},
)
mistake(
    "one-too-few",
    "The last token of each sentence is hidden. A sentence of length 2 has the keys 0 and 1.",
    {"< lengths": "< lengths - 1"},
)
mistake(
    "masks-queries",
    "Padding *queries* are masked, too, so their rows have no visible key: a softmax turns such a "
    "row into NaN. Mask keys only; padding outputs are never read.",
    {_RIGHT: f"({_RIGHT}) & (np.arange(num_keys)[:, None] < lengths)"},
)
mistake(
    "one-row-for-each-query",
    "The values are right but repeated for every query. One row for each sentence is enough: "
    "(batch, 1, num_keys).",
    {_RIGHT: f"np.repeat({_RIGHT}, num_keys, axis=1)"},
)
mistake(
    "causal",
    "Later keys are hidden as well. This mask should hide only padding.",
    {_RIGHT: f"({_RIGHT}) & np.tri(num_keys, dtype=bool)"},
)
mistake(
    "no-query-axis",
    "The axis for the queries is missing. Scores have shape (batch, num_queries, num_keys); a mask "
    "of shape (batch, num_keys) would be read as (num_queries, num_keys).",
    {"[:, None, None]": "[:, None]"},
)
mistake(
    "axis-at-the-end",
    "The axis of length 1 is the last one, so the mask marks queries. Keys are on the last axis: "
    "(batch, 1, num_keys).",
    {" <": "[:, None] <"},
)
mistake(
    "longest",
    "The mask is as wide as the longest sentence. It needs num_keys columns.",
    {"(num_keys)": "(lengths.max())"},
)
mistake(
    "same-for-all",
    "All sentences have the row of the longest one. Each sentence has its own length.",
    {"< lengths": "< lengths.max() + 0 * lengths"},
)
mistake("nothing-hidden", "No key is hidden.", {"< lengths": "< num_keys + lengths"})
mistake(
    "not-boolean",
    "The mask should be boolean. Zeros and ones look similar, but `~mask` and `x[mask]` treat them "
    "differently.",
    {_RIGHT: f"({_RIGHT}) * 1.0"},
)
mistake(
    "aligned-right",
    "The padding is at the front. Here, sentences start at key 0 and padding comes after them.",
    {_RIGHT: f"({_RIGHT})[..., ::-1]"},
)
mistake(
    "additive",
    "This is an additive mask of 0 and -inf. Return True and False.",
    {_RIGHT: f"np.where({_RIGHT}, 0.0, -np.inf)"},
)
mistake(
    "at-least-one",
    "An empty sentence has one visible key. Its row should be all False.",
    {"< lengths": "< np.maximum(lengths, 1)"},
)

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
