"""Three sentences of 5, 2 and 4 tokens make one batch: the short ones are filled up with padding
tokens until all have the same length. Padding is there for the hardware, not for the model: no
query may look at it.

Write `padding_mask`. Row $b$ says which keys of sentence $b$ are real. Its shape is
`(batch, 1, num_keys)`, so that one row serves all queries of its sentence by broadcasting.
"""

import numpy as np

from attn import scaled_dot_product_attention
from coursekit import as_array, check, exercise, expect, expect_close, wrong

exercise(
    id="padding-mask",
    chapter="masking",
    title="A mask for padding",
    withhold=["attn.padding_mask"],
    hints=[
        "The sentences have lengths 5, 2 and 4 and there are 5 keys. Write the three rows of True "
        "and False on paper.",
        "Key $j$ of sentence $b$ is real when $j$ is less than its length. `np.arange(num_keys)` "
        "gives all $j$ at once.",
        "Compare `np.arange(num_keys)`, of shape `(num_keys,)`, with the lengths in shape "
        "`(batch, 1, 1)`. Broadcasting makes `(batch, 1, num_keys)`.",
    ],
    misconceptions={
        "inverted": "True and False are swapped. In this course True means: may attend.",
        "off-by-one": "One key too many is visible. A sentence of length 2 has the keys 0 and 1, "
        "and key 2 is padding.",
        "masks-queries": "Padding *queries* are masked too, so their rows see nothing at all: in a "
        "softmax such a row becomes NaN. Mask keys only; the outputs of padding are never read.",
        "no-query-axis": "The axis for the queries is missing. Scores have shape (batch, "
        "num_queries, num_keys); a mask of shape (batch, num_keys) would be read as (num_queries, "
        "num_keys).",
        "same-for-all": "All sentences got the same row. Each has its own length.",
        "not-boolean": "The mask should be boolean. Numbers look alike, but `~mask` and "
        "`np.where` treat them differently.",
        "aligned-right": "The padding was put at the front. Here sentences start at key 0 and the "
        "padding comes after.",
    },
)


def padding_mask(lengths, num_keys):
    """Return True where a key is a real token, (batch, 1, num_keys).

    lengths: (batch,), the number of real tokens of each sentence
    """
    # BEGIN SOLUTION
    lengths = np.asarray(lengths)[:, None, None]  # (batch, 1, 1)
    return np.arange(num_keys) < lengths
    # END SOLUTION


@check(points=2)
def three_sentences(padding_mask):
    """Lengths 5, 2 and 4, padded to 5"""
    seen = as_array(padding_mask([5, 2, 4], 5), "padding_mask([5, 2, 4], 5)")
    lengths, keys = np.array([5, 2, 4])[:, None, None], np.arange(5)
    right = keys < lengths
    both = right & right.swapaxes(1, 2)
    expect(
        not (seen.shape == both.shape and (seen == both).all()),
        f"The mask has shape {seen.shape}; expected (3, 1, 5).",
        "masks-queries",
    )
    expect(seen.shape != (3, 5), "The mask has shape (3, 5); expected (3, 1, 5).", "no-query-axis")
    expect_close(
        seen,
        right,
        what="padding_mask([5, 2, 4], 5)",
        mistakes={
            "inverted": ~right,
            "off-by-one": keys <= lengths,
            "same-for-all": np.broadcast_to(keys < 5, (3, 1, 5)),
            "aligned-right": right[..., ::-1],
        },
    )
    expect(
        seen.dtype == bool, f"The mask holds {seen.dtype} numbers; expected bool.", "not-boolean"
    )


@check(points=2)
def growing_the_padding_changes_nothing(padding_mask):
    """Attention over 7 keys and over 7 keys plus 6 of padding is the same"""
    rng = np.random.default_rng(3)
    query, key, value = (rng.normal(size=shape) for shape in ((2, 3, 5), (2, 13, 5), (2, 13, 11)))
    outputs = []
    for num_keys in (7, 13):
        mask = as_array(padding_mask(np.array([7, 4]), num_keys), "the mask")
        expect(
            mask.shape == (2, 1, num_keys),
            f"The mask has shape {mask.shape}; expected (2, 1, {num_keys}).",
            "no-query-axis" if mask.ndim == 2 else "masks-queries",
        )
        outputs.append(
            scaled_dot_product_attention(
                query, key[:, :num_keys], value[:, :num_keys], mask=mask.astype(bool)
            )
        )
    expect_close(outputs[1], outputs[0], what="the output after more padding")


@check(points=1, hidden=True)
def other_lengths(padding_mask, rng):
    """Other lengths, an empty sentence among them"""
    lengths = rng.integers(1, 12, size=7)
    lengths[3] = 0
    expect_close(
        padding_mask(lengths, 13),
        np.arange(13) < lengths[:, None, None],
        what=f"padding_mask({lengths.tolist()}, 13)",
    )


WRONG = {
    "True means padding": wrong(
        replace={"np.arange(num_keys) < lengths": "np.arange(num_keys) >= lengths"},
        rejected_by=["three_sentences"],
        misconception="inverted",
    ),
    "one key too many": wrong(
        replace={"np.arange(num_keys) < lengths": "np.arange(num_keys) <= lengths"},
        rejected_by=["three_sentences", "growing_the_padding_changes_nothing"],
        misconception="off-by-one",
    ),
    "both tokens must be real": wrong(
        """
        def padding_mask(lengths, num_keys):
            real = np.arange(num_keys) < np.asarray(lengths)[:, None]
            return real[:, :, None] & real[:, None, :]
        """,
        rejected_by=["three_sentences", "growing_the_padding_changes_nothing"],
        misconception="masks-queries",
    ),
    "no axis for the queries": wrong(
        replace={"[:, None, None]": "[:, None]"},
        rejected_by=["three_sentences", "growing_the_padding_changes_nothing"],
        misconception="no-query-axis",
    ),
    "the longest length for all": wrong(
        """
        def padding_mask(lengths, num_keys):
            row = np.arange(num_keys) < max(lengths)
            return np.tile(row, (len(lengths), 1, 1))
        """,
        rejected_by=["three_sentences"],
        misconception="same-for-all",
    ),
    "padding in front": wrong(
        """
        def padding_mask(lengths, num_keys):
            lengths = np.asarray(lengths)[:, None, None]
            return np.arange(num_keys) >= num_keys - lengths
        """,
        rejected_by=["three_sentences", "growing_the_padding_changes_nothing"],
        misconception="aligned-right",
    ),
    "zeros and ones": wrong(
        replace={"np.arange(num_keys) < lengths": "(np.arange(num_keys) < lengths) * 1.0"},
        rejected_by=["three_sentences"],
        misconception="not-boolean",
    ),
}

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
