"""Explain mistakes to a learner whose answer has the value that one of them gives.

Each text is true of every answer with that value: it says what was computed, where that parts
from the definition, and what to look at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from numpy.typing import NDArray

from attnlab.mistakes.long_sequences import LONG_SEQUENCES

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
    "scaled-by-nominal-fraction": "The scores were divided by √(d_model / num_heads). That is the "
    "width of a head only where the heads fill d_model exactly; here it is the number of columns "
    "of w_query divided by num_heads.",
    "scaled-by-nominal-width": "The scores were divided by √(d_model // num_heads). That is the "
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
    **LONG_SEQUENCES,
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
