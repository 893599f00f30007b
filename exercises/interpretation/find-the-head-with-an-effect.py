"""A weight says what a head looks at. What does the model lose if a head is **switched off**? In
*The cat sat on the mat.*, find a head without which the sentence's vector turns by at least 0.05.
The turn is measured as 1 minus the cosine between the two vectors.

Before you begin: would you look for a sharp map or for a broad one, in an early layer or a late
one? Choose a head, tick *Switch … off*, and read the last line of the table: *the sentence*. Then
try the head on **another sentence**: one of the list or, where the figure has a field for it, your
own. With one head off, press *Use as answer*, or write the
pair of layer and head yourself.
"""

from coursekit import as_array, check, exercise, expect

exercise(
    title="Find a head that the sentence's vector depends on",
    explorable="HeadBrowser",
    binds={"off": "off"},
    hints=[
        "Try layer 1, head 3, the sharpest of all maps. How far does the vector turn?",
        "What an early head adds passes through the layers after it, which can make up for it. "
        "What the last layer adds goes straight into the vector.",
        "Switch off the heads of layer 6 one after the other, and press *Undo all* in between.",
    ],
)

# The lines that the figure above writes when you press "Use as answer", a layer and a head:
# BEGIN SOLUTION
# STARTER: off = [
# STARTER:     [1, 1],
# STARTER: ]
off = [
    [6, 12],
]
# END SOLUTION


MISTAKES = r"""
sharp-map: `[6, 12]` → `[1, 3]` or `[2, 9]` or `[4, 2]`
    This head's map is sharp: the largest weight of a row is at least 0.7 on average. Yet the vector
    turns by less than 0.05 when the head is gone. A sharp map alone does not mean that something
    depends on it.
sink: `[6, 12]` → `[5, 12]`
    Most of this head's weight is on [CLS], and the vector turns by less than 0.05 when the head is
    gone.
too-small: `[6, 12]` → `[6, 8]` or `[1, 5]`
    Without this head the vector turns only a little, by less than 0.05. Other heads have more
    effect.
not-a-head: `[6, 12]` → `[6, 12], [6, 4]` or `[7, 1]`
    The answer is one pair: a layer from 1 to 6 and a head from 1 to 12.
"""

# For this sentence, one layer in a row: 1 - cosine of the sentence's vector without each head, the
# mean of the largest weight in each row, and the mean weight on [CLS].
EFFECT = [
    [0.004, 0.004, 0.002, 0.003, 0.005, 0.001, 0.000, 0.001, 0.001, 0.001, 0.002, 0.001],
    [0.000, 0.000, 0.000, 0.001, 0.001, 0.000, 0.001, 0.002, 0.003, 0.000, 0.001, 0.000],
    [0.000, 0.002, 0.000, 0.009, 0.000, 0.001, 0.006, 0.000, 0.001, 0.000, 0.004, 0.000],
    [0.002, 0.003, 0.000, 0.017, 0.004, 0.000, 0.001, 0.004, 0.000, 0.003, 0.001, 0.002],
    [0.001, 0.002, 0.001, 0.003, 0.001, 0.000, 0.002, 0.000, 0.001, 0.000, 0.011, 0.000],
    [0.006, 0.005, 0.002, 0.102, 0.013, 0.026, 0.006, 0.026, 0.007, 0.004, 0.026, 0.199],
]
LARGEST = [
    [0.30, 0.32, 1.00, 0.29, 0.30, 0.50, 0.47, 0.34, 0.47, 0.47, 0.39, 0.39],
    [0.80, 0.85, 0.45, 0.55, 0.63, 0.61, 0.72, 0.67, 0.79, 0.75, 0.78, 0.88],
    [0.68, 0.59, 0.60, 0.47, 0.76, 0.67, 0.58, 0.91, 0.72, 0.91, 0.54, 0.71],
    [0.52, 0.70, 0.79, 0.70, 0.80, 0.85, 0.66, 0.64, 0.70, 0.54, 0.56, 0.25],
    [0.58, 0.47, 0.91, 0.61, 0.71, 0.92, 0.56, 0.83, 0.67, 0.61, 0.48, 0.92],
    [0.51, 0.61, 0.57, 0.47, 0.44, 0.44, 0.29, 0.46, 0.35, 0.47, 0.40, 0.78],
]
CLS = [
    [0.22, 0.32, 0.22, 0.05, 0.27, 0.40, 0.45, 0.34, 0.40, 0.41, 0.39, 0.38],
    [0.80, 0.85, 0.39, 0.51, 0.46, 0.61, 0.66, 0.47, 0.34, 0.73, 0.78, 0.88],
    [0.65, 0.49, 0.60, 0.44, 0.76, 0.64, 0.57, 0.91, 0.51, 0.91, 0.47, 0.59],
    [0.52, 0.46, 0.79, 0.70, 0.80, 0.85, 0.66, 0.64, 0.70, 0.52, 0.56, 0.14],
    [0.58, 0.46, 0.91, 0.59, 0.71, 0.92, 0.56, 0.83, 0.67, 0.53, 0.43, 0.92],
    [0.51, 0.61, 0.57, 0.23, 0.23, 0.42, 0.27, 0.43, 0.33, 0.46, 0.36, 0.09],
]


def _checked(off):
    pairs = as_array(off, "off")
    expect(
        pairs.shape == (1, 2),
        f"off has shape {pairs.shape}; expected one pair of a layer and a head, [[layer, head]].",
        "not-a-head",
    )
    layer, head = (float(number) for number in pairs[0])
    expect(
        layer in range(1, 7) and head in range(1, 13),
        f"off is [[{layer:g}, {head:g}]]; layers count from 1 to 6, heads from 1 to 12.",
        "not-a-head",
    )
    return int(layer) - 1, int(head) - 1


@check(points=2)
def the_vector_turns_without_it(off):
    """Without this head the sentence's vector turns by at least 0.05"""
    at, which = _checked(off)
    effect = EFFECT[at][which]
    reason = "sharp-map" if LARGEST[at][which] >= 0.7 else "too-small"
    if CLS[at][which] >= 0.6:
        reason = "sink"
    expect(
        effect >= 0.05,
        f"Without layer {at + 1}, head {which + 1}, the sentence's vector turns by {effect:.3f}; "
        f"the largest weight of its rows is {LARGEST[at][which]:.2f} on average.",
        reason,
    )


ALSO_RIGHT = {
    "the second largest": "off = [[6, 4]]",
    "one after the other": "off = ([6.0, 12.0],)",
}
