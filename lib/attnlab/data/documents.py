"""Load short documents, written for this course, with a real model's vector of each sentence.

``documents.npz`` has 384 numbers for each sentence as float16, computed by all-MiniLM-L6-v2. With
the model's package installed, ``python -m attnlab.models.minilm`` makes the file again.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FILE = Path(__file__).with_name("documents.npz")
#: Topic: six sentences about it.
DOCUMENTS = {
    "bread": (
        "Sourdough bread rises with wild yeast instead of yeast from a packet.",
        "The baker feeds a mixture of flour and water every day.",
        "After a week it bubbles and smells slightly of vinegar.",
        "A spoonful of it makes a whole loaf rise overnight.",
        "The acid keeps the bread fresh for several days.",
        "Most of the work is waiting for the dough.",
    ),
    "bees": (
        "Honey bees tell each other where flowers are by dancing.",
        "A bee that has found nectar walks a figure of eight on the comb.",
        "The angle of the walk shows the direction from the sun.",
        "How long she shakes says how far the flowers are.",
        "Other workers follow her steps and then fly out.",
        "In the dark hive they feel the dance rather than see it.",
    ),
    "bridge": (
        "The old bridge over the river will be closed for repairs until spring.",
        "Engineers found cracks in two of its steel beams.",
        "Drivers have to use the road through the next village.",
        "A small ferry will carry cyclists and pedestrians.",
        "The town expects the work to cost nine million.",
        "When it opens again, lorries will be allowed to cross it.",
    ),
    "chess": (
        "Computers have played chess better than any human for many years.",
        "Early programs searched through millions of positions a second.",
        "Newer ones learn which positions are good by playing against themselves.",
        "Grandmasters now study the openings that the machines prefer.",
        "In tournaments players are searched for hidden phones.",
        "Watching two engines play has become a sport of its own.",
    ),
    "glacier": (
        "The glacier above the valley has lost half of its ice in thirty years.",
        "Every summer more of the grey rock below it comes to light.",
        "Meltwater has formed a lake where the ice used to end.",
        "Farmers worry about the streams when the ice is gone.",
        "Scientists measure its thickness with radar from a helicopter.",
        "Snow in winter no longer makes up for the warm months.",
    ),
    "violin": (
        "A good violin is made of spruce and maple that dried for years.",
        "The maker carves the top until it rings when it is tapped.",
        "Thin strips of wood are bent over a hot iron for the sides.",
        "The varnish protects the wood and changes the sound a little.",
        "Inside stands a small post that carries the sound to the back.",
        "It takes about two hundred hours before the strings are put on.",
    ),
    "sleep": (
        "People who sleep too little remember less of what they learned.",
        "During deep sleep the brain repeats the patterns of the day.",
        "Students who stayed awake all night did worse in the test.",
        "A short nap in the afternoon helped their memory.",
        "Coffee hides tiredness but does not replace the rest.",
        "Doctors recommend going to bed at the same hour every night.",
    ),
    "elections": (
        "The council of the city was elected by fewer voters than ever before.",
        "Only a third of the citizens went to the polls on Sunday.",
        "The greens gained four seats and the liberals lost three.",
        "No party has a majority, so talks will begin this week.",
        "The mayor said she would remain in office until then.",
        "Votes by post were counted until late at night.",
    ),
}


def sentences() -> list[str]:
    """Return all sentences, one document after the other."""
    return [sentence for document in DOCUMENTS.values() for sentence in document]


def load() -> NDArray[np.float32]:
    """Return the sentences' vectors of length 1, shape (num_documents, num_sentences, 384).

    Examples
    --------
    >>> load().shape
    (8, 6, 384)
    """
    with np.load(FILE) as stored:
        flat = stored["vectors"].astype(np.float32)
    flat /= np.linalg.norm(flat, axis=-1, keepdims=True)
    return flat.reshape(len(DOCUMENTS), -1, flat.shape[-1])
