"""Correct statements on attention that are common and not quite right, with the evidence.

Each is backed by a check that runs, by an experiment whose verdict decides, or by the words of the
chapter that explains it; many by more than one of these. `page` turns them into HTML.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from attnlab.evidence import checks


@dataclass(frozen=True)
class Correction:
    """A common statement, and what is correct.

    Parameters
    ----------
    statement, correct : str
        What is often said, and what holds.
    chapter : str
        The chapter that explains it, by the name of its file.
    check : function, optional
        Computes it and returns the result in words.
    experiment : str, optional
        Name of the experiment whose verdict decides.
    words : str, optional
        Words of the chapter that say it, where there is neither a check nor an experiment.
    """

    statement: str
    correct: str
    chapter: str
    check: Callable[[], str] | None = None
    experiment: str = ""
    words: str = ""


MASKS = (
    Correction(
        "A padding mask is true only where both tokens are real.",
        "Then a padding query has no key: with minus infinity its row becomes NaN, and one layer "
        "later every row of its sentence is. Mask keys only, and leave padding rows out of the "
        "loss.",
        "masking",
        checks.padded_rows,
    ),
    Correction(
        "In cross-attention only the padding of the source is masked; in self-attention padding is "
        "masked on both sides.",
        "What is said of cross-attention holds everywhere: a padding mask is about keys.",
        "masking",
        checks.padded_rows,
    ),
    Correction(
        "Minus infinity, -1e9 and -1e4 have the same effect.",
        "In a fully masked row, minus infinity gives NaN and -1e9 the plain mean of everything "
        "that is masked. In half precision -1e9 is minus infinity. An added -1e4 does not hide a "
        "key whose score is larger than the others by more than that.",
        "masking",
        checks.minus_infinity_or_a_billion,
    ),
    Correction(
        "The framework takes care of fully masked rows.",
        "Some give zeros, some NaN, some a mean; two functions of the same library may differ.",
        "masking",
        checks.frameworks_differ,
    ),
    Correction(
        "A mask of shape (batch, queries, keys) applies to all heads as it is.",
        "It needs an axis for the heads. With as many sentences as heads, the wrong shape "
        "broadcasts without an error.",
        "masking",
        checks.mask_on_the_heads,
    ),
    Correction(
        "Zero, or False, means masked.",
        "In torch's function, and here, True means “may attend”. In torch's older layer True means "
        "“ignored”.",
        "masking",
        checks.frameworks_differ,
    ),
    Correction(
        "Causal attention masks the upper right triangle, whatever the shape.",
        "With fewer queries than keys, the triangle could start at either corner. The last query "
        "must attend to the last key, or a key-value cache gives wrong results.",
        "masking",
        checks.last_query_sees_all,
    ),
    Correction(
        "Cross-attention shows how earlier tokens influence later ones.",
        "It shows how the source's tokens influence the target's. The influence of earlier tokens "
        "on later ones shows in causal self-attention.",
        "masking",
        words="source",
    ),
)

WEIGHTS = (
    Correction(
        "The weights are the similarities of query and keys.",
        "They are the softmax of the scaled scores: positive, and each row sums to 1.",
        "queries-keys-values",
        checks.weights_are_not_scores,
    ),
    Correction(
        "Where one text has $Q^T K$ and another $Q K^T$, one of them is wrong.",
        "The two agree: the first has tokens as columns, the second as rows. Here they are rows.",
        "scaled-dot-product",
        checks.rows_or_columns,
    ),
    Correction(
        "Dividing by np.sqrt(d_k) keeps the type.",
        "A 64-bit NumPy scalar turns float32 into float64, which is slower and takes twice the "
        "memory.",
        "scaled-dot-product",
        checks.float_types,
    ),
    Correction(
        "Self-attention takes queries, keys and values from the sentence, not from the layer "
        "before.",
        "In every layer but the first, that sequence is the output of the layer before.",
        "self-and-cross",
        words="the previous layer's output",
    ),
    Correction(
        "Each score is the similarity of two tokens.",
        "It is a learned bilinear form. It is not symmetric, and it depends on the vectors' "
        "lengths.",
        "scaled-dot-product",
        checks.not_symmetric,
    ),
    Correction(
        "If queries and keys are normalised, scaled scores have mean 0 and variance 1.",
        "This takes independent components with mean 0 and variance 1.",
        "scaled-dot-product",
        checks.broken_assumptions,
    ),
    Correction(
        "Scaling stabilises the gradients.",
        "It makes them independent of the width. Without it, the derivatives of the weights with "
        "respect to the scores rise with the width before they fall; those with respect to the "
        "queries, which training moves, are larger than with it up to a width of 256.",
        "scaled-dot-product",
        experiment="scaling",
    ),
    Correction(
        "Queries taken one at a time cannot be computed in parallel.",
        "They can, since no row depends on another. A single matrix product is only more "
        "efficient.",
        "scaled-dot-product",
        checks.rows_at_once,
    ),
)

HEADS = (
    Correction(
        "Heads are for self-attention.",
        "They work for any queries, keys and values.",
        "multi-head",
        checks.heads_ask_any_tokens,
    ),
    Correction(
        "Several heads are cheaper than one.",
        "If the heads share the width, the number of multiplications is the same, and several "
        "small products are rarely faster than a large one.",
        "multi-head",
        checks.cost_of_heads,
    ),
    Correction(
        "Heads are an ensemble, each with its own task.",
        "They are concatenated and mixed, not averaged. Some have a task that can be named, and "
        "many can be removed after training (Voita et al. 2019, Michel et al. 2019).",
        "multi-head",
        words="ensemble",
    ),
    Correction(
        "The model's width must be a multiple of the number of heads.",
        "That is a convention; the output matrix takes any number of features.",
        "multi-head",
        checks.heads_ask_any_tokens,
    ),
    Correction(
        "A single head ends with an output matrix.",
        "It may, but then two consecutive matrices do the work of one. Several heads need it.",
        "multi-head",
        checks.one_head_needs_no_output_matrix,
    ),
)

LONG = (
    Correction(
        "Only the largest scores matter.",
        "They do if the weights are peaked. The share that the largest have depends on the "
        "spread of the scores.",
        "hashing",
        checks.similar_vectors_share,
        experiment="peaked",
    ),
    Correction(
        "With hashing, the current token is masked because its query equals its key.",
        "It is masked because queries and keys are shared, and it is kept as a last resort where "
        "there is no other key.",
        "hashing",
        words="last resort",
    ),
    Correction(
        "The rounds of hashing are averaged.",
        "They are merged, each weighted by its own normaliser.",
        "hashing",
        words="logsumexp",
    ),
    Correction(
        "Sparse patterns have attention matrices with fewer parameters.",
        "Attention matrices have entries, not parameters; a pattern has fewer entries. Global "
        "tokens with their own projections add parameters.",
        "windows",
        checks.parameters_of_patterns,
    ),
    Correction(
        "A few layers of windows see the whole text.",
        "With L layers and w keys to each side, they see at most w L positions to either side.",
        "windows",
        checks.receptive_field,
        experiment="reach",
    ),
    Correction(
        "With axial positions, position j always takes row j mod l1 of the first table.",
        "That is one of two valid orders. A library's documentation may name one and its code use "
        "the other.",
        "hashing",
        checks.axial_orders,
        experiment="axial",
    ),
    Correction(
        "Global attention is the opposite of local attention.",
        "Only in one of three meanings: a whole mechanism, a few tokens that attend to all, or all "
        "encoder states.",
        "soft-and-hard",
        words="meanings of",
    ),
)

READING = (
    Correction(
        "The participle attends to the English word that it agrees with.",
        "English nouns have no gender. The model needs the gender of the noun's translation, and "
        "may take it from the words that it has written.",
        "motivation",
        checks.genders_differ,
        experiment="swap",
    ),
    Correction(
        "Recurrent networks forget the distant gender.",
        "They need not: ours is right over 20 phrases. Whether a network learns this from long "
        "sentences alone depends on its starting values.",
        "motivation",
        experiment="agreement",
    ),
    Correction(
        "The weights explain what the model did.",
        "They help to inspect it. A model can be right with almost no weight on the word that "
        "decides the answer.",
        "interpretation",
        experiment="cue",
    ),
    Correction(
        "Attention has no limit on distance.",
        "Its architecture has none. What a model has learned may fail at lengths beyond those of "
        "training.",
        "motivation",
        experiment="bottleneck",
    ),
)

ALL = (*WEIGHTS, *HEADS, *MASKS, *LONG, *READING)
