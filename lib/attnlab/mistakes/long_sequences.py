"""Explain mistakes in windows, in the softmax in one pass, and in rounds of hashing.

As in `attnlab.mistakes.explanations`, which has the other texts.
"""

from __future__ import annotations

from collections.abc import Mapping

LONG_SEQUENCES: Mapping[str, str] = {
    # Windows, and stacks of layers
    "window-is-total": "The window was split between the two sides. Here `window` counts the keys "
    "on *each* side; Longformer's `attention_window` counts both sides together.",
    "window-doubled": "The window reaches twice as far as it should. Here `window` counts the keys "
    "on each side.",
    "backward-only": "Apart from global tokens, a query sees only itself and earlier keys. The "
    "window reaches to both sides: compare the distance without its sign.",
    "forward-only": "Apart from global tokens, a query sees only itself and later keys. The window "
    "reaches to both sides: compare the distance without its sign.",
    "all-later-keys": "Every later key is visible, however far away: a negative distance is below "
    "any window. Take the absolute value.",
    "all-earlier-keys": "Every earlier key is visible, however far away: a negative distance is "
    "below any window. Take the absolute value.",
    "strict": "Keys exactly `window` apart are hidden. “At most” includes them.",
    "ends-wrap": "The first tokens see the last ones, as if the sentence were closed to a ring. Do "
    "not take distances modulo the length.",
    "row-only": "A global token sees all tokens, but not all tokens see it: its column is missing.",
    "column-only": "All tokens see the global token, but it does not see all tokens: its row is "
    "missing.",
    "first-global-only": "Only the first of the global tokens has a row and a column.",
    "global-neighbourhood": "The rows and columns around each global token are visible as well. "
    "Only its own row and its own column are.",
    "both-global": "A pair outside the window is visible only if *both* tokens are global. One "
    "global token is enough.",
    "no-window": "Only the rows and columns of global tokens are visible: the window of the other "
    "tokens is missing.",
    "no-globals": "This is the window alone: the global tokens have no effect.",
    "token-zero-skipped": "Token 0 is global here, and its row and column are missing. A test such "
    "as `if token:` skips it, since 0 counts as False.",
    "one-layer-only": "This is the mask itself, which is what *one* layer can see. In the next "
    "layer a neighbour passes on what it got in the one before.",
    "without-itself": "This is what information reaches if no token keeps its own: the mask's "
    "diagonal "
    "was left out.",
    "layers-doubled": "The result was multiplied by itself for each further layer, so it counts 1, "
    "2, 4, 8 … layers. Multiply by the mask each time.",
    "one-layer-too-few": "This is right for one layer fewer. The first layer is the mask itself; "
    "each further layer is one more product.",
    "one-layer-too-many": "This is right for one layer more. After *one* layer a token has "
    "information only from the tokens that the mask shows it.",
    "direction-reversed": "This is the transpose: entry (i, j) says whether i can inform j. Row i "
    "is the position that is informed.",
    "both-directions": "Information moves both ways along every visible pair. It moves from key to "
    "query only, which matters as soon as the mask is not symmetric.",
    "distance-times-layers": "This is a band as wide as the longest distance in the mask times the "
    "number of layers. That is right for a plain window alone; follow the pairs that this mask "
    "has.",
    # Softmax in one pass
    "sums-not-rescaled": "The total was rescaled to the new maximum and the sums were not, so the "
    "values of earlier blocks count too much.",
    "total-not-rescaled": "The sums were rescaled to the new maximum and the total was not, so the "
    "weights do not sum to 1.",
    "rescaled-backwards": "What came before was multiplied by e to the (new − old maximum). When "
    "the maximum grows, earlier terms must shrink: the factor is e to the (old − new).",
    "never-rescaled": "Neither sum was rescaled: the terms of earlier blocks still refer to the "
    "old maximum. Is the old maximum overwritten before the factor is computed?",
    "block-maximum": "`largest` is the maximum of this block alone. It is the largest score *so "
    "far*; without it, earlier and larger scores overflow.",
    "largest-not-updated": "`total` and `sums` are right, but `largest` is still the old one.",
    "one-maximum-for-all": "One maximum was taken over all queries. Each query has its own; with "
    "another query's, its exponentials can underflow to 0.",
    "no-maximum": "The exponentials were taken without subtracting the maximum. Scores of 1000 "
    "overflow then.",
    "divided-each-time": "The sums were divided by the total. Divide once, at the end: the next "
    "block has to be added to a sum, not to a mean.",
    "mean-of-blocks": "Each block's output was computed by itself and added. A block with higher "
    "scores, or with more keys, must count more.",
    "counts-keys": "The total counts keys. It is the sum of their exponentials.",
    "last-block": "These are the total and the sums of the last block. Add those of the earlier "
    "blocks, rescaled.",
    "scores-not-shifted": "The exponentials of this block were taken of the scores as they are. "
    "Subtract the largest score so far, this block included.",
    "shifted-by-old-maximum": "From the scores of this block the old maximum was subtracted. "
    "Subtract the new one, which may come from this very block.",
    "shifted-by-block-maximum": "From the scores of this block its own maximum was subtracted. If "
    "an earlier block had a larger score, that is the maximum to subtract.",
    "values-not-weighted": "The values of the block were added as they are. Multiply each by the "
    "exponential of its score.",
    "factor-for-block": "The block's own terms were multiplied by the factor as well. Only the "
    "earlier total and sums are rescaled.",
    "earlier-blocks-lost": "The total and the sums of earlier blocks are lost. Rescale them to the "
    "new maximum, and add them.",
    # Rounds of hashing
    "no-negatives": "Only half of the directions were used. The numbers of −xR take part in the "
    "argmax as well: they are the other half of the buckets.",
    "sign-forgotten": "The largest *absolute* value was taken, so a token and its opposite share a "
    "bucket. Opposite directions are different buckets.",
    "smallest-number": "These are the buckets of the opposite directions: the place of the "
    "smallest number, or −xR put before xR. Take the largest, with xR first.",
    "not-rotated": "These are the buckets of the tokens as they stand, in every round. Multiply "
    "the "
    "tokens by the rotation of the round first.",
    "signs-interleaved": "The numbers of xR and −xR alternate here. Those of −xR come after all of "
    "xR, so bucket i + num_buckets / 2 is the opposite of bucket i.",
    "counts-from-one": "The buckets are counted from 1. The first one is 0.",
    "first-rotation-only": "Every round has the buckets of the first rotation. Round r uses "
    "`rotations[r]`.",
    "first-round-only": "Only the first round counts here. A token meets whom *any* round shows "
    "it.",
    "all-rounds": "A token meets only those that share its bucket in *every* round. One is enough.",
    "across-rounds": "Buckets of different rounds were compared. Bucket 2 of one round has nothing "
    "to do with bucket 2 of another.",
    "direction-of-looking": "This is the transpose: entry (i, j) says whether j sees i. Row i is "
    "the token that looks.",
    "itself-always": "A token sees itself although it sees others. It is its own nearest key, and "
    "would take most of the weight.",
    "itself-never": "A token that sees nothing else should see itself, as a last resort.",
    "alone-before-the-mask": "Who is alone was decided before the causal mask. A token whose "
    "bucket holds only later ones sees nothing then; it should see itself.",
}
