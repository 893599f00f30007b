"""To see whether a head matters, take it out and look at the answers. Setting its output to zero
would also remove what it adds to *every* text. *Mean ablation* keeps that: at each position, the
head's output becomes the mean of its outputs over all texts of the batch.

Write `without_head(contexts, w_output, head)`, the output of a multi-head layer without one of its
heads. `contexts` has shape `(batch, num_heads, num_tokens, head_dim)`: what each head computed,
before the heads are merged. `w_output`, shape `(num_heads * head_dim, d_model)`, is $W^O$,
without a bias. `head` counts from 0. Replace the context of this head, for each position, by its
mean over the batch; merge the heads, head 0 first; multiply by `w_output`. The result has shape
`(batch, num_tokens, d_model)`. `contexts` and `w_output` must not be changed.
"""

import numpy as np

from coursekit import (
    call_keeping_inputs,
    check,
    exercise,
    expect_close,
    expect_shape,
)

exercise(
    title="Take a head out",
    practice=True,
    hints=[
        "Which of the four axes of `contexts` disappears when you take the mean over texts?",
        "Copy `contexts` first. Then put `contexts[:, head].mean(axis=0)`, of shape "
        "`(num_tokens, head_dim)`, in the place of this head in every text.",
        "To merge, `np.swapaxes(mixed, 1, 2)` brings each token's heads together; then reshape to "
        "`(batch, num_tokens, -1)` and multiply by `w_output`.",
    ],
)


def without_head(contexts, w_output, head):
    """Return the layer's output without one head, shape (batch, num_tokens, d_model).

    contexts: (batch, num_heads, num_tokens, head_dim)
    w_output: (num_heads * head_dim, d_model)
    head: int, counted from 0
    """
    # BEGIN SOLUTION
    mixed = contexts.copy()
    mixed[:, head] = contexts[:, head].mean(axis=0)
    batch, _, num_tokens, _ = contexts.shape
    return np.swapaxes(mixed, 1, 2).reshape(batch, num_tokens, -1) @ w_output
    # END SOLUTION


MISTAKES = r"""
zero: `contexts[:, head].mean(axis=0)` → `0`
    The head's output was set to zero. The task asks for its mean over the batch, so that what it
    adds to every text stays.
over-positions: `.mean(axis=0)` → `.mean(axis=1, keepdims=True)`
    The mean was taken over the tokens of each text. It should be taken over the texts, for each
    position by itself.
over-everything: `.mean(axis=0)` → `.mean(axis=(0, 1))`
    One mean was taken over texts and positions. Each position has its own mean.
other-heads: (also counted-from-one) `.mean(axis=0)` → ``,
  `contexts.copy()` → `0 * contexts + contexts.mean(axis=0)`
    All other heads were replaced, and this one was kept.
all-heads: `[:, head]` → `[:]`
    Every head was replaced by its mean. Only one should be taken out.
counted-from-one: (also other-heads) `[:, head]` → `[:, head - 1]`
    The head before was taken out. Heads are counted from 0.
not-replaced: `.mean(axis=0)` → ``
    No head was taken out: this is the output of the whole layer.
mean-added: `mixed[:, head] =` → `mixed[:, head] +=`
    The mean was added to the head's output. It should take its place.
centred: `mixed[:, head] =` → `mixed[:, head] -=`
    The mean was subtracted from the head's output. It should take its place.
own-part: `contexts.copy()` → `np.zeros_like(contexts)`, `.mean(axis=0)` → ``
    This is what the head itself adds. The task asks for the output of the layer without it.
not-merged: `np.swapaxes(mixed, 1, 2)` → `mixed`
    The features of different tokens were mixed in merging: swap the axes of heads and tokens before
    the reshape.
mean-of-heads: `contexts[:, head].mean(axis=0)` → `contexts.mean(axis=1)`
    The head was replaced by the mean of all heads of the same text. The task asks for the mean of
    this head over the texts.
"""


def _right(contexts, w_output, head):
    """Add up what the heads write, of which each has its own rows of the matrix."""
    replaced = contexts.copy()
    replaced[:, head] = contexts[:, head].mean(axis=0)
    rows = np.split(w_output, contexts.shape[1])
    return sum(replaced[:, i] @ part for i, part in enumerate(rows))


#: What numbers of single precision may be off by.
_SINGLE = {"atol": 1e-5, "rtol": 1e-5}


def _expect(seen, contexts, w_output, head):
    what = f"without_head(contexts, w_output, {head})"
    batch, _, num_tokens, _ = contexts.shape
    expect_shape(seen, (batch, num_tokens, w_output.shape[1]), what=what)
    expect_close(seen, _right(contexts, w_output, head), **_SINGLE, what=what)


@check(points=1)
def two_texts(without_head):
    """Two texts of one token, two heads of width 1, by hand"""
    contexts = np.array([[[[1.0]], [[10.0]]], [[[3.0]], [[30.0]]]])
    w_output = np.array([[1.0, 0.0], [0.0, 1.0]])
    # Head 1 becomes 20 in both texts; head 0 stays.
    expected = np.array([[[1.0, 20.0]], [[3.0, 20.0]]])
    what = "without_head(contexts, w_output, 1)"
    seen = call_keeping_inputs(without_head, contexts, w_output, 1)
    expect_shape(seen, (2, 1, 2), what=what)
    expect_close(seen, expected, **_SINGLE, what=what)


@check(points=2)
def drawn_texts(without_head):
    """5 texts of 7 tokens, 3 heads of width 2"""
    rng = np.random.default_rng(0)
    contexts, w_output = rng.normal(1, 1, size=(5, 3, 7, 2)), rng.normal(size=(6, 11))
    for head in (0, 2):
        seen = call_keeping_inputs(without_head, contexts, w_output, head)
        _expect(seen, contexts, w_output, head)


@check(points=1, hidden=True)
def other_sizes(without_head, rng):
    """Other sizes, each head in turn"""
    contexts, w_output = rng.normal(1, 1, size=(3, 5, 2, 7)), rng.normal(size=(35, 13))
    for head in range(5):
        _expect(without_head(contexts.copy(), w_output.copy(), head), contexts, w_output, head)


ALSO_RIGHT = {
    "the change added": """
        def without_head(contexts, w_output, head):
            batch, _, num_tokens, width = contexts.shape
            whole = contexts.transpose(0, 2, 1, 3).reshape(batch, num_tokens, -1) @ w_output
            rows = w_output[head * width : (head + 1) * width]
            own = contexts[:, head]
            return whole + (own.mean(axis=0) - own) @ rows
    """,
    "single precision": """
        def without_head(contexts, w_output, head):
            mixed = contexts.astype(np.float32)
            mixed[:, head] = mixed[:, head].mean(axis=0)
            batch, _, num_tokens, _ = mixed.shape
            merged = mixed.transpose(0, 2, 1, 3).reshape(batch, num_tokens, -1)
            return merged @ w_output.astype(np.float32)
    """,
    "a sum over heads": """
        def without_head(contexts, w_output, head):
            heads, width = contexts.shape[1], contexts.shape[-1]
            parts = []
            for number in range(heads):
                own = contexts[:, number]
                if number == head:
                    own = np.broadcast_to(own.mean(axis=0), own.shape)
                parts.append(own @ w_output[number * width : (number + 1) * width])
            return sum(parts)
    """,
}
