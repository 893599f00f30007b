"""Write two functions about which tokens can get information from which.

`window_and_global_mask(num_tokens, window, global_tokens)` returns a boolean mask of shape
`(num_tokens, num_tokens)`, True = may attend. Query $i$ (row) may attend to key $j$ (column) if
$|i - j|$ is at most `window`, or if at least **one** of the two is a global token.
`global_tokens` holds positions, in a list, a tuple or an integer array; it may be empty.

`informed(mask, num_layers)` takes any boolean mask in which every token may attend to itself. There
are `num_layers` layers, 1 or more, and all use this mask. It returns a boolean array of the same
shape: entry $(i, j)$ is True if information about token $j$ can have reached position $i$ after the
last layer. If you count the ways from $j$ to $i$, beware: the checks have up to 256 tokens and up
to 12 layers, and the count may become too large for an integer.

Leave the arguments unchanged.
"""

import numpy as np

from attn import global_mask, sliding_window_mask
from attnlab import mistakes
from coursekit import (
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_shape,
    mistake,
    shared_mistakes,
)

exercise(
    id="window-and-global-mask",
    chapter="windows",
    title="A window, global tokens, and what a stack of layers sees",
    version=2,
    withhold=["attn.sliding_window_mask", "attn.global_mask"],
    pairs=False,
    hints=[
        "For which pairs is $|i - j|$ at most the window? Which whole row, and which whole column, "
        "belongs to a global token?",
        "`np.arange(n)[:, None] - np.arange(n)` has shape `(n, n)`. For each global token `g`, set "
        "`mask[g, :]` and `mask[:, g]`.",
        "After two layers, token $j$ has informed position $i$ if `mask[i, l]` and `mask[l, j]` "
        "hold for some $l$, that is, where the matrix product `mask.astype(int) @ mask` is above "
        "0. If you compare with 0 after every layer, no count grows.",
    ],
)


def window_and_global_mask(num_tokens, window, global_tokens):
    """Return which query may attend to which key, (num_tokens, num_tokens), boolean."""
    # BEGIN SOLUTION
    places = np.arange(num_tokens)
    mask = np.abs(places[:, None] - places) <= window
    for token in global_tokens:
        mask[token, :] = True
        mask[:, token] = True
    return mask
    # END SOLUTION


def informed(mask, num_layers):
    """Return which position can have information about which token, shape and dtype of mask."""
    # BEGIN SOLUTION
    reached = mask
    for _ in range(num_layers - 1):
        reached = (mask.astype(int) @ reached.astype(int)) > 0
    return reached
    # END SOLUTION


def _right(num_tokens, window, global_tokens):
    mask = sliding_window_mask(num_tokens, num_tokens, window)
    return mask | global_mask(num_tokens, np.array(global_tokens, dtype=int))


def _expect_same(given, right, what):
    array = expect_shape(given, right.shape, what=what)
    id = "counts" if (array > 1).any() else "not-boolean"
    expect(array.dtype == bool, f"{what} has dtype {array.dtype}; expected bool.", id)
    message, cells = "", np.argwhere(array != right).tolist()
    if cells:
        row, column = cells[0]
        message = (
            f"{what}: entry ({row}, {column}) is {array[row, column]}; expected "
            f"{right[row, column]}. Of {array.size} entries {len(cells)} are wrong."
        )
    expect_close(array, right, message=message)


def _expect_mask(window_and_global_mask, num_tokens, window, global_tokens):
    given = call_keeping_inputs(window_and_global_mask, num_tokens, window, global_tokens)
    what = f"window_and_global_mask({num_tokens}, {window}, {global_tokens!r})"
    _expect_same(given, _right(num_tokens, window, global_tokens), what)


def _expect_informed(informed, mask, num_layers, right):
    given = call_keeping_inputs(informed, mask, num_layers)
    _expect_same(given, right, f"informed(mask, {num_layers})")


@check(points=1, success_message="A row has 2w + 1 visible keys, and fewer at the ends.")
def a_window_alone(window_and_global_mask):
    """No global tokens: an empty list, and an empty tuple"""
    _expect_mask(window_and_global_mask, 13, 4, [])
    _expect_mask(window_and_global_mask, 11, 3, ())


@check(
    points=2,
    success_message="Each global token has its row and its column, so the mask is symmetric.",
)
def near_or_global(window_and_global_mask):
    """Global tokens in a list, a tuple, and an array"""
    for global_tokens in ([0, 7], (4,), (3, 8), np.array([10, 2])):
        _expect_mask(window_and_global_mask, 11, 3, global_tokens)


@check(points=2, success_message="With a window of w, L layers reach wL tokens to each side.")
def a_stack_sees_further(informed):
    """A window of 2, in 3, 1, 2 and 7 layers"""
    for num_layers in (3, 1, 2, 7):
        _expect_informed(informed, _right(19, 2, []), num_layers, _right(19, 2 * num_layers, []))


@check(
    points=1,
    success_message="A causal stack only looks back; one global token links all tokens in two "
    "layers.",
)
def other_masks(informed):
    """A causal mask that shows each token itself and the third token before it; a global token"""
    back = [np.eye(19, k=-3 * step, dtype=bool) for step in range(4)]
    _expect_informed(informed, back[0] | back[1], 3, np.any(back, axis=0))
    one_global = _right(19, 1, [5])
    _expect_informed(informed, one_global, 2, np.ones_like(one_global))
    _expect_informed(informed, one_global, 1, one_global)


@check(points=1, success_message="No count of paths overflows.")
def many_paths(informed):
    """A window of 1 in 12 layers; all attend to all: 256 tokens in 2 layers, 64 tokens in 12"""
    _expect_informed(informed, _right(64, 1, []), 12, _right(64, 12, []))
    for num_tokens, num_layers in ((256, 2), (64, 12)):
        right = np.ones((num_tokens, num_tokens), dtype=bool)
        what = f"informed(mask, {num_layers}) of {num_tokens} tokens that all attend to all"
        _expect_same(call_keeping_inputs(informed, right, num_layers), right, what)


@check(points=1, hidden=True)
def other_sizes(window_and_global_mask, informed, rng):
    """Other sizes: no window, a window wider than the text, other masks"""
    drawn = [int(token) for token in rng.choice(31, size=3, replace=False)]
    texts = ((1, 0, []), (5, 9, []), (23, 0, [3]), (29, 6, (28,)))
    for num_tokens, window, global_tokens in (*texts, (31, int(rng.integers(3, 7)), drawn)):
        _expect_mask(window_and_global_mask, num_tokens, window, global_tokens)
    for num_layers in (3, 2, 5):
        mask = (rng.random((23, 23)) < 0.07) | np.eye(23, dtype=bool)
        right = np.linalg.matrix_power(mask.astype(float), num_layers) > 0
        _expect_informed(informed, mask, num_layers, right)


shared_mistakes(
    mistakes.EXPLANATIONS,
    window_and_global_mask=mistakes.of_window_mask,
    informed=mistakes.of_stack,
)
mistake(
    "tuple-index",
    "With a list of global tokens the mask is right. `mask[(3, 8)]` is the one entry in row 3, "
    "column 8, since a tuple indexes the axes: take the tokens one by one, or make a list of "
    "them first.",
    {
        "in global_tokens:": "in [global_tokens] if len(global_tokens) else []:",
        "mask[token, :]": "mask[token]",
    },
)
mistake(
    "not-boolean",
    "The values are numbers. Return a boolean array, for example from a comparison.",
    {"return mask\n": "return mask.astype(int)\n"},
)
mistake(
    "counts",
    "Some entries are counts above 1. Only True and False are asked for: compare with 0.",
    {"return reached\n": "return np.linalg.matrix_power(mask.astype(int), num_layers)\n"},
)
mistake(
    "overflow",
    "No token is informed, not even by itself, although all attend to all. Between any two tokens, "
    "there are 256 paths in two layers of 256 tokens, and 64¹¹ in twelve layers of 64: an integer "
    "of 8 or 64 bits counts them as 0.",
    {"mask.astype(int) @ reached.astype(int)": "mask.astype(np.uint8) @ reached"},
)
mistake("row-only", "", {"mask[:, token] = True": "pass"})
mistake("one-layer-too-many", "", {"range(num_layers - 1)": "range(num_layers)"})

ALSO_RIGHT = {
    "loops": """
        def window_and_global_mask(num_tokens, window, global_tokens):
            return np.array([
                [abs(i - j) <= window or i in global_tokens or j in global_tokens
                 for j in range(num_tokens)]
                for i in range(num_tokens)
            ])

        def informed(mask, num_layers):
            n = len(mask)
            reached = np.eye(n, dtype=bool)
            for _ in range(num_layers):
                reached = np.array([
                    [any(mask[i, l] and reached[l, j] for l in range(n)) for j in range(n)]
                    for i in range(n)
                ])
            return reached
    """,
    "bands and powers": """
        def window_and_global_mask(num_tokens, window, global_tokens):
            ones = np.ones((num_tokens, num_tokens), dtype=bool)
            mask = np.triu(np.tril(ones, window), -window)
            chosen = np.zeros(num_tokens, dtype=bool)
            chosen[np.array(global_tokens, dtype=int)] = True
            return mask | chosen | chosen[:, None]

        def informed(mask, num_layers):
            return np.linalg.matrix_power(mask.astype(float), num_layers) > 0.5
    """,
}
