"""You have 16 tokens, two layers, and a budget: each layer may compute at most **100 of the 256
pairs**. Choose a window and global tokens so that after two layers **every** token can have
received information from every other. Each token must also see its direct neighbours, so the window
is at least 1.

`window` is a whole number, the keys on each side; `global_tokens` is a list of positions from 0 to
15, and may be empty. The figure counts for you: set its *layers* to 2 and look at the row "keys
that reach". Then press *Use as answer*, or write the two lines yourself.
"""

from attn import global_mask, sliding_window_mask
from coursekit import as_array, check, exercise, expect

exercise(
    title="Everything in two layers, on a budget",
    explorable="WindowMask",
    binds={"window": "window", "global_tokens": "global_tokens"},
    hints=[
        "How wide would a window have to be for token 0 to get information from token 15 in two "
        "layers? What does it cost?",
        "A global token sees all tokens, and all see it. How many layers does it take to get from "
        "any token to any other through it?",
        "A window of 1 costs 46 pairs, and one global token about 28 more.",
    ],
)

# The lines that the figure above writes when you press "Use as answer":
# BEGIN SOLUTION
# STARTER: window = 2
# STARTER: global_tokens = []
window = 1
global_tokens = [8]
# END SOLUTION


MISTAKES = r"""
no-link: `[8]` → `[]`, `1` → `2` or `3`
    Without a global token, information moves by one window in each layer: two layers with a window
    of w reach 2w tokens to each side. What would link the two ends at once?
too-expensive: `[8]` → `[]`, `1` → `8`
or `1` → `3`, `8` → `0`
    All tokens are linked, but this takes too many pairs. Each step of the window costs about two
    more pairs per token; what does one global token cost?
no-neighbour: `1` → `0`, `8` → `0`
    With a window of 0 a token sees only itself and the global tokens, not its neighbours.
too-many-globals: `8` → `0, 4, 8, 12`
    One global token links everything in two layers already. Each further one costs another row and
    another column.
not-a-position: `8` → `16`
    Global tokens are positions from 0 to 15, in a list, such as global_tokens = [3].
not-a-window: `1` → `0.5`, `8` → `0`
    The window is one whole number, 0 or more: the keys on each side.
"""

NUM_TOKENS, BUDGET = 16, 100


def _checked(window, global_tokens):
    wide = as_array(window, "window")
    whole = wide.ndim == 0 and wide.dtype.kind in "iu" and wide >= 0
    expect(whole, f"window is {window!r}; expected a whole number, 0 or more.", "not-a-window")
    places = as_array(global_tokens, "global_tokens")
    fine = places.ndim == 1 and (not places.size or places.dtype.kind in "iu")
    fine = fine and ((places >= 0) & (places < NUM_TOKENS)).all()
    expect(
        fine, f"global_tokens is {global_tokens!r}; expected a list of positions.", "not-a-position"
    )
    places = sorted(set(places.astype(int).tolist()))
    mask = sliding_window_mask(NUM_TOKENS, NUM_TOKENS, int(wide))
    return int(wide), len(places), mask | global_mask(NUM_TOKENS, places)


@check(
    points=3,
    success_message="A global token is one layer away from every token, so two layers link all "
    "tokens.",
)
def all_linked_on_a_budget(window, global_tokens):
    """Two layers link all tokens, with neighbours, in at most 100 pairs a layer"""
    wide, num_global, mask = _checked(window, global_tokens)
    reached = mask.astype(int) @ mask > 0
    heard = reached.sum(axis=1)
    says = f"After two layers, {int(heard.min())} of 16 tokens have reached {heard.argmin()}."
    expect(reached.all(), says, "no-link")
    pairs = int(mask.sum())
    reason = "too-many-globals" if num_global > 1 else "too-expensive"
    says = f"All tokens are linked, with {pairs} pairs in a layer; expected at most {BUDGET}."
    expect(pairs <= BUDGET, says, reason)
    says = "All tokens are linked within the budget, but the window is 0; expected at least 1."
    expect(wide >= 1, says, "no-neighbour")


ALSO_RIGHT = {
    "the first token, and a window of 2": "window = 2\nglobal_tokens = [0]",
    "two global tokens": "window = 1\nglobal_tokens = [7, 8]",
    "an array": """
        import numpy as np
        window = np.int64(1)
        global_tokens = np.array([15])
    """,
}
