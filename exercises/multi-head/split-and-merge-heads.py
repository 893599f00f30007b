"""A layer with $h$ heads computes all its queries with one matrix, so each token comes out with
$h \\cdot d_{head}$ numbers: the first $d_{head}$ belong to head 0, the next to head 1, and so on.
Attention needs the heads apart, each with its own little matrix of tokens.

Write `split_heads` and its inverse `merge_heads`.
"""

import numpy as np

from coursekit import check, exercise, expect, expect_close, expect_shape, wrong

exercise(
    id="split-and-merge-heads",
    chapter="multi-head",
    title="Split and merge heads",
    withhold=["attn.split_heads", "attn.merge_heads"],
    practice=True,
    hints=[
        "One sentence, 2 tokens, 2 heads of width 3: token 0 is `[0 1 2 3 4 5]`. Which of these "
        "numbers does head 1 get, and what shape holds head 1's two tokens?",
        "A reshape can only cut the last axis in two: `(batch, tokens, num_heads, head_dim)`. "
        "Then two axes have to change places.",
        "`x.reshape(batch, tokens, num_heads, -1).transpose(0, 2, 1, 3)` splits. To merge, undo "
        "these two steps in the opposite order.",
    ],
    misconceptions={
        "reshape-only": "The shape is right but the numbers are mixed up: a reshape to (batch, "
        "heads, tokens, head_dim) deals out whole tokens to heads. Cut the last axis first, then "
        "exchange two axes.",
        "interleaved": "Neighbouring features went to different heads. A head owns a block: "
        "features 0 to head_dim − 1 are head 0's.",
        "heads-not-moved": "The last axis is cut, but the heads' axis still stands after the "
        "tokens'. Attention works on the last two axes, so these must be tokens and head_dim.",
        "transposed-heads": "Each head's matrix is transposed: the last two axes should be "
        "(tokens, head_dim).",
        "heads-reversed": "The heads come in the wrong order.",
        "merge-reshape-only": "merge_heads reshaped without moving the heads back behind the "
        "tokens, so features of different tokens were mixed.",
        "no-round-trip": "Merging what was split should give back the input.",
    },
)


def split_heads(x, num_heads):
    """Return x dealt to heads, (batch, num_heads, tokens, head_dim).

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


def _numbered(*shape):
    return np.arange(float(np.prod(shape))).reshape(shape)


@check(points=2)
def split(split_heads):
    """2 sentences of 5 tokens, 3 heads of width 7"""
    x = _numbered(2, 5, 21)
    cut = x.reshape(2, 5, 3, 7)
    expect_close(
        split_heads(x.copy(), 3),
        np.stack([x[..., 7 * head : 7 * head + 7] for head in range(3)], axis=1),
        what="split_heads(x, 3)",
        mistakes={
            "reshape-only": x.reshape(2, 3, 5, 7),
            "interleaved": x.reshape(2, 5, 7, 3).transpose(0, 3, 1, 2),
            "heads-not-moved": cut,
            "transposed-heads": cut.transpose(0, 2, 3, 1),
            "heads-reversed": cut[:, :, ::-1].transpose(0, 2, 1, 3),
        },
    )


@check(points=1)
def merge(merge_heads):
    """Heads of 5 tokens, 3 heads of width 7, side by side"""
    x = _numbered(2, 3, 5, 7)
    expect_close(
        merge_heads(x.copy()),
        np.concatenate([x[:, head] for head in range(3)], axis=-1),
        what="merge_heads(x)",
        mistakes={
            "merge-reshape-only": x.reshape(2, 5, 21),
            "interleaved": x.transpose(0, 2, 3, 1).reshape(2, 5, 21),
            "transposed-heads": x.transpose(0, 3, 1, 2).reshape(2, 7, 15),
            "heads-reversed": x[:, ::-1].transpose(0, 2, 1, 3).reshape(2, 5, 21),
        },
    )


@check(points=1)
def round_trip(split_heads, merge_heads):
    """merge_heads undoes split_heads, and one head changes only the shape"""
    x = _numbered(3, 7, 22)
    for num_heads in (1, 2, 11):
        parts = expect_shape(
            split_heads(x.copy(), num_heads),
            (3, num_heads, 7, 22 // num_heads),
            what=f"split_heads(x, {num_heads})",
        )
        expect_close(merge_heads(parts), x, what="merge_heads(split_heads(x))")


@check(points=1, hidden=True)
def heads_are_independent(split_heads, rng):
    """Changing head 1's features changes head 1 and nothing else"""
    x = rng.normal(size=(2, 11, 15))
    shape, what = (2, 3, 11, 5), "split_heads(x, 3)"
    before = expect_shape(split_heads(x.copy(), 3), shape, what=what)
    x[:, :, 5:10] += 1.0
    after = expect_shape(split_heads(x.copy(), 3), shape, what=what)
    moved = np.abs(after - before).max(axis=(0, 2, 3)) > 0
    expect(moved.tolist() == [False, True, False], f"Heads that changed: {moved.tolist()}.")


WRONG = {
    "reshape without transpose": wrong(
        """
        def split_heads(x, num_heads):
            batch, tokens, width = x.shape
            return x.reshape(batch, num_heads, tokens, width // num_heads)

        def merge_heads(x):
            batch, num_heads, tokens, head_dim = x.shape
            return x.transpose(0, 2, 1, 3).reshape(batch, tokens, -1)
        """,
        rejected_by=["split", "round_trip"],
        misconception="reshape-only",
    ),
    "both by reshape alone": wrong(
        """
        def split_heads(x, num_heads):
            batch, tokens, width = x.shape
            return x.reshape(batch, num_heads, tokens, width // num_heads)

        def merge_heads(x):
            batch, num_heads, tokens, head_dim = x.shape
            return x.reshape(batch, tokens, num_heads * head_dim)
        """,
        rejected_by=["split", "merge"],
        misconception="merge-reshape-only",
    ),
    "features dealt out in turn": wrong(
        """
        def split_heads(x, num_heads):
            batch, tokens, width = x.shape
            return x.reshape(batch, tokens, -1, num_heads).transpose(0, 3, 1, 2)

        def merge_heads(x):
            batch, num_heads, tokens, head_dim = x.shape
            return x.transpose(0, 2, 3, 1).reshape(batch, tokens, num_heads * head_dim)
        """,
        rejected_by=["split", "merge"],
        misconception="interleaved",
    ),
    "heads stay behind the tokens": wrong(
        replace={"num_heads, -1).transpose(0, 2, 1, 3)": "num_heads, -1)"},
        rejected_by=["split", "round_trip"],
        misconception="heads-not-moved",
    ),
    "a transposed matrix for each head": wrong(
        replace={"num_heads, -1).transpose(0, 2, 1, 3)": "num_heads, -1).transpose(0, 2, 3, 1)"},
        rejected_by=["split", "round_trip"],
        misconception="transposed-heads",
    ),
    "merge forgets the transpose": wrong(
        replace={
            "x.transpose(0, 2, 1, 3).reshape(batch, tokens, num": "x.reshape(batch, tokens, num"
        },
        rejected_by=["merge", "round_trip"],
        misconception="merge-reshape-only",
    ),
    "heads in reverse": wrong(
        replace={"-1).transpose(0, 2, 1, 3)": "-1).transpose(0, 2, 1, 3)[:, ::-1]"},
        rejected_by=["split", "round_trip"],
        misconception="heads-reversed",
    ),
}

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
