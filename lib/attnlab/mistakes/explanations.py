"""What to tell a learner whose answer has the value that a known mistake gives.

Each text is true of every answer with that value: it says what was computed, where that parts
from the definition, and what to look at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
#: Computes what a mistake gives; may fail where the mistake cannot be made.
Compute: TypeAlias = Callable[[], Array]

EXPLANATIONS: Mapping[str, str] = {
    # Scores
    "unscaled": "The scores were not divided by √d_k. Without that, their spread grows with the "
    "width of the keys, and the softmax puts nearly all weight on one key.",
    "scaled": "The scores were divided by √d_k. This exercise asks for plain dot products.",
    "scaled-by-d": "The scores were divided by d_k; the definition divides by its square root. Dot "
    "products of d_k random terms spread like √d_k.",
    "scaled-by-num-keys": "The scores were divided by the square root of the number of keys. The "
    "scale depends on how wide a key is (√d_k), not on how many keys there are.",
    "scaled-by-num-queries": "The scores were divided by the square root of the number of queries. "
    "The scale depends on how wide a key is (√d_k).",
    "scaled-by-num-tokens": "The scores were divided by the square root of the number of tokens. "
    "The scale depends on how wide a key is (√d_k).",
    "scaled-by-value-width": "The scores were divided by the square root of the width of the "
    "values. Scores compare queries with keys, so the scale is √d_k.",
    "multiplied-by-root": "The scores were multiplied by √d_k; the definition divides by it.",
    "exchanged-roles": "Queries and keys have exchanged their roles: entry (i, j) must compare "
    "query i with key j.",
    # Softmax
    "wrong-axis": "The softmax runs over the queries: each column sums to 1. Each query "
    "distributes its own weight over the keys, so each row must sum to 1: use the last axis.",
    "one-softmax-for-all": "One softmax runs over all scores together. Each query needs its own: "
    "every row must sum to 1.",
    "no-softmax": "The scores were used as weights. Scores can be negative and need not sum to 1; "
    "the softmax turns them into weights that do.",
    "not-normalised": "The exponentials were not divided by their sum, so the weights of a query "
    "do not sum to 1.",
    "not-normalised-shifted": "The exponentials were not divided by their sum, so the weights of a "
    "query do not sum to 1.",
    "one-more-in-the-sum": "The sum in the denominator is too large by the exponential of the "
    "largest score, so the weights of a query do not sum to 1.",
    "softmax-twice": "A second softmax was taken of the weights. The weights of one softmax sum "
    "to 1 already; the second makes them nearly alike.",
    "cosine": "Queries and keys were divided by their lengths. The score is the dot product of "
    "the vectors as they are.",
    "scaled-after-softmax": "The division by √d_k comes after the softmax, so the weights of a "
    "query no longer sum to 1. It belongs to the scores, before the softmax.",
    "sum-normalised": "The scores were divided by their sum. The softmax takes the exponential "
    "first, so that every weight is positive.",
    "base-two": "The exponentials have base 2. The softmax uses base e: `np.exp`.",
    "hard": "All weight is on the key with the largest score. The softmax gives every key some "
    "weight, and the best key the most.",
    "uniform": "Every key got the same weight. The weights must depend on the scores.",
    "log-weights": "These are the logarithms of the weights. Take the exponential, or leave the "
    "logarithm out.",
    # Masks
    "no-mask": "The mask has no effect: hidden keys have weight.",
    "mask-inverted": "The mask is applied the wrong way round: True means that a query may attend "
    "to a key.",
    "mask-after-softmax": "Weights were set to 0 after the softmax, so the rows with hidden keys "
    "sum to less than 1. Hide the scores before the softmax.",
    "mask-as-zero": "Hidden scores were set to 0, and exp(0) = 1 is no small weight. A hidden key "
    "needs a score of -inf.",
    "mask-added": "The mask was added to the scores as 0 and 1. That changes a score by 1 and "
    "hides nothing: a hidden key needs a score of -inf.",
    "one-key-too-few": "Each query misses the last key that it may attend to. With as many queries "
    "as keys, query i attends to keys 0 to i, itself included.",
    "one-key-too-many": "Each query attends to one key too many: the first key of the future.",
    "top-left": "The triangle starts in the top left corner. With fewer queries than keys the last "
    "query belongs to the last key: align the triangle at the bottom right.",
    "sees-only-future": "The triangle is the other way round: each query attends to itself and to "
    "the future, and the past is hidden.",
    # Outputs
    "returns-weights": "These are the weights. The output is what they make of the values: weights "
    "@ value.",
    "returns-scores": "These are the scores. The softmax and the sum of the values are missing.",
    "keys-as-values": "The weighted sum was taken over the keys. It has to be taken over the "
    "values.",
    "queries-as-values": "The weighted sum was taken over the queries. It has to be taken over the "
    "values.",
    "rows-are-keys": "The weights are transposed. Rows are queries and columns are keys, so each "
    "row sums to 1.",
    "weights-transposed": "The weights were transposed before they met the values: output i must "
    "use row i of the weights.",
    "values-in-other-order": "The weights are right but meet the values in reverse order. The "
    "weight of key j belongs to value j.",
    "residual": "The queries were added to the output. A residual connection does that, outside of "
    "attention.",
    # Heads
    "reshape-without-swap": "The axis was cut with a reshape alone, so that each head mixes "
    "several tokens. Split the last axis, then move the heads in front of the tokens.",
    "merge-without-swap": "The heads were merged with a reshape alone, which mixes the tokens. "
    "Move the heads behind the tokens first, then merge the last two axes.",
    "heads-interleaved": "Neighbouring features went to different heads. Head h has the features h "
    "· head_dim to (h + 1) · head_dim - 1.",
    "heads-in-other-order": "The heads are in reverse order.",
    "heads-averaged": "The heads were averaged. They are concatenated: head h fills its own part "
    "of the features.",
    "heads-summed": "The heads were summed. They are concatenated: head h fills its own part of "
    "the features.",
    "head-matrices-transposed": "The tokens and head_dim axes of each head are exchanged: a head's "
    "matrix has one row for each token.",
    "heads-before-batch": "The heads axis stands before the batch axis. The batch comes first.",
    "batch-lost": "The sentences of the batch were joined into one long sentence. Keep the batch "
    "axis.",
    "heads-as-tokens": "The heads were put below each other, as more tokens. They belong side by "
    "side, as more features of the same tokens.",
    "tokens-and-heads-exchanged": "The tokens and heads axes are exchanged.",
    "head-dim-scale": "The scores were divided by √d_model. Within a head the keys have head_dim "
    "features, so the scale is √head_dim.",
    "scaled-by-nominal-width": "The scores were divided by √(d_model / num_heads). That is the "
    "width of a head only where the heads fill d_model exactly; here it is the number of columns "
    "of w_query divided by num_heads.",
    "scaled-by-all-heads": "The scores were divided by the square root of the width of all heads "
    "together. Within a head the keys have head_dim features, so the scale is √head_dim.",
    "softmax-over-heads": "The softmax runs over the heads. Each head has weights of its own, "
    "which sum to 1 over the keys: use the last axis.",
    "scaled-by-num-heads": "The scores were divided by the square root of the number of heads. "
    "Within a head the keys have head_dim features, so the scale is √head_dim.",
    "merge-interleaved": "The outputs of the heads were interleaved when they were merged. Put "
    "them side by side: first all features of head 0, then all features of head 1.",
    "interleaved-twice": "The heads were interleaved, both when they were split and when they were "
    "merged. Head h has the features h · head_dim to (h + 1) · head_dim - 1.",
    "first-mask-for-all": "The mask of the first sentence was used for all sentences. Each "
    "sentence has its own.",
    "output-matrix-transposed": "The concatenated heads were multiplied by the transpose of "
    "w_output.",
    "mask-on-heads": "The mask of sentence b was applied to head b: its first axis met the heads. "
    "Give it an axis for the heads, (batch, 1, num_queries, num_keys).",
    "keys-and-values-from-x": "Keys and values were made from x. Both come from y.",
    "keys-from-x": "The keys were made from x. Keys and values both come from y.",
    "values-from-x": "The values were made from x. Keys and values both come from y.",
    "x-and-y-exchanged": "x and y have exchanged their roles: queries come from x, keys and values "
    "from y.",
    "values-not-projected": "The rows of y were used as values. Multiply them by w_value first.",
    "query-and-key-projections-exchanged": "w_query and w_key were exchanged: x is multiplied by "
    "w_query, y by w_key.",
    "key-and-value-projections-exchanged": "w_key and w_value were exchanged.",
    "reshaped-twice": "The heads were cut and merged with reshapes alone, so that each head mixes "
    "several tokens. Split the last axis, then move the heads in front of the tokens; to merge, "
    "undo these two steps in the opposite order.",
    "no-output-projection": "The output projection is missing: the concatenated heads still have "
    "to be multiplied by w_output.",
    "one-head": "This is what a single head of full width computes. Split queries, keys and values "
    "into heads first: each head has weights of its own.",
    "transposed-projections": "The projections were multiplied by the transposed matrices. A token "
    "is a row here: x @ w, without a transpose.",
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
    "both-global": "A pair outside the window is visible only if *both* tokens are global. One "
    "global token is enough.",
    "no-window": "Only the rows and columns of global tokens are visible: the window of the other "
    "tokens is missing.",
    "no-globals": "This is the window alone: the global tokens have no effect.",
    "token-zero-skipped": "Token 0 is global here, and its row and column are missing. A test such "
    "as `if token:` skips it, since 0 counts as False.",
    "one-layer-only": "This is the mask itself, which is what *one* layer can see. In the next "
    "layer a neighbour passes on what it got in the one before.",
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
    "earlier-blocks-lost": "The total and the sums of earlier blocks are lost. Rescale them to the "
    "new maximum, and add them.",
    # Rounds of hashing
    "no-negatives": "Only half of the directions were used. The numbers of −xR take part in the "
    "argmax as well: they are the other half of the buckets.",
    "sign-forgotten": "The largest *absolute* value was taken, so a token and its opposite share a "
    "bucket. Opposite directions are different buckets.",
    "smallest-number": "These are the buckets of the opposite directions: the place of the "
    "smallest number, or −xR put before xR. Take the largest, with xR first.",
    "counts-from-one": "The buckets are counted from 1. The first one is 0.",
    "first-rotation-only": "Every round has the buckets of the first rotation. Round r uses "
    "`rotations[r]`.",
    "unsorted": "The chunks were cut from the text as it stands. Sort the tokens by bucket first.",
    "unstable-sort": "Tokens of the same bucket changed their order. They keep that of the text: "
    '`kind="stable"`.',
    "places-for-tokens": "The chunks hold places in the sorted order where they should hold "
    "tokens: one argsort gives the tokens in order, a second one their places.",
    "bucket-only": "This compares buckets. What a token sees is its *chunk* and the one before, "
    "whatever buckets they hold.",
    "no-look-back": "A token sees its own chunk only. It also sees the chunk before, so that a "
    "bucket which a border cuts in two stays together.",
    "not-its-own-chunk": "A token sees the chunk before its own, but not its own.",
    "looks-forward": "A token sees the chunk after its own. It should be the one before.",
    "looks-both-ways": "A token sees the chunk after its own as well. Only its own and the one "
    "before are visible.",
    "no-ring": "The first chunk has none before it here. The chunks form a ring: the first looks "
    "at the last of all rounds.",
    "ring-per-round": "Each round was closed to a ring of its own. All rounds form one ring: the "
    "first chunk of a round looks at the last chunk of the round before.",
    "chunk-count": "`chunk_length` was used as the *number* of chunks in a round. It is the number "
    "of tokens in a chunk.",
    "first-round-only": "Only the first round counts here. A token sees what *any* round shows it.",
    "all-rounds": "A token sees only what *every* round shows it. One round is enough.",
    "every-round": "A token sees only what *every* round shows it. One round is enough.",
    "itself-always": "A token sees itself although it sees others. It is its own nearest key, and "
    "would take most of the weight.",
    "itself-never": "A token that sees nothing else should see itself, as a last resort.",
    "causal-in-sorted-order": "“Later” was taken of the sorted order. A causal mask compares the "
    "places in the text.",
}


@dataclass(frozen=True)
class Mistake:
    """What a mistake computes, with the text for a learner whose answer has that value."""

    id: str
    compute: Compute

    @property
    def explanation(self) -> str:
        """The text for the learner."""
        return EXPLANATIONS[self.id]

    def __call__(self) -> Array:
        """Return what the mistake gives; may fail where it cannot be made."""
        return self.compute()


def explained(computes: Mapping[str, Compute]) -> dict[str, Mistake]:
    """Return the mistakes with their texts, by id."""
    return {id: Mistake(id, compute) for id, compute in computes.items()}
