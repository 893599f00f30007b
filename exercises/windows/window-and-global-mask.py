"""Two functions about who sees whom.

`window_and_global_mask(num_tokens, window, global_tokens)` returns a boolean mask of shape
`(num_tokens, num_tokens)`, True = may attend. Query $i$ sees key $j$ if they are at most `window`
apart, or if **either** of them is global.

`informed(mask, num_layers)` returns who can have been informed by whom after so many layers with
this mask: entry $i, j$ is True if something of token $j$ can have reached place $i$.
"""

import numpy as np

from attn import global_mask, sliding_window_mask
from coursekit import as_array, check, exercise, expect, expect_shape, wrong

exercise(
    id="window-and-global-mask",
    chapter="windows",
    title="A window, global tokens, and what a stack sees",
    withhold=["attn.sliding_window_mask", "attn.global_mask"],
    hints=[
        "For which pairs is $|i - j|$ at most the window? Which whole row, and which whole column, "
        "belongs to a global token?",
        "`np.arange(n)[:, None] - np.arange(n)` has shape `(n, n)`. For the global ones, set "
        "`mask[g, :]` and `mask[:, g]`.",
        "After two layers $i$ is informed by $j$ if there is some $l$ with `mask[i, l]` and "
        "`mask[l, j]`: that is where the matrix product `mask.astype(int) @ mask` is not 0.",
    ],
    misconceptions={
        "window-is-total": "The window was shared out over both sides. Here `window` counts the "
        "keys on *each* side; Longformer's `attention_window` counts both.",
        "one-sided": "Only keys on one side are visible. Take the distance without its sign.",
        "strict": "A key exactly `window` apart is not visible. The last one counts as well: at "
        "most `window`.",
        "ends-wrap": "The window goes round: the first token sees the last ones. A sentence is no "
        "ring.",
        "row-only": "A global token sees everybody, but not everybody sees it. Who looks at its "
        "column?",
        "column-only": "Everybody sees the global token, but it does not see everybody. What is in "
        "its row?",
        "both-global": "Only pairs of which *both* are global were added, or a global token lost "
        "its window. Either of the two being global is enough.",
        "no-window": "The tokens that are not global lost their window.",
        "not-boolean": "A mask is boolean: True or False, nothing else.",
        "windows-count-once": "The layers after the first changed nothing. In the second layer a "
        "neighbour hands on what it has seen in the first.",
        "one-layer-too-many": "That is one layer too many: after *one* layer a token is informed "
        "by what the mask shows it, no more.",
        "counts-paths": "The entries count the paths. The question is only whether there is one.",
    },
)


def window_and_global_mask(num_tokens, window, global_tokens):
    """Return who may attend to whom, (num_tokens, num_tokens), boolean."""
    # BEGIN SOLUTION
    places = np.arange(num_tokens)
    mask = np.abs(places[:, None] - places) <= window
    for token in global_tokens:
        mask[token, :] = True
        mask[:, token] = True
    return mask
    # END SOLUTION


def informed(mask, num_layers):
    """Return who can be informed by whom after num_layers, like mask."""
    # BEGIN SOLUTION
    reached = mask
    for _ in range(num_layers - 1):
        reached = (mask.astype(int) @ reached.astype(int)) > 0
    return reached
    # END SOLUTION


def _right(num_tokens, window, global_tokens):
    mask = sliding_window_mask(num_tokens, num_tokens, window)
    return mask | global_mask(num_tokens, np.array(global_tokens, dtype=int))


def _mask(seen, num_tokens, what):
    array = expect_shape(seen, (num_tokens, num_tokens), what=what)
    expect(array.dtype == bool, f"{what} has dtype {array.dtype}; expected bool.", "not-boolean")
    return array


def _expect_mask(seen, num_tokens, window, global_tokens):
    what = f"window_and_global_mask({num_tokens}, {window}, {global_tokens})"
    array, right = _mask(seen, num_tokens, what), _right(num_tokens, window, global_tokens)
    rows, columns = np.indices(array.shape)
    near, is_global = np.abs(rows - columns) <= window, np.zeros(num_tokens, dtype=bool)
    is_global[list(global_tokens)] = True
    mistakes = {
        "window-is-total": _right(num_tokens, window // 2, global_tokens),
        "one-sided": right & ((rows >= columns) | is_global | is_global[:, None]),
        "strict": _right(num_tokens, max(window - 1, 0), global_tokens),
        "ends-wrap": right | (np.abs(rows - columns) >= num_tokens - window),
        "row-only": near | is_global[:, None],
        "column-only": near | is_global,
        "both-global": near | (is_global & is_global[:, None]),
        "no-window": is_global | is_global[:, None],
    }
    wrong_cells = np.argwhere(array != right)
    if len(wrong_cells):
        known = (name for name, mask in mistakes.items() if np.array_equal(mask, array))
        row, column = wrong_cells[0]
        does = "does not see" if right[row, column] else "sees"
        says = f"{what}: query {row} {does} key {column}, and {len(wrong_cells)} cells are wrong."
        expect(False, says, next(known, None))


def _expect_informed(seen, mask, num_layers, right, further):
    """``right`` is who is informed after these layers, ``further`` after one more."""
    array = as_array(seen, "informed(mask, num_layers)")
    if array.shape == mask.shape and array.dtype != bool and (array > 1).any():
        expect(False, "informed(…) holds numbers greater than 1.", "counts-paths")
    array = _mask(seen, len(mask), f"informed(mask, {num_layers})")
    mistakes = {"windows-count-once": mask, "one-layer-too-many": further}
    known = (name for name, wrong_one in mistakes.items() if np.array_equal(array, wrong_one))
    row = int((array != right).any(axis=1).argmax())
    expect(
        np.array_equal(array, right),
        f"After {num_layers} layers, {int(array[row].sum())} tokens inform place {row}; expected "
        f"{int(right[row].sum())}.",
        next(known, None),
    )


@check(points=2)
def near_or_global(window_and_global_mask):
    """11 tokens, a window of 3, global tokens 0 and 7"""
    _expect_mask(window_and_global_mask(11, 3, []), 11, 3, [])
    _expect_mask(window_and_global_mask(11, 3, [0, 7]), 11, 3, [0, 7])


@check(points=1)
def symmetric_with_the_right_number_of_pairs(window_and_global_mask):
    """It is symmetric, and has n (2w + 1) − w (w + 1) pairs without global tokens"""
    for num_tokens, window in ((13, 1), (17, 4), (7, 3)):
        mask = _mask(window_and_global_mask(num_tokens, window, []), num_tokens, "The mask")
        pairs = num_tokens * (2 * window + 1) - window * (window + 1)
        expect(
            mask.sum() == pairs,
            f"{num_tokens} tokens, window {window}: {int(mask.sum())} pairs; expected {pairs}.",
        )
    mask = _mask(window_and_global_mask(13, 1, [4]), 13, "The mask")
    expect(np.array_equal(mask, mask.T), "The mask with token 4 global is not symmetric.")


@check(points=2)
def a_stack_sees_further(informed):
    """A window of 2: after L layers, min(n − 1, i + 2L) − max(0, i − 2L) + 1 tokens"""
    mask = _right(19, 2, [])
    for num_layers in (3, 1, 2, 7):
        right, further = (_right(19, 2 * layers, []) for layers in (num_layers, num_layers + 1))
        _expect_informed(informed(mask.copy(), num_layers), mask, num_layers, right, further)


@check(points=1)
def one_global_token_links_all(informed):
    """With one global token, two layers are enough for everything; a causal mask looks back"""
    mask = _right(19, 1, [5])
    everything = np.ones((19, 19), dtype=bool)
    for num_layers, right in ((2, everything), (1, mask)):
        _expect_informed(informed(mask.copy(), num_layers), mask, num_layers, right, everything)
    mask, right, further = (np.tril(_right(19, reach, [])) for reach in (2, 6, 8))
    _expect_informed(informed(mask.copy(), 3), mask, 3, right, further)


@check(points=1, hidden=True)
def other_sizes(window_and_global_mask, informed, rng):
    """Other sizes: no window, a window wider than the text, other global tokens"""
    drawn = [int(token) for token in rng.choice(31, size=3, replace=False)]
    texts = ((1, 0, []), (5, 9, []), (23, 0, [3]), (29, 6, [28]))
    for num_tokens, window, global_tokens in (*texts, (31, int(rng.integers(2, 7)), drawn)):
        mask = _right(num_tokens, window, global_tokens)
        _expect_mask(
            window_and_global_mask(num_tokens, window, global_tokens),
            num_tokens,
            window,
            global_tokens,
        )
        right, further = (np.linalg.matrix_power(mask.astype(float), n) > 0 for n in (2, 3))
        _expect_informed(informed(mask, 2), mask, 2, right, further)


WRONG = {
    "half the window on each side": wrong(
        replace={"<= window": "<= window // 2"},
        rejected_by=["near_or_global", "symmetric_with_the_right_number_of_pairs"],
        misconception="window-is-total",
    ),
    "looks back only": wrong(
        replace={
            "np.abs(places[:, None] - places) <= window": (
                "((places[:, None] - places) <= window) & (places[:, None] >= places)"
            )
        },
        rejected_by=["near_or_global", "symmetric_with_the_right_number_of_pairs"],
        misconception="one-sided",
    ),
    "less than the window": wrong(
        replace={"<= window": "< window"},
        rejected_by=["near_or_global", "symmetric_with_the_right_number_of_pairs"],
        misconception="strict",
    ),
    "the ends meet": wrong(
        replace={
            "mask = np.abs(places[:, None] - places) <= window": (
                "apart = np.abs(places[:, None] - places)\n"
                "    mask = np.minimum(apart, num_tokens - apart) <= window"
            )
        },
        rejected_by=["near_or_global", "symmetric_with_the_right_number_of_pairs"],
        misconception="ends-wrap",
    ),
    "rows only": wrong(
        replace={"mask[:, token] = True": "pass"},
        rejected_by=["near_or_global", "symmetric_with_the_right_number_of_pairs"],
        misconception="row-only",
    ),
    "columns only": wrong(
        replace={"mask[token, :] = True": "pass"},
        rejected_by=["near_or_global", "symmetric_with_the_right_number_of_pairs"],
        misconception="column-only",
    ),
    "global tokens see each other only": wrong(
        """
        def window_and_global_mask(num_tokens, window, global_tokens):
            places = np.arange(num_tokens)
            chosen = np.isin(places, global_tokens)
            return (np.abs(places[:, None] - places) <= window) | (chosen & chosen[:, None])

        def informed(mask, num_layers):
            return np.linalg.matrix_power(mask.astype(float), num_layers) > 0
        """,
        rejected_by=["near_or_global"],
        misconception="both-global",
    ),
    "numbers for a mask": wrong(
        replace={"return mask\n": "return mask.astype(int)\n"},
        rejected_by=["near_or_global", "symmetric_with_the_right_number_of_pairs"],
        misconception="not-boolean",
    ),
    "the stack sees one window": wrong(
        replace={"for _ in range(num_layers - 1):": "for _ in range(0):"},
        rejected_by=["a_stack_sees_further", "one_global_token_links_all"],
        misconception="windows-count-once",
    ),
    "one layer too many": wrong(
        replace={"range(num_layers - 1)": "range(num_layers)"},
        rejected_by=["a_stack_sees_further", "one_global_token_links_all"],
        misconception="one-layer-too-many",
    ),
    "counts the paths": wrong(
        """
        def window_and_global_mask(num_tokens, window, global_tokens):
            places = np.arange(num_tokens)
            chosen = np.isin(places, global_tokens)
            return (np.abs(places[:, None] - places) <= window) | chosen | chosen[:, None]

        def informed(mask, num_layers):
            return np.linalg.matrix_power(mask.astype(int), num_layers)
        """,
        rejected_by=["a_stack_sees_further", "one_global_token_links_all"],
        misconception="counts-paths",
    ),
}

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
