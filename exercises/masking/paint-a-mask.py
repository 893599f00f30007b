"""A model continues a prompt. The prompt, *the cat*, is there from the start, so its two words
attend to each other in **both** directions. *sat down* is written after it, word by word: each word
sees the prompt, what was written before it, and itself. The last token is padding, and no row sees
it, not even its own. Which words the padding sees does not matter, as long as it sees at least one.

Paint the mask: rows are queries, columns are keys. Begin with a button: one of the four is close to
the answer. The number of cells you change does not matter. Then press *Use as answer*, or write the
rows yourself, with `True` for "may attend".
"""

import numpy as np

from coursekit import as_array, check, exercise, expect

exercise(
    title="Paint a mask",
    explorable="MaskPaint",
    binds={"mask": "mask"},
    hints=[
        "Which of the four buttons comes nearest? What does it forbid that the prompt needs?",
        "*the* comes before *cat*, so a causal mask hides *cat* from *the*. All other words see "
        "exactly what a causal mask lets them see.",
        "Press *Causal and padding*, then make one more cell visible, in the first row.",
    ],
)

# The rows that the figure above writes when you press "Use as answer":
# BEGIN SOLUTION
# STARTER: mask = [
# STARTER:     [True, True, True, True, True],
# STARTER:     [True, True, True, True, True],
# STARTER:     [True, True, True, True, True],
# STARTER:     [True, True, True, True, True],
# STARTER:     [True, True, True, True, True],
# STARTER: ]
mask = [
    [True, True, False, False, False],
    [True, True, False, False, False],
    [True, True, True, False, False],
    [True, True, True, True, False],
    [True, True, True, True, False],
]
# END SOLUTION


MISTAKES = r"""
prompt-causal:
    ```
    mask = [
        [True, True, False, False, False],
    →
    mask = [
        [True, False, False, False, False],
    ```
    *the* does not see *cat*. The whole prompt is there before anything is written, so its words may
    look ahead within it.
future-visible: `[True, True, True, False, False]` → `[True, True, True, True, False]`
    A word sees one that is written after it. When *sat* is being written, *down* does not exist
    yet.
prompt-too-long: `[True, True, False, False, False]` →
  `[True, True, True, False, False]` or `[True, True, True, True, False]`
    *the* sees a word outside the prompt. The prompt has two words, *the* and *cat*.
padding-visible: (also prompt-too-long) `mask = [[True] * 5] * 5`
or
    ```
        [True, True, True, True, False],
    ]
    →
        [True] * 5,
    ]
    ```
    Some row sees `<pad>`. Its column should be hidden in every row, its own included.
blind-row:
    ```
        [True, True, True, True, False],
    ]
    →
        [False] * 5,
    ]
    ```
    The row of `<pad>` sees nothing. A row without a visible key has no softmax; let it look at any
    real word, and never read what it gets.
blind-to-itself: `[True, True, True, False, False]` → `[True, True, False, False, False]`
    A word does not see itself. Only what comes later is hidden.
transposed: (also padding-visible)
    ```
    mask = [[1] * 5, [1] * 5, [0, 0, 1, 1, 1], [0, 0, 0, 1, 1], [0] * 5]
    ```
    Rows and columns are exchanged: rows are queries, columns are keys.
inverted: (also padding-visible) `True` → `0`, `False` → `1`
    Visible and hidden are exchanged. True means: may attend.
past-hidden: `[True, True, True, True, False]` → `[True, False, True, True, False]`
    A word does not see one that came before it. Past words need not be hidden.
shape: `mask = [[True, True, False, False, False]] * 4`
    The mask needs one row for each of the 5 queries and one column for each of the 5 keys.
"""

WORDS = ("the", "cat", "sat", "down", "<pad>")


def _right():
    mask = np.tril(np.ones((5, 5), dtype=bool))
    mask[0, 1] = True
    mask[:, 4] = False
    return mask


def _checked(mask):
    seen = as_array(mask, "mask")
    expect(seen.shape == (5, 5), f"mask has shape {seen.shape}; expected (5, 5).", "shape")
    expect(np.isin(seen, (0, 1)).all(), "mask holds other things than True and False.", "shape")
    return seen.astype(bool)


@check(points=2)
def words_see_what_they_may(mask):
    """The four words see what is there, and nothing that comes later"""
    seen, right = _checked(mask)[:4], _right()[:4]
    for name, other in (("inverted", ~_right()), ("transposed", _right().T)):
        expect((seen != other[:4]).any(), "Not one of these rows is right.", name)
    for query, key in np.argwhere(seen != right):
        asking, looked_at = WORDS[query], WORDS[key]
        if right[query, key]:
            kinds = {(0, 1): "prompt-causal", (query, query): "blind-to-itself"}
            reason = kinds.get((query, key), "past-hidden")
            expect(False, f"“{asking}” should see “{looked_at}”, and does not.", reason)
        kinds = {4: "padding-visible", 2: "prompt-too-long" if query == 0 else "future-visible"}
        reason = kinds.get(int(key), "future-visible")
        expect(False, f"“{asking}” sees “{looked_at}”, and should not.", reason)


@check(points=1)
def padding_is_seen_by_nobody_and_sees_something(mask):
    """Nobody sees the padding, and its own row is not empty"""
    seen = _checked(mask)
    watchers = [WORDS[row] for row in range(5) if seen[row, 4]]
    expect(not watchers, f"“<pad>” is seen by {', '.join(watchers)}.", "padding-visible")
    expect(seen[4].any(), "The row of “<pad>” is empty.", "blind-row")


ALSO_RIGHT = {
    "zeros and ones": """
        mask = [
            [1, 1, 0, 0, 0],
            [1, 1, 0, 0, 0],
            [1, 1, 1, 0, 0],
            [1, 1, 1, 1, 0],
            [1, 0, 0, 0, 0],
        ]
    """,
    "causal or within the prompt, and real": """
        import numpy as np
        i, j = np.indices((5, 5))
        mask = ((j <= i) | ((i < 2) & (j < 2))) & (j < 4)
    """,
    "tuples, and padding that sees one word": """
        mask = (
            (True, True, False, False, False),
            (True, True, False, False, False),
            (True, True, True, False, False),
            (True, True, True, True, False),
            (False, False, False, True, False),
        )
    """,
}
