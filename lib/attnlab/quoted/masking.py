"""Numbers of *masking*."""

from attnlab.minilm import stored_swaps

#: How near the vectors stay, by layer, if heads are split along the wrong axis.
wrong_axis = stored_swaps.load("wrong-axis").cosines[0]
#: The unscaled score of two vectors whose 64 features are all 14.
score = 64 * 14 * 14
score_in_tex = f"{score:,}".replace(",", "{,}")
