"""Numbers of *at-work*."""

from attnlab.data import glove
from attnlab.experiments.bottleneck import bits
from attnlab.experiments.questions import KEEPING
from attnlab.experiments.sentiment import TWO
from attnlab.experiments.summaries import KEPT, TEMPERATURE

cosine = glove.load().cosine
