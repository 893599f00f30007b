"""Numbers of *multi-head*."""

from attnlab.experiments.heads import CLAIM, TURNED

rate = CLAIM.knobs["learning rate"]
slower = TURNED[0]["learning rate"]
#: The curve of one head that learns more slowly.
SLOW = f"one head, at the beginning, learning rate {slower}: participle"
