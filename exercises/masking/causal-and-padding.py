"""A decoder's batch has both problems at once: the future must stay hidden, and so must the
padding. Some batches pad on the right; batches for generation pad on the **left**, so that all
sentences end together. Padding may also be on both sides.

Write `decoder_mask` from a mark per token: `is_real[b, j]` is True when token $j$ of sentence $b$
is a word and False when it is padding. The mask is True where query $i$ may attend to key $j$: when
$j \\le i$ **and** key $j$ is real. The rule says nothing about the query, so padding queries get
rows like all others, and a row may be all False.
"""

import numpy as np

from attn import scaled_dot_product_attention
from coursekit import as_array, call_keeping_inputs, check, exercise, expect, expect_close

exercise(
    title="Causal and padding, together",
    version=2,
    withhold=["attn.causal_mask", "attn.padding_mask"],
    hints=[
        "Two conditions must hold for a pair. Which one depends on the query, and which only on "
        "the key?",
        "The causal part has shape `(tokens, tokens)` and is the same for all sentences; the "
        "padding part has shape `(batch, 1, tokens)`. Which operator joins two conditions?",
        "`np.tril(np.ones((tokens, tokens), dtype=bool)) & is_real[:, None, :]`: which axis of "
        "the result is the query's?",
    ],
)


def decoder_mask(is_real):
    """Return True where query i may see key j, (batch, tokens, tokens).

    is_real: (batch, tokens), True for words, False for padding
    """
    # BEGIN SOLUTION
    tokens = is_real.shape[1]
    causal = np.tril(np.ones((tokens, tokens), dtype=bool))  # (queries, keys)
    return causal & is_real[:, None, :]
    # END SOLUTION


MISTAKES = r"""
or-instead-of-and: `causal & is_real` → `causal | is_real`
    A pair that breaks only one of the rules is still visible. Both conditions must hold.
only-causal: `is_real[:, None, :]` → `np.ones_like(is_real)[:, None, :]`
    The future is hidden, but padding keys are visible.
only-padding: `np.tril(` → `(`
    Padding is hidden, but every query sees the future.
masks-queries: `is_real[:, None, :]` → `is_real[:, None, :] & is_real[:, :, None]`
    Rows of padding queries are hidden as well. Mask keys only: nothing reads a padding query's
    output.
padding-on-queries: `is_real[:, None, :]` → `is_real[:, :, None]`
    The padding mark is on the query axis: it hides rows, where it should hide columns. Rows are
    queries, columns are keys.
assumes-right-padding: `is_real[:, None, :]` →
  `(np.arange(tokens) < is_real.sum(axis=1)[:, None, None])`
    The real tokens were counted and taken to be the first ones. In a left-padded sentence they are
    the last ones.
assumes-left-padding: `is_real[:, None, :]` →
  `(np.arange(tokens)[::-1] < is_real.sum(axis=1)[:, None, None])`
    The real tokens were counted and taken to be the last ones. In a right-padded sentence they are
    the first ones.
never-empty: `return causal & is_real[:, None, :]` →
  `mask = causal & is_real[:, None, :]; return mask | ~mask.any(axis=-1, keepdims=True)`
    Rows in which all keys are hidden were opened. A row may be all False.
sees-only-future: `np.tril` → `np.triu`
    The triangle is the other way round: each query sees itself and what comes after.
one-key-too-many: `dtype=bool))` → `dtype=bool), k=1)`
    Each query sees one key of the future, key i + 1.
hides-itself: `dtype=bool))` → `dtype=bool), k=-1)`
    A query does not see its own key. Key i is visible to query i if it is real.
diagonal-kept: `is_real[:, None, :]` → `(is_real[:, None, :] | np.eye(tokens, dtype=bool))`
    The diagonal is visible everywhere, so a padding token sees itself. It is not real, so its
    column must be False in every row.
first-sentence-for-all: `is_real[:, None, :]` → `is_real[[0] * len(is_real)][:, None, :]`
    The padding of the first sentence was used for all sentences.
additive: `causal & is_real[:, None, :]` → `np.where(causal & is_real[:, None, :], 0.0, -np.inf)`
    This is a mask to be added to scores, 0 and -inf. Return True and False.
transposed: `causal & is_real[:, None, :]` → `(causal & is_real[:, None, :]).swapaxes(1, 2)`
    Queries and keys are exchanged: rows are queries, columns are keys.
mask-inverted: `return causal & is_real[:, None, :]` → `return ~(causal & is_real[:, None, :])`
"""


def _rows(*rows):
    return np.array([[letter == "w" for letter in row] for row in rows])


def _compare(decoder_mask, is_real):
    right = np.tril(np.ones(2 * is_real.shape[1:], dtype=bool)) & is_real[:, None]
    expect_close(call_keeping_inputs(decoder_mask, is_real), right, what="decoder_mask(is_real)")


@check(points=1)
def padded_on_the_right(decoder_mask):
    """`w w w w _ _ _` beside `w w w w w w w` and `_ w w w w _ _`"""
    _compare(decoder_mask, _rows("wwww___", "wwwwwww", "_wwww__"))


@check(points=1)
def padded_on_the_left(decoder_mask):
    """`_ _ _ w w w w` beside `w w w w w w w`"""
    _compare(decoder_mask, _rows("___wwww", "wwwwwww", "_____ww"))


@check(points=1)
def left_and_right_agree(decoder_mask):
    """A sentence's words come out the same, whichever side is padded"""
    rng = np.random.default_rng(5)
    words = rng.normal(size=(4, 3))
    right, left = np.zeros((7, 3)), np.zeros((7, 3))
    right[:4], left[3:] = words, words
    batch = np.stack([right, left])
    mask = as_array(decoder_mask(_rows("wwww___", "___wwww")), "the mask")
    expect(mask.shape == (2, 7, 7), f"The mask has shape {mask.shape}; expected (2, 7, 7).")
    output = scaled_dot_product_attention(batch, batch, batch, mask=mask.astype(bool))
    expect(np.isfinite(output).all(), "The output holds NaN or infinite numbers.")
    unpadded = scaled_dot_product_attention(words, words, words, is_causal=True)
    for side, seen in (("right", output[0, :4]), ("left", output[1, 3:])):
        expect_close(seen, unpadded, what=f"the array of words of the {side}-padded sentence")


@check(points=1, hidden=True)
def any_padding(decoder_mask, rng):
    """Padding anywhere, other sizes"""
    is_real = rng.random((3, 11)) < 0.6
    is_real[:, 4] = True
    _compare(decoder_mask, is_real)


ALSO_RIGHT = {
    "three loops": """
        def decoder_mask(is_real):
            batch, tokens = is_real.shape
            mask = np.zeros((batch, tokens, tokens), dtype=bool)
            for b in range(batch):
                for i in range(tokens):
                    for j in range(i + 1):
                        mask[b, i, j] = is_real[b, j]
            return mask
    """,
    "compare positions, then multiply": """
        def decoder_mask(is_real):
            i, j = np.indices((is_real.shape[1],) * 2)
            return (j <= i)[None] * np.expand_dims(is_real, 1)
    """,
}
