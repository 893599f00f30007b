"""A decoder's batch needs both masks at once: later tokens must stay hidden, and so must padding.
Some batches are padded on the right; batches for generation are padded on the **left**, so that all
sentences end together. Padding may also be on both sides.

Write `decoder_mask`, which gets a mark for each token: `is_real[b, j]` is True when token $j$ of
sentence $b$ is a word and False when it is padding. The mask is True where query $i$ may attend to
key $j$, when $j \\le i$ **and** key $j$ is real. The rule says nothing about the query, so padding
queries have rows like all others, and a row may be all False.
"""

import numpy as np

from attn import causal_mask, scaled_dot_product_attention
from attnlab.mistakes import EXPLANATIONS
from coursekit import as_array, call_keeping_inputs, check, exercise, expect, expect_close, mistake

exercise(
    id="causal-and-padding",
    chapter="masking",
    title="Causal and padding, together",
    version=2,
    withhold=["attn.causal_mask", "attn.padding_mask"],
    hints=[
        "Two conditions must hold for a pair. Which one involves the query, and which only the "
        "key?",
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


def _rows(*rows):
    return np.array([[letter == "w" for letter in row] for row in rows])


def _compare(decoder_mask, is_real):
    tokens = is_real.shape[1]
    right = causal_mask(tokens, tokens) & is_real[:, None, :]
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
    words = np.random.default_rng(5).normal(size=(4, 3))
    batch = np.zeros((2, 7, 3))
    batch[0, :4] = batch[1, 3:] = words
    mask = as_array(decoder_mask(_rows("wwww___", "___wwww")), "the mask")
    expect(mask.shape == (2, 7, 7), f"The mask has shape {mask.shape}; expected (2, 7, 7).")
    output = scaled_dot_product_attention(batch, batch, batch, mask=mask.astype(bool))
    expect(np.isfinite(output).all(), "The output holds NaN or infinite numbers.")
    unpadded = scaled_dot_product_attention(words, words, words, causal=True)
    for side, seen in (("right", output[0, :4]), ("left", output[1, 3:])):
        expect_close(seen, unpadded, what=f"the array of words of the {side}-padded sentence")


@check(points=1, hidden=True)
def any_padding(decoder_mask, rng):
    """Padding anywhere, other sizes"""
    is_real = rng.random((3, 11)) < 0.6
    is_real[:, 4] = True
    _compare(decoder_mask, is_real)


_KEYS = "is_real[:, None, :]"
_BOTH = f"causal & {_KEYS}"
_COUNT = "is_real.sum(axis=1)[:, None, None]"

mistake("mask-inverted", EXPLANATIONS["mask-inverted"], {_BOTH: f"~({_BOTH})"})
mistake(
    "or-instead-of-and",
    "A pair that breaks only one of the rules is still visible. Both conditions must hold.",
    {"causal &": "causal |"},
)
mistake(
    "only-causal",
    "The future is hidden, but padding keys are visible.",
    {_KEYS: "np.ones((len(is_real), 1, 1), dtype=bool)"},
)
mistake("only-padding", "Padding is hidden, but every query sees the future.", {"tril": "array"})
mistake(
    "masks-queries",
    "Rows of padding queries are hidden as well. Mask keys only: nothing reads a padding query's "
    "output.",
    {_BOTH: f"{_BOTH} & is_real[:, :, None]"},
)
mistake(
    "padding-on-queries",
    "The padding mark is on the query axis: it hides rows but should hide columns. Rows are "
    "queries, and columns are keys.",
    {_KEYS: "is_real[:, :, None]"},
)
mistake(
    "assumes-right-padding",
    "The real tokens were counted and taken to be the first ones. In a left-padded sentence they "
    "are the last ones.",
    {_KEYS: f"(np.arange(tokens) < {_COUNT})"},
)
mistake(
    "assumes-left-padding",
    "The real tokens were counted and taken to be the last ones. In a right-padded sentence they "
    "are the first ones.",
    {_KEYS: f"(np.arange(tokens)[::-1] < {_COUNT})"},
)
mistake(
    "never-empty",
    "Rows in which all keys are hidden were made visible. A row may be all False.",
    {_BOTH: f"{_BOTH} | ~({_BOTH}).any(axis=-1, keepdims=True)"},
)
mistake(
    "sees-only-future",
    "The triangle is the other way round: each query sees itself and later tokens.",
    {"tril": "triu"},
)
mistake(
    "one-key-too-many",
    "Each query sees one future key, key i + 1.",
    {"bool))": "bool), k=1)"},
)
mistake(
    "hides-itself",
    "A query does not see its own key. Key i is visible to query i if it is real.",
    {"bool))": "bool), k=-1)"},
)
mistake(
    "diagonal-kept",
    "The diagonal is visible everywhere, so a padding token sees itself. That token is not real, "
    "so its column must be False in every row.",
    {_BOTH: f"{_BOTH} | np.eye(tokens, dtype=bool)"},
)
mistake(
    "first-sentence-for-all",
    "The padding of the first sentence was used for all sentences.",
    {_KEYS: "is_real[[0] * len(is_real), None, :]"},
)
mistake(
    "additive",
    "This is an additive mask of 0 and -inf. Return True and False.",
    {_BOTH: f"np.where({_BOTH}, 0.0, -np.inf)"},
)
mistake(
    "transposed",
    "Queries and keys are swapped: rows are queries, and columns are keys.",
    {_BOTH: f"({_BOTH}).swapaxes(1, 2)"},
)

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
