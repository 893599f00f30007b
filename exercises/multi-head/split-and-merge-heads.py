"""A layer with several heads computes the queries of all heads with one matrix, so each token has
`num_heads * head_dim` features: the first `head_dim` belong to head 0 (counted from 0, as in code),
the next ones to head 1, and so on. Attention needs the heads apart, each with its own matrix of
shape `(tokens, head_dim)`.

Write `split_heads` and its inverse `merge_heads`. Leave the arguments as they are.
"""

import numpy as np

from coursekit import call_keeping_inputs, check, exercise, expect, expect_close, expect_shape

exercise(
    title="Split and merge heads",
    version=2,
    withhold=["attn.split_heads", "attn.merge_heads"],
    practice=True,
    hints=[
        "One sentence, 2 tokens, 2 heads of width 3: token 0 is `[0 1 2 3 4 5]`. Which of these "
        "numbers does head 1 get, and what shape holds head 1's two tokens?",
        "A reshape can split the last axis in two: `(batch, tokens, num_heads, head_dim)`. "
        "Then two axes have to change places.",
        "`x.reshape(batch, tokens, num_heads, -1).transpose(0, 2, 1, 3)` splits. To merge, undo "
        "these two steps in the opposite order.",
    ],
)


def split_heads(x, num_heads):
    """Return x split into heads, (batch, num_heads, tokens, head_dim).

    x: (batch, tokens, num_heads * head_dim)
    """
    # BEGIN SOLUTION
    batch, tokens, _ = x.shape
    return x.reshape(batch, tokens, num_heads, -1).transpose(0, 2, 1, 3)
    # END SOLUTION


def merge_heads(x):
    """Return heads side by side, (batch, tokens, num_heads * head_dim).

    x: (batch, num_heads, tokens, head_dim)
    """
    # BEGIN SOLUTION
    batch, num_heads, tokens, head_dim = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, tokens, num_heads * head_dim)
    # END SOLUTION


MISTAKES = r"""
heads-mixed: (also not-an-inverse) `return x.reshape(` → `return np.roll(x, 1, axis=-1).reshape(`
    A change to the features of one head changed other heads as well. Each head must get a block of
    neighbouring features, and nothing else.
not-an-inverse: `num_heads * head_dim)` → `num_heads * head_dim)[..., ::-1]`
    Your merge_heads does not undo your split_heads.
reshape-without-swap: (also not-an-inverse, heads-mixed)
  `tokens, num_heads, -1).transpose(0, 2, 1, 3)` → `num_heads, tokens, -1)`
merge-without-swap: (also not-an-inverse) `x.transpose(0, 2, 1, 3)` → `x`
or (also reshape-without-swap, heads-mixed) `tokens, num_heads, -1).transpose(0, 2, 1, 3)` →
  `num_heads, tokens, -1)`, `x.transpose(0, 2, 1, 3)` → `x`
heads-interleaved: (also heads-mixed) `num_heads, -1).transpose(0, 2, 1, 3)` →
  `-1, num_heads).transpose(0, 3, 1, 2)`, `x.transpose(0, 2, 1, 3)` → `x.transpose(0, 2, 3, 1)`
tokens-and-heads-exchanged: `-1).transpose(0, 2, 1, 3)` → `-1)`
    The tokens and heads axes are exchanged.
head-matrices-transposed: `-1).transpose(0, 2, 1, 3)` → `-1).transpose(0, 2, 3, 1)`
or `x.transpose(0, 2, 1, 3).reshape(batch, tokens, num_heads * head_dim)` →
  `x.transpose(0, 3, 1, 2).reshape(batch, head_dim, -1)`
    The tokens and head_dim axes of each head are exchanged: a head's matrix has one row for each
    token.
heads-in-other-order: (also not-an-inverse) `-1).transpose(0, 2, 1, 3)` →
  `-1).transpose(0, 2, 1, 3)[:, ::-1]`
or (also not-an-inverse) `return x.transpose` → `return x[:, ::-1].transpose`
heads-before-batch: `-1).transpose(0, 2, 1, 3)` → `-1).transpose(2, 0, 1, 3)`
    The heads axis stands before the batch axis. The batch comes first.
batch-lost: `(batch, tokens, num_heads, -1)` → `(1, -1, num_heads, x.shape[-1] // num_heads)`
    The sentences of the batch were joined into one long sentence. Keep the batch axis.
heads-as-tokens: `x.transpose(0, 2, 1, 3).reshape(batch, tokens, num_heads * head_dim)` →
  `x.reshape(batch, -1, head_dim)`
    The heads were put below each other, as more tokens. They belong side by side, as more features
    of the same tokens.
heads-summed: `x.transpose(0, 2, 1, 3).reshape(batch, tokens, num_heads * head_dim)` →
  `x.sum(axis=1)`
heads-averaged: `x.transpose(0, 2, 1, 3).reshape(batch, tokens, num_heads * head_dim)` →
  `x.mean(axis=1)`
"""


def _numbered(*shape):
    return np.arange(float(np.prod(shape))).reshape(shape)


@check(points=2)
def split(split_heads):
    """2 sentences of 5 tokens, 3 heads of width 7"""
    x = _numbered(2, 5, 21)
    expect_close(
        call_keeping_inputs(split_heads, x, 3),
        np.stack([x[..., 7 * head : 7 * head + 7] for head in range(3)], axis=1),
        what="split_heads(x, 3)",
    )


@check(points=1)
def merge(merge_heads):
    """Heads of 5 tokens, 3 heads of width 7, side by side"""
    x = _numbered(2, 3, 5, 7)
    expect_close(
        call_keeping_inputs(merge_heads, x),
        np.concatenate([x[:, head] for head in range(3)], axis=-1),
        what="merge_heads(x)",
    )


@check(points=1)
def round_trip(split_heads, merge_heads):
    """merge_heads undoes split_heads; heads in reverse give their features in reverse"""
    x = np.random.default_rng(2).normal(size=(3, 7, 22))
    for num_heads in (1, 2, 11):
        parts = expect_shape(
            split_heads(x.copy(), num_heads),
            (3, num_heads, 7, 22 // num_heads),
            what=f"split_heads(x, {num_heads})",
        )
        merged = expect_shape(merge_heads(parts), x.shape, what="merge_heads(split_heads(x))")
        if not np.allclose(merged, x):
            expect(False, f"merge_heads(split_heads(x, {num_heads})) is not x.", "not-an-inverse")
        reverse = np.concatenate(np.split(x, num_heads, axis=-1)[::-1], axis=-1)
        what = f"merge_heads of {num_heads} heads in reverse"
        expect_close(merge_heads(parts[:, ::-1].copy()), reverse, what=what)


@check(points=1, hidden=True)
def heads_are_independent(split_heads, rng):
    """Changing head 1's features changes head 1 and nothing else"""
    x = rng.normal(size=(2, 11, 15))
    shape, what = (2, 3, 11, 5), "split_heads(x, 3)"
    before = expect_shape(split_heads(x.copy(), 3), shape, what=what)
    changed = x.copy()
    changed[:, :, 5:10] += 1.0
    after = expect_shape(split_heads(changed, 3), shape, what=what)
    moved = (np.abs(after - before).max(axis=(0, 2, 3)) > 0).tolist()
    message = f"The features 5 to 9 changed; changed heads: {moved}; expected only head 1."
    expect(moved == [False, True, False], message, "heads-mixed" if sum(moved) > 1 else None)


ALSO_RIGHT = {
    "np.split and np.concatenate": """
        def split_heads(x, num_heads):
            return np.stack(np.split(x, num_heads, axis=-1), axis=1)

        def merge_heads(x):
            return np.concatenate(list(x.swapaxes(0, 1)), axis=-1)
    """,
    "a loop over heads": """
        def split_heads(x, num_heads):
            batch, tokens, width = x.shape
            out = np.empty((batch, num_heads, tokens, width // num_heads))
            for head in range(num_heads):
                start = head * (width // num_heads)
                out[:, head] = x[:, :, start : start + width // num_heads]
            return out

        def merge_heads(x):
            batch, num_heads, tokens, head_dim = x.shape
            out = np.empty((batch, tokens, num_heads * head_dim))
            for head in range(num_heads):
                out[..., head * head_dim : (head + 1) * head_dim] = x[:, head]
            return out
    """,
}
