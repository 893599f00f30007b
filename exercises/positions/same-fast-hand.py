"""The first hand turns once in 6.3 tokens, so it points in nearly the same direction again and
again. Query and key start with equal hands. Find two **different** positions at which their first
hands point so nearly the same way that the dot product of hand 1 is at least 0.999, though the
tokens are far apart.

Before you move anything: after how many tokens would you look? Press *Use as answer*, or write the
two positions, 0 to 63, yourself. Then look at the second hand.
"""

import numpy as np

from coursekit import as_array, check, exercise, expect

exercise(
    title="Two positions that the fastest hand confuses",
    explorable="RotaryDial",
    binds={"query_position": "query_position", "key_position": "key_position"},
    hints=[
        "The first hand turns by one radian a token, and a full turn is 2π, about 6.283 radians. "
        "The distance has to be close to a whole number of full turns.",
        "One turn is 6.283 tokens, two are 12.566, three are 18.850 … Which of these is closest to "
        "a whole number of tokens?",
        "Seven turns take 43.98 tokens.",
    ],
)

# The lines that the figure above writes when you press "Use as answer":
# BEGIN SOLUTION
# STARTER: query_position = 20
# STARTER: key_position = 17
query_position = 50
key_position = 6
# END SOLUTION


MISTAKES = r"""
same-position: `50` → `31`, `6` → `31`
    Query and key stand at the same position, where all hands agree. Find two different positions.
half-turn: `50` → `20`, `6` → `17`
or `50` → `0`, `6` → `22`
    The hands point in opposite directions: the distance is near half a turn, after some full turns
    or none. The dot product is near −1.
nearly-whole-turns: `50` → `20`, `6` → `14`
or `50` → `35`, `6` → `10`
or `6` → `0`, `50` → `63`
    This distance is near a whole number of turns, but not near enough. Try other numbers of turns.
elsewhere: `50` → `20`, `6` → `19`
or `50` → `40`, `6` → `32`
    At this distance the first hands point in clearly different directions. How many tokens does one
    full turn take?
not-a-position: `50` → `43.98`, `6` → `0`
or `50` → `100`, `6` → `56`
    A position is a whole number from 0 to 63.
"""


@check(points=2)
def first_hands_agree(query_position, key_position):
    """The first hands agree at two different positions"""
    places = []
    for name, value in (("query_position", query_position), ("key_position", key_position)):
        seen = as_array(value, name)
        fits = seen.shape == () and 0 <= seen <= 63 and seen == np.round(seen)
        expect(bool(fits), f"{name} is {value!r}; expected 0 to 63.", "not-a-position")
        places.append(int(seen))
    distance = abs(places[0] - places[1])
    expect(distance > 0, f"Both stand at {places[0]}.", "same-position")
    product = float(np.cos(distance))
    mistake = "elsewhere"
    if product < -0.9:
        mistake = "half-turn"
    elif product > 0.9:
        mistake = "nearly-whole-turns"
    expect(
        product >= 0.999,
        f"They are {distance} apart, and the dot product of hand 1 is {product:.3f}; expected at "
        "least 0.999.",
        mistake,
    )


ALSO_RIGHT = {
    "the key stands later": "query_position = 0\nkey_position = 44",
    "whole numbers as floats": "query_position = 63.0\nkey_position = 19.0",
}
