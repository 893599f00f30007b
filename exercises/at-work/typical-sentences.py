"""The summaries of this chapter come from one attention that learns nothing. Write
`typical_sentences(vectors, num_kept)`: the weight of each sentence, and which sentences are kept.

`vectors` has shape `(num_sentences, d)`. The query is the mean of all vectors, and the keys are the
vectors themselves; the scores are plain dot products, neither scaled nor divided by a temperature.
The softmax of the scores gives the weights. Return a pair: the weights, shape `(num_sentences,)`,
and the numbers, counted from 0, of the `num_kept` sentences with the largest weights, **in the
order of the text**. No two sentences have the same weight. `vectors` must not be changed. Hidden
checks use other texts.
"""

import numpy as np

from attn import softmax
from coursekit import call_keeping_inputs, check, exercise, expect_close, expect_parts, expect_shape

exercise(
    title="Keep the sentences nearest to the mean",
    hints=[
        "Where do the query, the keys and the values of this attention come from?",
        "`vectors.mean(axis=0)` has shape `(d,)`. Its dot product with each row of `vectors` is "
        "one score.",
        "`np.argsort(-weights)[:num_kept]` gives the numbers in the order of the weights. "
        "`np.sort` puts them into the order of the text.",
    ],
)


def typical_sentences(vectors, num_kept):
    """Return the weights, and the numbers of the sentences that are kept.

    vectors: (num_sentences, d)
    num_kept: int, from 1 to num_sentences
    """
    # BEGIN SOLUTION
    scores = vectors @ vectors.mean(axis=0)
    weights = np.exp(scores - scores.max())
    weights = weights / weights.sum()
    return weights, np.sort(np.argsort(-weights)[:num_kept])
    # END SOLUTION


MISTAKES = r"""
first-as-query: `vectors.mean(axis=0)` → `vectors[0]`
    The first sentence was taken as the query. The query is the mean of all sentences.
sum-as-query: `vectors.mean(axis=0)` → `vectors.sum(axis=0)`
    The query is the sum of the vectors here. The mean is shorter by the number of sentences, so its
    scores are less spread.
pairs: `mean(axis=0)` → `T`, `max()` → `max(axis=-1, keepdims=True)`,
  `weights / weights.sum()` → `(weights / weights.sum(axis=-1, keepdims=True)).mean(axis=0)`
    These are the mean weights of all sentences as queries. There is one query, the mean of the
    vectors.
mean-of-features: `vectors @ vectors.mean(axis=0)` → `vectors.mean(axis=1)`
    The mean was taken over the features of each sentence. The query is the mean over the sentences.
no-softmax: `return weights` → `return scores`
    These are the scores. The softmax turns them into weights that sum to 1.
shares-of-scores: `np.exp(scores - scores.max())` → `scores`
    The scores were divided by their sum. The softmax takes their exponentials first.
scaled: `vectors.mean(axis=0)` → `vectors.mean(axis=0) / np.sqrt(vectors.shape[1])`
    The scores were divided by the root of d. They are plain dot products here.
cosine: `vectors.mean(axis=0)` → `vectors.mean(axis=0) / np.linalg.norm(vectors, axis=1)`,
  `= vectors @` → `= 1 / np.linalg.norm(vectors.mean(axis=0)) * vectors @`
    The scores are cosines here. They are plain dot products, in which longer vectors count more.
smallest: `np.argsort(-weights)` → `np.argsort(weights)`
    These are the sentences with the smallest weights: the ones that are *least* typical of the
    text.
by-weight: `np.sort(np.argsort(-weights)[:num_kept])` → `np.argsort(-weights)[:num_kept]`
    These are the right sentences, in the order of their weights. A summary has them in the order of
    the text.
"""


def _expect(typical_sentences, vectors, num_kept):
    seen = call_keeping_inputs(typical_sentences, vectors, num_kept)
    expected = "expected the weights and the numbers of the sentences."
    expect_parts(seen, 2, f"typical_sentences(vectors, {num_kept}) is {seen!r}; {expected}")
    weights = softmax(vectors @ vectors.mean(axis=0))
    expect_close(seen[0], weights, what="the weights")
    order = np.argsort(-weights)
    expect_shape(seen[1], (num_kept,), what="the sentences")
    expect_close(seen[1], np.sort(order[:num_kept]), what="the sentences")


@check(points=1)
def four_sentences(typical_sentences):
    """Four sentences of two numbers each"""
    vectors = np.array([[0.0, 1.5], [1.0, 0.5], [2.0, 0.25], [-1.0, 0.75]])
    _expect(typical_sentences, vectors, 2)


@check(points=1)
def one_topic_and_strays(typical_sentences):
    """Six sentences on one topic, and two strays"""
    rng = np.random.default_rng(5)
    topic = rng.normal(size=12)
    vectors = np.concatenate([topic + 0.6 * rng.normal(size=(6, 12)), rng.normal(size=(2, 12))])
    _expect(typical_sentences, vectors[[6, 3, 0, 7, 5, 1, 4, 2]] / 3, 3)


@check(points=1, hidden=True)
def other_texts(typical_sentences, rng):
    """Other texts, and up to all sentences kept"""
    for count, width, kept in ((5, 3, 1), (7, 16, 4), (4, 8, 4)):
        _expect(typical_sentences, rng.normal(size=(count, width)), kept)


ALSO_RIGHT = {
    "sentence by sentence": """
        def typical_sentences(vectors, num_kept):
            query = sum(vectors) / len(vectors)
            powers = [float(np.exp(row @ query)) for row in vectors]
            least = sorted(powers)[-num_kept]
            kept = [number for number, power in enumerate(powers) if power >= least]
            return [power / sum(powers) for power in powers], kept
    """,
    "from the library": """
        def typical_sentences(vectors, num_kept):
            import attn
            query = vectors.mean(axis=0, keepdims=True)
            weights = attn.attention_weights(query, vectors, scale=1)[0]
            return weights, sorted(sorted(range(len(weights)), key=weights.__getitem__)[-num_kept:])
    """,
}
