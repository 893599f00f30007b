"""Numbers of *transformer*."""

import numpy as np

from attnlab.data.grammar import Grammar
from attnlab.evidence.blocks_today import LAYERS, means, stored
from attnlab.experiments.norms import PATIENT, PATIENT_RATE, PATIENT_STEPS, STEPS, WARM_UP
from attnlab.models.counts import Sizes, multiplications, parameters
from attnlab.models.stored_weights import count

size, vocabulary = count("encoder-decoder"), Grammar("french").num_targets
#: How far each block ends above the best loss, at a rate of 0.003: neither change, each, both.
blocks = means(0.003)
*first_three, both = blocks.values()
neither = blocks["LayerNorm, ReLU"]
spread = max(np.ptp(row["excess"]["0.003"]) for row in stored()["blocks"].values())

_BASE = Sizes(512, 2048, 6, 6, 37_000, 37_000)
#: With one matrix in place of three, without biases.
tied = sum(parameters(_BASE).values()) - 2 * 37_000 * 512 - 37_000
#: Scores and mixing, in three attentions of six layers.
_pairs = 6 * 3 * 2 * 25 * 25 * 512
in_linear_layers = 1 - _pairs / sum(multiplications(_BASE, 25, 25).values())
