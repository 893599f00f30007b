"""A dictionary with a soft lookup: the temperature leads from the exact lookup to the mean."""

from __future__ import annotations

from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
from attnlab.explorables.fields import field

HOTTEST = 100.0


class SoftDictionary(Explorable):
    """A soft lookup of one query in a dictionary, with the temperature on a slider.

    The scores are divided by the temperature before the softmax.

    Parameters
    ----------
    query
        The word that is looked up; it need not be an entry.
    entries
        The dictionary's keys, as words.
    score
        How well the query matches each entry, shape ``(num_keys,)``.
    value
        The value of each entry, shape ``(num_keys,)``.
    unit
        Unit of the values.
    temperature
        From 0 (the exact lookup: only the best key counts) to 100 (nearly the mean).
    """

    query = field(fields.text, "teal")
    entries = field(fields.words, ["blue", "green", "yellow", "red"])
    score = field(fields.numbers, [2.0, 1.8, -0.5, -1.5])
    value = field(fields.numbers, [470.0, 530.0, 580.0, 650.0])
    unit = field(fields.text, "nm")
    temperature = field(fields.between(0.0, HOTTEST), 1.0)

    axes = "entries(num_keys) score(num_keys) value(num_keys)"
