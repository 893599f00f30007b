"""Define the running example, "the cat drank milk": its embeddings and three projections.

The numbers are set by hand, so that every product can be checked without a computer.
"""

from __future__ import annotations

import numpy as np

TOKENS = ("the", "cat", "drank", "milk")

#: Embeddings, shape (4, d_model = 5): animal, action, drink, article, past.
X = np.array(
    [
        [0.0, 0.0, 0.0, 1.0, 0.0],
        [1.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0, 1.0],
        [0.0, 0.0, 1.0, 0.0, 0.0],
    ]
)
#: Projections of shapes (5, d_k = 2), (5, d_k = 2) and (5, d_v = 3).
W_QUERY = np.array([[0.0, 1.0], [2.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
W_KEY = np.array([[1.0, 0.0], [-1.0, -1.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.0]])
W_VALUE = np.eye(5)[:, :3]
PROJECTIONS = (W_QUERY, W_KEY, W_VALUE)

#: A second head, which looks for what was drunk; its values are drink, article and past.
W_QUERY_2 = np.array([[0.0, 0.0], [0.0, 2.0], [0.0, 0.0], [1.0, 0.0], [0.0, 0.0]])
W_KEY_2 = np.array([[1.0, 0.0], [-1.0, -1.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.0]])
W_VALUE_2 = np.eye(5)[:, 2:]
HEADS = (PROJECTIONS, (W_QUERY_2, W_KEY_2, W_VALUE_2))
