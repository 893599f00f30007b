"""What is often said of attention and is not quite right, with what shows it.

Each row is backed by a check that runs, by an experiment whose verdict decides, or by the words of
the chapter that shows it; many by more than one of them. `attnlab.evidence.page` makes the
page.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from attnlab.evidence import checks as see


@dataclass(frozen=True)
class Correction:
    """One thing that is said, and what is right.

    Parameters
    ----------
    said, right : str
        As it is often told; and what holds.
    chapter : str
        Where the book treats it: the name of its file.
    check : function, optional
        Computes it and returns what was seen.
    experiment : str, optional
        Name of the experiment whose verdict decides.
    words : str, optional
        Words of the chapter that say it, where neither of the two can.
    """

    said: str
    right: str
    chapter: str
    check: Callable[[], str] | None = None
    experiment: str = ""
    words: str = ""


MASKS = (
    Correction(
        "A padding mask is true only where both tokens are real.",
        "Then padding queries see nothing; with minus infinity their rows become NaN, "
        "and one layer "
        "later every row is. Mask keys only, and leave padding rows out of the loss.",
        "masking",
        see.padded_rows,
    ),
    Correction(
        "In cross-attention only the source's padding is masked, elsewhere both sides are.",
        "The first half is right, and it is the rule everywhere: the mask is about keys.",
        "masking",
        see.padded_rows,
    ),
    Correction(
        "Minus infinity or -1e9: it is the same.",
        "In a row that is masked throughout, the one gives NaN and the other a uniform mean of all "
        "that was hidden; in half precision -1e9 does not exist.",
        "masking",
        see.minus_infinity_or_a_billion,
    ),
    Correction(
        "The framework takes care of rows without a key.",
        "Some give zeros, some NaN, some a mean, and one library does two of these in "
        "two functions.",
        "masking",
        see.frameworks_differ,
    ),
    Correction(
        "A mask of shape (batch, queries, keys) serves all heads as it is.",
        "It needs an axis for the heads. Where there are as many sentences as heads, the wrong "
        "one fits without an error.",
        "masking",
        see.mask_on_the_heads,
    ),
    Correction(
        "Zero, or False, means blocked.",
        "In torch's function, and here, True may attend. In torch's older layer True is ignored.",
        "masking",
        see.frameworks_differ,
    ),
    Correction(
        "Causal attention hides the upper right triangle, whatever the shape.",
        "With fewer queries than keys the triangle has two possible corners. The last query should "
        "see the last key, or a key-value cache goes wrong.",
        "masking",
        see.last_query_sees_all,
    ),
    Correction(
        "Cross-attention shows how earlier tokens influence later ones.",
        "It shows how the source's tokens influence the target's. That of earlier tokens is causal "
        "self-attention.",
        "masking",
        words="source",
    ),
)

WEIGHTS = (
    Correction(
        "The weights are the similarities of query and keys.",
        "They are the softmax of the scaled scores: positive, and each row sums to 1.",
        "queries-keys-values",
        see.weights_are_not_scores,
    ),
    Correction(
        "The product is $Q^T K$; no, it is $Q K^T$.",
        "Both, by whether tokens are columns or rows. Here tokens are rows.",
        "scaled-dot-product",
        see.rows_or_columns,
    ),
    Correction(
        "Let d_k = 2, and find the context of q = (1, 0).",
        "The width matters only if the scores are scaled; unscaled, the answer is the "
        "same for any.",
        "queries-keys-values",
        see.two_keys,
    ),
    Correction(
        "Dividing by np.sqrt(d_k) keeps the type.",
        "A NumPy scalar of 64 bits turns float32 into float64: twice the memory, and slower.",
        "scaled-dot-product",
        see.float_types,
    ),
    Correction(
        "Self-attention takes queries, keys and values from one sequence, not from the "
        "layer before.",
        "In every layer but the first the sequence is the output of the layer before; the question "
        "has to say what it asks.",
        "self-and-cross",
        words="the output of the layer before",
    ),
    Correction(
        "Each score is the similarity of two tokens.",
        "It is a learned bilinear form: not symmetric, and it depends on lengths.",
        "scaled-dot-product",
        see.not_symmetric,
    ),
    Correction(
        "If queries and keys are normalised, scaled scores have mean 0 and variance 1.",
        "Their components must be independent, with mean 0 and variance 1.",
        "scaled-dot-product",
        see.broken_assumptions,
    ),
    Correction(
        "Scaling stabilises the gradients.",
        "For wide keys. For narrow ones the unscaled softmax lets more through, and the "
        "change with "
        "the width goes up before it goes down.",
        "scaled-dot-product",
        experiment="scaling",
    ),
    Correction(
        "One query after the other cannot be computed in parallel.",
        "It can: no row waits for another. One matrix product is merely the efficient way.",
        "scaled-dot-product",
        see.rows_at_once,
    ),
    Correction(
        "The function returns the output.",
        "Or the output and the weights; a docstring has to say which.",
        "scaled-dot-product",
        see.two_return_values,
    ),
)

HEADS = (
    Correction(
        "Heads are for self-attention.",
        "For any queries, keys and values.",
        "multi-head",
        see.heads_ask_any_tokens,
    ),
    Correction(
        "Several heads are cheaper than one.",
        "The multiplications are the same when the width is shared out, and more and smaller "
        "products are rarely faster.",
        "multi-head",
        see.cost_of_heads,
    ),
    Correction(
        "Heads are an ensemble, each with its task.",
        "They are concatenated and mixed, never averaged; some have a task that can be named, and "
        "many can be removed after training (Voita et al. 2019, Michel et al. 2019).",
        "multi-head",
        words="ensemble",
    ),
    Correction(
        "The model's width must be a multiple of the number of heads.",
        "A convention: the output matrix takes any number of features.",
        "multi-head",
        see.heads_ask_any_tokens,
    ),
    Correction(
        "A single head ends with an output matrix.",
        "It may, but then two matrices in a row do the work of one. Several heads need it.",
        "multi-head",
        see.one_head_needs_no_output_matrix,
    ),
)

LONG = (
    Correction(
        "Only the largest scores matter.",
        "If the weights are peaked. The share of the largest depends on how far the scores spread.",
        "hashing",
        see.similar_vectors_share,
        experiment="peaked",
    ),
    Correction(
        "With hashing, the current token is masked because its query equals its key.",
        "Because queries and keys are shared there, and only as a last resort: it stays "
        "where there "
        "is nothing else.",
        "hashing",
        words="last resort",
    ),
    Correction(
        "The rounds of hashing are averaged.",
        "They are merged, each with the weight of its own normaliser.",
        "hashing",
        words="logsumexp",
    ),
    Correction(
        "Sparse patterns have attention matrices with fewer parameters.",
        "Those have none: they have fewer entries. Global tokens with projections of their own add "
        "parameters.",
        "windows",
        see.parameters_of_patterns,
    ),
    Correction(
        "A few layers of windows see the whole text.",
        "With L layers and w to each side, at most w L positions to either side.",
        "windows",
        see.receptive_field,
        experiment="reach",
    ),
    Correction(
        "Axial positions: row j mod l1 of the first table, j // l1 of the second.",
        "One of two valid orders; a library's documentation may name one and its code "
        "use the other.",
        "hashing",
        see.axial_orders,
        experiment="axial",
    ),
    Correction(
        "Global attention is the opposite of local attention.",
        "In one of three meanings: a whole mechanism, a few tokens that see all, or all encoder "
        "states.",
        "windows",
        words="meanings of",
    ),
)

READING = (
    Correction(
        "The participle looks at the English word that it agrees with.",
        "English nouns carry no gender. The model has to know that of the translation, "
        "and may find "
        "it in what it has written.",
        "motivation",
        see.genders_differ,
        experiment="swap",
    ),
    Correction(
        "Recurrent networks forget the distant gender.",
        "They need not: it is one bit. They lose content, and they learn slowly from afar.",
        "motivation",
        experiment="agreement",
    ),
    Correction(
        "The weights explain what the model did.",
        "They help to inspect it. A model can be right without a weight on what decides.",
        "interpretation",
        experiment="cue",
    ),
    Correction(
        "Attention has no limit of distance.",
        "None in its wiring. What is learned seldom goes beyond the lengths that were trained.",
        "motivation",
        experiment="bottleneck",
    ),
    Correction(
        "The cat sat: *le chat s'est assis*; elsewhere *le chat était assis*.",
        "Both are possible translations, and they do not mean the same. Say which one is used.",
        "motivation",
        words="s'est assis",
    ),
    Correction(
        "*RamassÃ©e*, in a text about characters.",
        "A file that was read in another encoding than it was written in.",
        "motivation",
        see.broken_characters,
    ),
)

ALL = (*WEIGHTS, *HEADS, *MASKS, *LONG, *READING)
