"""In model B (many periods), stop at the *first* checkpoint at which the induction head is there:
the induction score, in the lower of the two plots, is above 0.5. At this checkpoint, switch off the
*one* head without which the loss in the repeats is largest; try all four.

Then press *Use as answer*, or write both yourself: the steps of training at this checkpoint, and
the head as a number in a list, such as `[11]` for layer 1 head 1.
"""

import numpy as np

from coursekit import as_array, check, exercise, expect

exercise(
    title="Watch a circuit form",
    explorable="Circuit",
    binds={"step": "step", "off": "off"},
    hints=[
        "Press *Play*, or move the slider, and look at the lower plot. Between which two "
        "checkpoints does its solid line jump?",
        "Switch the heads off one at a time: with two of them off you cannot tell which it was.",
    ],
)

# The lines that the figure above writes when you press "Use as answer":
# BEGIN SOLUTION
# STARTER: step = 0
# STARTER: off = []
step = 280
off = [21]
# END SOLUTION


MISTAKES = r"""
too-early: (also several-heads) `step, off = 0, []`
or `step, off = 260, [21]`
    At this checkpoint the induction score is still below 0.5. The head gives most of its weight to
    other tokens.
too-late: `step, off = 1000, [21]`
    The score is above 0.5 here, but also at an earlier checkpoint.
no-checkpoint: `step, off = 270, [21]`
    There is no checkpoint after so many steps.
several-heads: `step, off = 280, [21, 22]`
    More than one head is off, or none. Switch off one alone.
highest-score: `step, off = 280, [12]`
    Without this head the loss rises, but another one costs more. A high score says where a head
    looks, not how much the model depends on it.
first-layer: `step, off = 280, [11]`
    Without this head, layer 2 still finds its match: layer 1's other head looks at the previous
    token as well, with 0.79 of its weight.
second-best: `step, off = 280, [22]`
    The other head of layer 2 costs more than this one.
no-head: `step, off = 280, [3]`
    Heads are 11 and 12 in layer 1, 21 and 22 in layer 2.
"""

STEPS = (0, 50, 100, 150, 200, 220, 240, 260, 280, 300, 400, 500, 1000)


@check(points=1)
def the_first_checkpoint_with_an_induction_head(step):
    """The first checkpoint at which the induction score is above 0.5"""
    value = as_array(step, "step")
    expect(value.shape == () and value.item() in STEPS, f"step is {step}.", "no-checkpoint")
    expect(value.item() >= 280, "The induction head is not there yet.", "too-early")
    expect(value.item() == 280, "It was there before.", "too-late")


@check(points=1)
def the_head_without_which_the_loss_is_largest(off):
    """The head without which the loss is largest"""
    heads = np.ravel(as_array(off, "off")).tolist()
    expect(set(heads) <= {11, 12, 21, 22}, f"off is {off}.", "no-head")
    expect(len(heads) == 1, f"{len(heads)} heads are off; expected one.", "several-heads")
    reasons = {12: "highest-score", 11: "first-layer", 22: "second-best"}
    expect(heads == [21], "Without another head the loss is larger.", reasons.get(heads[0]))


ALSO_RIGHT = {
    "a number alone": "step, off = 280, 21",
    "an array": """
        import numpy as np
        step, off = np.int64(280), np.array([21])
    """,
}
