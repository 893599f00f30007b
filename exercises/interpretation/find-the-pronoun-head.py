"""*The cat drank the milk because it was thirsty*: *it* is the cat. *The cat drank the milk because
it was fresh*: *it* is the milk. Only the last word tells. Find a head in which *it* gives the
noun that it means at least 0.3 of its weight, and more than it gives the other noun, **in both
sentences**.

Both sentences are stored. Begin with the first: which heads look good? Then look at the same heads
in the second. If the figure has a field for sentences, try the head on **a pair of your own** as
well, such as *The dog chased the ball because it was …*, and see how far the pattern holds. Then
press *Use as answer*, or write layer and head yourself.
"""

from coursekit import check, exercise, expect, expect_integer, wrong

exercise(
    id="find-the-pronoun-head",
    chapter="interpretation",
    title="Find the head that goes from “it” to its noun",
    explorable="HeadBrowser",
    binds={"layer": "layer", "head": "head"},
    hints=[
        "Choose the row of *it* in the sentence with *thirsty*, and go through the heads from "
        "layer 4 on: earlier layers hardly know yet what the end of the sentence says.",
        "The largest weight from *it* to *cat* is in layer 6. Where does that head look in the "
        "other sentence?",
        "You know the head from this chapter: it went from *picked* to *apple*.",
    ],
    misconceptions={
        "one-sentence": "This head gives *cat* more weight than *milk* in both sentences, whatever "
        "*it* means. In one of them that is right, and one sentence would have convinced you.",
        "always-milk": "This head gives *milk* more weight than *cat* in both sentences, whatever "
        "*it* means.",
        "too-little": "The right noun gets more than the other one in both sentences, but less "
        "than 0.3. Among 72 heads some order two small numbers rightly by chance.",
        "not-a-head": "The answer needs a layer from 1 to 6 and a head from 1 to 12.",
    },
)

# The lines that the figure above writes when you press "Use as answer":
# BEGIN SOLUTION
# STARTER: layer = 1
# STARTER: head = 1
layer = 4
head = 2
# END SOLUTION

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


@check(points=3)
def it_goes_to_its_noun_in_both(layer, head):
    """In both sentences *it* attends to the noun that it means"""
    at = expect_integer(layer, 1, 6, what="layer", misconception="not-a-head") - 1
    which = expect_integer(head, 1, 12, what="head", misconception="not-a-head") - 1
    right = THIRSTY_CAT[at][which], FRESH_MILK[at][which]
    other = THIRSTY_MILK[at][which], FRESH_CAT[at][which]
    told = (
        f"Layer {at + 1}, head {which + 1}: with *thirsty*, the cat gets {right[0]:.2f} and the "
        f"milk {other[0]:.2f}; with *fresh*, the milk {right[1]:.2f} and the cat {other[1]:.2f}."
    )
    leads = [r > o for r, o in zip(right, other, strict=True)]
    trails = [r < o for r, o in zip(right, other, strict=True)]
    kinds = {
        "one-sentence": leads[0] and trails[1],
        "always-milk": trails[0] and leads[1],
        "too-little": all(leads),
    }
    kind = next((name for name, holds in kinds.items() if holds), None)
    expect(all(leads) and min(right) >= 0.3, told, kind)


WRONG = {
    "the largest weight of the first sentence": wrong(
        "layer = 6\nhead = 12",
        rejected_by=["it_goes_to_its_noun_in_both"],
        misconception="one-sentence",
    ),
    "another of layer 6": wrong(
        "layer = 6\nhead = 5",
        rejected_by=["it_goes_to_its_noun_in_both"],
        misconception="one-sentence",
    ),
    "layer 5": wrong(
        "layer = 5\nhead = 4",
        rejected_by=["it_goes_to_its_noun_in_both"],
        misconception="one-sentence",
    ),
    "the milk in both": wrong(
        "layer = 4\nhead = 9",
        rejected_by=["it_goes_to_its_noun_in_both"],
        misconception="always-milk",
    ),
    "right by little": wrong(
        "layer = 6\nhead = 11",
        rejected_by=["it_goes_to_its_noun_in_both"],
        misconception="too-little",
    ),
    "right by next to nothing": wrong(
        "layer = 5\nhead = 12",
        rejected_by=["it_goes_to_its_noun_in_both"],
        misconception="too-little",
    ),
    "counted from 0": wrong(
        "layer = 3\nhead = 0",
        rejected_by=["it_goes_to_its_noun_in_both"],
        misconception="not-a-head",
    ),
}

ALSO_RIGHT = {
    "as floats": "layer = 4.0\nhead = 2.0",
    "one after the other": "layer, head = 4, 2",
}
