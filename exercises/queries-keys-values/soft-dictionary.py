"""A dictionary of colours holds the wavelengths of *blue*, *green*, *yellow* and *red*. It is asked
for *teal*, which it does not have. The scores say how well teal fits each colour: 2.0, 1.8, −0.5
and −1.5.

Move the temperature from end to end and watch the answer. Then set it so that *blue* gets
**twice** the weight of *green*; anything from 1.9 to 2.1 times counts.
"""

import math

from coursekit import as_array, check, exercise, expect

exercise(
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
)

# The line that the figure above writes when you press "Use as answer":
# BEGIN SOLUTION
# STARTER: temperature = 1.0
temperature = 0.29
# END SOLUTION


MISTAKES = r"""
too-hot: `0.29` → `0.4` or `100.0`
    The two weights are too close together. A high temperature brings weights together; which way
    must it go?
too-cold: `0.29` → `0.25`
    *Blue* has more than twice the weight of *green*. A low temperature drives weights apart; raise
    it.
negative: `0.29` → `-0.29`
    A negative temperature reverses the order of the keys: the worst fit gets the most weight.
exact: `0.29` → `0.0`
    At temperature 0 the best key takes everything, as in an exact lookup, and *green* has no weight
    at all. Twice the weight lies between that and equal shares.
not-moved: `0.29` → `1.0`
    At temperature 1 the ratio is e^0.2, about 1.2: the scores differ by only 0.2. Which
    temperatures make that difference count more?
ratio-as-temperature: `0.29` → `2.0`
    2 is the ratio of the weights that you want. The temperature divides the scores, and 2 makes
    their difference smaller still: 0.1.
difference: `0.29` → `0.2`
    0.2 is the difference of the scores, and dividing it by 0.2 gives 1: the ratio of the weights is
    then e, about 2.7. Which temperature gives a ratio of 2?
multiplied: `0.29` → `3.466`
    That would be right if the scores were multiplied by the temperature. They are divided by it, so
    a small one makes differences large.
multiplied-by-log: `0.29` → `0.1386`
    0.2 · ln 2 is 0.139. From 0.2 / T = ln 2 it follows that T is 0.2 divided by ln 2.
halved: `0.29` → `0.1`
    0.1 is 0.2 / 2. The ratio of the weights is e to the power of 0.2 / T, so 0.2 / T has to be ln
    2, not 2.
ratio-of-scores: `0.29` → `1.11`
    1.11 is 2.0 / 1.8, the ratio of the scores. The ratio of the weights depends on the difference
    of the scores: it is e to the power of 0.2 / T.
"""


@check(points=2)
def twice_the_weight(temperature):
    """Blue has twice the weight of green"""
    seen = as_array(temperature, "temperature")
    usable = seen.shape == () and math.isfinite(float(seen))
    expect(usable, f"temperature is {temperature!r}; expected one number from 0 up.")
    value = float(seen)
    expect(value >= 0, f"temperature is {value:g}; expected a number above 0.", "negative")
    ratio = math.exp(min(0.2 / value, 700)) if value > 0 else math.inf
    expect(
        1.9 <= ratio <= 2.1,
        f"At temperature {value:g} blue has {ratio:.3g} times the weight of green; expected 2.",
        _why(value, ratio),
    )


def _why(value, ratio):
    known = {1: "not-moved", 2: "ratio-as-temperature", 0.2: "difference", 3.47: "multiplied"}
    known |= {0.1386: "multiplied-by-log", 0.1: "halved", 1.111: "ratio-of-scores"}
    if value < 0.01:
        return "exact"
    near = [id for at, id in known.items() if abs(value - at) <= 0.011 * at]
    return near[0] if near else "too-hot" if ratio < 2 else "too-cold"


ALSO_RIGHT = {
    "as the slider gives it": "temperature = 0.28",
    "solved on paper": "temperature = 0.2885",
    "with a fraction": "temperature = 3 / 10",
}
