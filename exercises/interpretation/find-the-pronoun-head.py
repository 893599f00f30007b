"""In *The cat drank the milk because it was thirsty*, *it* is the cat. Only the last word tells us.
Choose a head that seems to know: one in which *it* gives *cat* at least 0.3 of its weight, and more
than it gives *milk*.

**Choose it on this sentence alone.** Your head is then judged on a sentence that played no part in
your choice: *The cat drank the milk because it was fresh*, in which *it* is the milk. There it
has to pass the same test: at least 0.3 on *milk*, and more than on *cat*. Several of the 72 heads
pass on the first sentence. Before you answer, think about which of them you would bet on, and why.

Press *Use as answer*, or write layer and head yourself. If the figure has a field for sentences,
try your head on **a pair of your own** afterwards, such as *The dog chased the ball because it was
…*, and see how far the pattern holds.
"""

from coursekit import check, exercise, expect, expect_integer

exercise(
    version=2,
    title="Choose a head on one sentence, and test it on another",
    explorable="HeadBrowser",
    binds={"layer": "layer", "head": "head"},
    hints=[
        "Choose the row of *it* in the sentence with *thirsty*, and go through the heads from "
        "layer 4 on: in earlier layers hardly anything from the end of the sentence has arrived.",
        "Four heads pass on the first sentence. Most of the weight from *it* to *cat* is in layer "
        "6, but the largest weight need not belong to the head that generalises. Which of the four "
        "have you seen do something similar in another sentence?",
        "You know the head from this chapter: it went from *picked* to *apple*.",
    ],
)

# The lines that the figure above writes when you press "Use as answer":
# BEGIN SOLUTION
# STARTER: layer = 1
# STARTER: head = 1
layer = 4
head = 2
# END SOLUTION


MISTAKES = r"""
not-on-the-first: `2` → `9`
or `4` → `6`, `2` → `11`
    This head does not pass on the sentence that you chose it on.
one-sentence: `4` → `6`, `2` → `12` or `5`
or `4` → `5`, `2` → `4`
    This head gives *cat* more weight than *milk* in both sentences, whatever *it* means. Four of
    the 72 heads pass on the first sentence, and three of the four do not pass on the second:
    choosing the best of many on one sentence mostly finds a coincidence.
not-a-head: `2` → `0`
    The answer needs a layer from 1 to 6 and a head from 1 to 12.
"""

# The model's weights from "it" to each noun, one layer in a row, in both sentences.
THIRSTY_CAT = [
    [0.05, 0.05, 0.00, 0.06, 0.00, 0.00, 0.08, 0.03, 0.03, 0.01, 0.03, 0.07],
    [0.00, 0.00, 0.01, 0.12, 0.00, 0.04, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00],
    [0.00, 0.02, 0.04, 0.00, 0.13, 0.13, 0.12, 0.01, 0.00, 0.00, 0.19, 0.00],
    [0.03, 0.46, 0.04, 0.08, 0.07, 0.02, 0.05, 0.21, 0.05, 0.09, 0.08, 0.05],
    [0.10, 0.08, 0.05, 0.30, 0.23, 0.04, 0.01, 0.00, 0.16, 0.01, 0.03, 0.06],
    [0.05, 0.03, 0.03, 0.28, 0.41, 0.19, 0.04, 0.13, 0.10, 0.01, 0.19, 0.55],
]
THIRSTY_MILK = [
    [0.04, 0.07, 0.00, 0.07, 0.01, 0.01, 0.15, 0.06, 0.02, 0.02, 0.02, 0.05],
    [0.00, 0.00, 0.06, 0.15, 0.01, 0.05, 0.01, 0.04, 0.00, 0.08, 0.00, 0.01],
    [0.07, 0.04, 0.16, 0.01, 0.03, 0.09, 0.08, 0.01, 0.01, 0.00, 0.05, 0.06],
    [0.01, 0.22, 0.02, 0.01, 0.03, 0.01, 0.04, 0.04, 0.21, 0.05, 0.15, 0.04],
    [0.07, 0.02, 0.09, 0.03, 0.02, 0.01, 0.02, 0.00, 0.04, 0.00, 0.01, 0.02],
    [0.03, 0.07, 0.06, 0.13, 0.12, 0.15, 0.16, 0.16, 0.05, 0.02, 0.17, 0.27],
]
FRESH_CAT = [
    [0.05, 0.04, 0.00, 0.06, 0.00, 0.00, 0.09, 0.03, 0.03, 0.02, 0.03, 0.07],
    [0.01, 0.00, 0.01, 0.12, 0.00, 0.04, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00],
    [0.00, 0.03, 0.04, 0.00, 0.14, 0.15, 0.10, 0.01, 0.00, 0.00, 0.16, 0.00],
    [0.02, 0.06, 0.04, 0.03, 0.08, 0.01, 0.02, 0.13, 0.02, 0.06, 0.09, 0.05],
    [0.06, 0.06, 0.05, 0.29, 0.23, 0.02, 0.01, 0.00, 0.08, 0.01, 0.03, 0.09],
    [0.04, 0.04, 0.03, 0.26, 0.38, 0.19, 0.07, 0.14, 0.11, 0.01, 0.20, 0.50],
]
FRESH_MILK = [
    [0.04, 0.06, 0.00, 0.08, 0.01, 0.01, 0.16, 0.06, 0.02, 0.02, 0.03, 0.05],
    [0.00, 0.00, 0.06, 0.16, 0.01, 0.06, 0.01, 0.03, 0.00, 0.08, 0.00, 0.01],
    [0.07, 0.04, 0.18, 0.01, 0.02, 0.10, 0.09, 0.01, 0.00, 0.00, 0.04, 0.05],
    [0.01, 0.42, 0.03, 0.03, 0.02, 0.01, 0.01, 0.07, 0.12, 0.05, 0.09, 0.04],
    [0.08, 0.02, 0.06, 0.09, 0.04, 0.01, 0.02, 0.01, 0.05, 0.01, 0.02, 0.12],
    [0.02, 0.07, 0.07, 0.17, 0.16, 0.18, 0.17, 0.20, 0.08, 0.02, 0.22, 0.28],
]


def _seen(layer, head, tables):
    """Return the weights on the right noun and on the other one in one sentence."""
    at = expect_integer(layer, 1, 6, what="layer", misconception="not-a-head") - 1
    which = expect_integer(head, 1, 12, what="head", misconception="not-a-head") - 1
    return tuple(table[at][which] for table in tables)


@check(points=1)
def it_goes_to_the_cat(layer, head):
    """With *thirsty*, on which it was chosen, *it* attends to the cat"""
    cat, milk = _seen(layer, head, (THIRSTY_CAT, THIRSTY_MILK))
    expect(
        cat >= 0.3 and cat > milk,
        f"With *thirsty*, the cat gets {cat:.2f} and the milk {milk:.2f}.",
        "not-on-the-first",
    )


@check(points=2)
def it_goes_to_the_milk(layer, head):
    """With *fresh*, on which it was not chosen, *it* attends to the milk"""
    milk, cat = _seen(layer, head, (FRESH_MILK, FRESH_CAT))
    first = _seen(layer, head, (THIRSTY_CAT, THIRSTY_MILK))
    expect(
        milk >= 0.3 and milk > cat,
        f"With *fresh*, the milk gets {milk:.2f} and the cat {cat:.2f}.",
        "one-sentence" if first[0] > first[1] and cat > milk else None,
    )


ALSO_RIGHT = {
    "as floats": "layer = 4.0\nhead = 2.0",
    "one after the other": "layer, head = 4, 2",
}
