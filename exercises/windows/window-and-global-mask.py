"""Write two functions about which tokens can get information from which.

`window_and_global_mask(num_tokens, window, global_tokens)` returns a boolean mask of shape
`(num_tokens, num_tokens)`, True = may attend. Query $i$ (row) may attend to key $j$ (column) if
$|i - j|$ is at most `window`, or if at least **one** of the two is a global token.
`global_tokens` holds positions, in a list, a tuple or an integer array; it may be empty.

`informed(mask, num_layers)` gets any boolean mask in which every token may attend to itself. There
are `num_layers` layers, 1 or more, and all use this mask. It returns a boolean array of the same
shape: entry $(i, j)$ is True if information about token $j$ can have reached position $i$ after the
last layer. If you count the ways from $j$ to $i$, beware: the checks have up to 256 tokens and up
to 12 layers, and the count may become too large for an integer.

Leave the arguments unchanged.
"""

import numpy as np

from attn import global_mask, sliding_window_mask
from coursekit import (
    CheckFailed,
    call_keeping_inputs,
    check,
    exercise,
    expect_close,
    expect_shape,
)

exercise(
    title="A window, global tokens, and what a stack of layers sees",
    version=2,
    withhold=["attn.sliding_window_mask", "attn.global_mask"],
    hints=[
        "For which pairs is $|i - j|$ at most the window? Which whole row, and which whole column, "
        "belongs to a global token?",
        "`np.arange(n)[:, None] - np.arange(n)` has shape `(n, n)`. For each global token `g`, set "
        "`mask[g, :]` and `mask[:, g]`.",
        "After two layers token $j$ has informed position $i$ if there is an $l$ with `mask[i, l]` "
        "and `mask[l, j]`: where the matrix product `mask.astype(int) @ mask` is above 0. Compare "
        "with 0 after every layer, and no count grows.",
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


MISTAKES = r"""
tuple-index: `in global_tokens` → `in [global_tokens][: len(global_tokens)]`,
  `mask[token, :]` → `mask[token]`
    With a list of global tokens the mask is right. `mask[(3, 8)]` is the one entry in row 3, column
    8, since a tuple indexes the axes: take the tokens one by one, or make a list of them first.
not-boolean: `return mask` → `return mask.astype(int)`
    The values are numbers. Return a boolean array, for example from a comparison.
counts: ` > 0` → ``
    Some entries are counts above 1. Only True and False are asked for: compare with 0.
overflow: `(mask.astype(int) @ reached.astype(int))` → `(mask.astype(np.uint8) @ reached)`
    No token is informed, not even by itself, although all attend to all. From each token to each
    there are 256 paths in two layers of 256 tokens, and 64¹¹ in twelve layers of 64: an integer of
    8 or 64 bits counts them as 0.
window-is-total: `<= window` → `<= window // 2`
    The window was split between the two sides. Here `window` counts the keys on *each* side;
    Longformer's `attention_window` counts both sides together.
backward-only: `return mask` → `return mask & np.tri(num_tokens, dtype=bool)`
    Apart from global tokens, a query sees only itself and earlier keys. The window reaches to both
    sides: compare the distance without its sign.
strict: `<=` → `<`
    Keys exactly `window` apart are hidden. “At most” includes them.
ends-wrap: `np.abs(places[:, None] - places) <= window` →
  `(places[:, None] - places + window) % num_tokens <= 2 * window`
    The first tokens see the last ones, as if the sentence were closed to a ring. Do not take
    distances modulo the length.
row-only: `mask[:, token] = True` → `pass`
    A global token sees all tokens, but not all tokens see it: its column is missing.
column-only: `mask[token, :] = True` → `pass`
    All tokens see the global token, but it does not see all tokens: its row is missing.
both-global: `mask[token, :]` → `mask[token, global_tokens]`, `mask[:, token] = True` → `pass`
    A pair outside the window is visible only if *both* tokens are global. One global token is
    enough.
first-global-only: `in global_tokens` → `in global_tokens[:1]`
    Only the first of the global tokens has a row and a column.
without-itself: `reached = mask` → `reached = mask = mask & ~np.eye(len(mask), dtype=bool)`
    This is what information reaches if no token keeps its own: the mask's diagonal was left out.
one-layer-only: `range(num_layers - 1)` → `range(0)`
    This is the mask itself, which is what *one* layer can see. In the next layer a neighbour passes
    on what it got in the one before.
one-layer-too-many: `range(num_layers - 1)` → `range(num_layers)`
    This is right for one layer more. After *one* layer a token has information only from the tokens
    that the mask shows it.
all-later-keys: `np.abs(` → `(`
    Every later key is visible, however far away: a negative distance is below any window. Take the
    absolute value.
mask-inverted: `return mask` → `return ~mask`
token-zero-skipped: `in global_tokens` → `in filter(None, global_tokens)`
    Token 0 is global here, and its row and column are missing. A test such as `if token:` skips it,
    since 0 counts as False.
one-layer-too-few: (also one-layer-only) `reached = mask` →
  `reached = np.eye(len(mask), dtype=bool)`
    This is right for one layer fewer. The first layer is the mask itself; each further layer is one
    more product.
both-directions: `reached = mask` → `reached = mask = mask | mask.T`
    Information moves both ways along every visible pair. It moves from key to query only, which
    matters as soon as the mask is not symmetric.
direction-reversed: `return reached` → `return reached.T`
    This is the transpose: entry (i, j) says whether i can inform j. Row i is the position that is
    informed.
distance-times-layers:
    ```
        return reached
    →
        apart = np.abs(np.subtract.outer(*2 * [np.arange(len(mask))]))
        return apart <= apart[mask].max() * num_layers
    ```
    This is a band as wide as the longest distance in the mask times the number of layers. That is
    right for a plain window alone; follow the pairs that this mask has.
window-doubled: `<= window` → `<= 2 * window`
    The window reaches twice as far as it should. Here `window` counts the keys on each side.
forward-only: `return mask` → `return mask & ~np.tri(num_tokens, k=-1, dtype=bool)`
    Apart from global tokens, a query sees only itself and later keys. The window reaches to both
    sides: compare the distance without its sign.
all-earlier-keys: `np.abs(places[:, None] - places)` → `(places - places[:, None])`
    Every earlier key is visible, however far away: a negative distance is below any window. Take
    the absolute value.
global-neighbourhood: `mask[token, :]` → `mask[max(token - window, 0) : token + window + 1, :]`,
  `mask[:, token]` → `mask[:, max(token - window, 0) : token + window + 1]`
    The rows and columns around each global token are visible as well. Only its own row and its own
    column are.
no-window: `np.abs(places[:, None] - places) <= window` → `places[:, None] < 0 * places`
    Only the rows and columns of global tokens are visible: the window of the other tokens is
    missing.
no-globals: `in global_tokens` → `in ()`
    This is the window alone: the global tokens have no effect.
layers-doubled: `(mask.astype(int) @ reached.astype(int))` → `(reached.astype(int) @ reached)`
    The result was multiplied by itself for each further layer, so it counts 1, 2, 4, 8 … layers.
    Multiply by the mask each time.
"""


def _right(num_tokens, window, global_tokens):
    mask = sliding_window_mask(num_tokens, num_tokens, window)
    return mask | global_mask(num_tokens, np.array(global_tokens, dtype=int))


def _expect_same(given, right, what):
    array = expect_shape(given, right.shape, what=what)
    if array.dtype != bool:
        id = "counts" if (array > 1).any() else "not-boolean"
        raise CheckFailed(f"{what} has dtype {array.dtype}; expected bool.", id)
    expect_close(array, right, what=what)


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
    success_message="A causal stack only looks back; one global token links all in two layers.",
)
def other_masks(informed):
    """A causal mask that shows each token itself and the third before it; a global token"""
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
        given = call_keeping_inputs(informed, right, num_layers)
        _expect_same(given, right, what)


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
