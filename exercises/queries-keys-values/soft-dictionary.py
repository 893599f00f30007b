"""A dictionary of colours holds the wavelengths of *blue*, *green*, *yellow* and *red*. It is asked
for *teal*, which it does not have. The scores say how well teal fits each of them: 2.0, 1.8, −0.5
and −1.5.

Move the temperature from end to end and watch the answer. Then set it so that *blue* gets
**twice** the weight of *green*.
"""

import math

from coursekit import as_array, check, exercise, expect, wrong

exercise(
    id="soft-dictionary",
    chapter="queries-keys-values",
    title="Set the temperature",
    explorable="SoftDictionary",
    binds={"temperature": "temperature"},
    hints=[
        "At which end is *blue* infinitely many times as heavy as *green*, and at which end are "
        "the two equal?",
        "Divide one weight by the other: the sum in the denominator cancels, and $e^{(2.0 - 1.8) "
        "/ T}$ is left.",
        "$e^{0.2 / T} = 2$ means $0.2 / T = \\ln 2 \\approx 0.69$.",
    ],
    misconceptions={
        "too-hot": "The two weights are still too close together. Heat brings weights together; "
        "which way must the temperature go?",
        "too-cold": "*Blue* is more than twice as heavy by now. Cold drives weights apart; go "
        "back a little.",
        "exact": "At temperature 0 the best key takes everything, as in an exact lookup, and "
        "*green* has no weight at all. Twice the weight lies between that and equal shares.",
        "not-moved": "At temperature 1 the ratio is e^0.2, about 1.2: the scores differ by only "
        "0.2. Something has to make that difference count more.",
        "ratio-as-temperature": "2 is the ratio of the weights that you want. The temperature "
        "divides the scores, and 2 makes their difference smaller still: 0.1.",
        "difference": "0.2 is the difference of the scores, and dividing it by 0.2 gives 1: the "
        "ratio of the weights is then e, about 2.7. Which temperature gives a ratio of 2?",
        "multiplied": "That would be right if the scores were multiplied by the temperature. They "
        "are divided by it, so a small one makes differences large.",
        "not-a-number": "The answer is one number above 0, written temperature = …",
    },
)

# The line that the figure above writes when you press "Use as answer":
# BEGIN SOLUTION
# STARTER: temperature = 1.0
temperature = 0.29
# END SOLUTION


@check(points=2)
def twice_the_weight(temperature):
    """Blue has twice the weight of green"""
    seen = as_array(temperature, "temperature")
    usable = seen.shape == () and math.isfinite(float(seen)) and float(seen) >= 0
    expect(usable, f"temperature is {temperature!r}; expected one number.", "not-a-number")
    value = float(seen)
    ratio = math.exp(min(0.2 / value, 700)) if value > 0 else math.inf
    expect(
        1.9 <= ratio <= 2.1,
        f"At temperature {value:g} blue has {ratio:.3g} times the weight of green; expected 2.",
        _why(value, ratio),
    )


def _why(value, ratio):
    known = {1: "not-moved", 2: "ratio-as-temperature", 0.2: "difference", 3.47: "multiplied"}
    if value < 0.01:
        return "exact"
    near = [id for at, id in known.items() if abs(value - at) <= 0.011 * at]
    return near[0] if near else "too-hot" if ratio < 2 else "too-cold"


WRONG = {
    "left where it was": wrong(
        "temperature = 1.0", rejected_by=["twice_the_weight"], misconception="not-moved"
    ),
    "the ratio": wrong(
        "temperature = 2", rejected_by=["twice_the_weight"], misconception="ratio-as-temperature"
    ),
    "the difference of the scores": wrong(
        "temperature = 0.2", rejected_by=["twice_the_weight"], misconception="difference"
    ),
    "as if it multiplied": wrong(
        "temperature = 3.466", rejected_by=["twice_the_weight"], misconception="multiplied"
    ),
    "an exact lookup": wrong(
        "temperature = 0.0", rejected_by=["twice_the_weight"], misconception="exact"
    ),
    "a little too hot": wrong(
        "temperature = 0.4", rejected_by=["twice_the_weight"], misconception="too-hot"
    ),
    "a little too cold": wrong(
        "temperature = 0.25", rejected_by=["twice_the_weight"], misconception="too-cold"
    ),
    "the hot end": wrong(
        "temperature = 100.0", rejected_by=["twice_the_weight"], misconception="too-hot"
    ),
    "negative": wrong(
        "temperature = -0.29", rejected_by=["twice_the_weight"], misconception="not-a-number"
    ),
}

ALSO_RIGHT = {
    "as the slider gives it": "temperature = 0.28",
    "solved on paper": "temperature = 0.2885",
    "with a fraction": "temperature = 3 / 10",
}
