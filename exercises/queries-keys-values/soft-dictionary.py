"""A dictionary of colours holds the wavelengths of *blue*, *green*, *yellow* and *red*. It is asked
for *teal*, which it does not have. The scores say how well teal fits each colour: 2.0, 1.8, −0.5
and −1.5.

Move the temperature over its whole range and watch the answer. Then set it so that *blue* gets
**twice** the weight of *green*; anything from 1.9 to 2.1 times counts.
"""

import math

from coursekit import as_array, check, exercise, expect, mistake

exercise(
    id="soft-dictionary",
    chapter="queries-keys-values",
    title="Set the temperature",
    explorable="SoftDictionary",
    binds={"temperature": "temperature"},
    hints=[
        "At which end is the weight of *blue* infinitely many times that of *green*, and at which "
        "end are the two equal?",
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


mistake(
    "too-hot",
    "The two weights are too close together. A high temperature brings weights together; which "
    "way must it go?",
    "temperature = 0.4",
    "temperature = 100.0",
)
mistake(
    "too-cold",
    "*Blue* has more than twice the weight of *green*. A low temperature drives weights apart; "
    "raise it.",
    "temperature = 0.25",
)
mistake(
    "negative",
    "A negative temperature reverses the order of the keys: the worst fit gets the most weight.",
    "temperature = -0.29",
)
mistake(
    "exact",
    "At temperature 0 the best key gets all the weight, as in an exact lookup, and *green* gets "
    "none. A ratio of 2 lies between that and equal weights.",
    "temperature = 0.0",
)
mistake(
    "not-moved",
    "At temperature 1 the ratio is e^0.2, about 1.2: the scores differ by only 0.2. Which "
    "temperatures make that difference count more?",
    "temperature = 1.0",
)
mistake(
    "ratio-as-temperature",
    "2 is the ratio of the weights that you want. The temperature divides the scores, so 2 makes "
    "their difference even smaller: 0.1.",
    "temperature = 2",
)
mistake(
    "difference",
    "0.2 is the difference between the scores; divided by 0.2, it is 1: the ratio of the weights "
    "is then e, about 2.7. Which temperature gives a ratio of 2?",
    "temperature = 0.2",
)
mistake(
    "multiplied",
    "That would be right if the scores were multiplied by the temperature. They are divided by it, "
    "so a small temperature makes differences large.",
    "temperature = 3.466",
)
mistake(
    "multiplied-by-log",
    "0.2 · ln 2 is 0.139. From 0.2 / T = ln 2 it follows that T is 0.2 divided by ln 2.",
    "temperature = 0.1386",
)
mistake(
    "halved",
    "0.1 is 0.2 / 2. The ratio of the weights is e to the power of 0.2 / T, so 0.2 / T has to "
    "be ln 2, not 2.",
    "temperature = 0.1",
)
mistake(
    "ratio-of-scores",
    "1.11 is 2.0 / 1.8, the ratio of the scores. The ratio of the weights depends on the scores' "
    "difference: it is e to the power of 0.2 / T.",
    "temperature = 1.11",
)

ALSO_RIGHT = {
    "as the slider gives it": "temperature = 0.28",
    "solved on paper": "temperature = 0.2885",
    "with a fraction": "temperature = 3 / 10",
}
