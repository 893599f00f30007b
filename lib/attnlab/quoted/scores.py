"""Numbers of *scores*."""

import numpy as np

import attn

keys = np.array([[1.5, 0], [2, 2], [0, 3], [-1, 0]])
weights = attn.attention_weights(np.array([[1.0, 0]]), keys, score="dot")[0]
#: The memory of 512 by 512 scores in float32.
mebibytes = 512 * 512 * 4 / 2**20
