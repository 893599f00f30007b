"""Check the corrections: each function computes a result and returns it in words.

A check raises AssertionError if the correction does not hold; the build of its page then fails. A
check takes less than a second; what takes longer is an experiment.
"""

from __future__ import annotations

import numpy as np

import attn
from attnlab.data.grammar import Grammar
from attnlab.experiments import scaling


def padded_rows() -> str:
    """Rows of NaN when both queries and keys are masked, and none when only keys are."""
    real = np.array([True, True, False])
    scores = np.zeros((3, 3))
    both = np.where(real[:, None] & real, scores, -np.inf)
    with np.errstate(invalid="ignore"):
        naive = np.exp(both - both.max(-1, keepdims=True))
        naive /= naive.sum(-1, keepdims=True)
        after = naive @ (naive @ np.ones((3, 2)))  # a second layer reads the output of the first
    keys_only = attn.softmax(scores, mask=real)
    assert np.isnan(naive[2]).all()
    assert np.isnan(after).all()
    np.testing.assert_allclose(keys_only.sum(-1), 1)
    rows = int(np.isnan(after).any(-1).sum())
    return f"{rows} of 3 rows are NaN after the second layer; none if only keys are masked"


def minus_infinity_or_a_billion() -> str:
    """The weights of a fully masked row, -1e9 in float16, and a score that -1e4 does not hide."""
    ours = attn.softmax(np.zeros(4), mask=np.zeros(4, bool))
    billion = attn.softmax(np.zeros(4) - 1e9)
    assert (ours == 0).all()
    with np.errstate(over="ignore"):
        half = np.float16(-1e9)
    assert np.isneginf(half)
    leak = attn.softmax(np.array([0.0, 12_544 - 1e4]))[1]
    assert leak > 0.99
    return (
        f"-1e9 gives masked keys a weight of {billion[0]:.2f}, attn gives them 0; in float16 -1e9 "
        f"is {half}; with -1e4 a masked key with a score of 12,544, beside one with a score of 0, "
        f"has a weight of {leak:.2f}"
    )


def frameworks_differ() -> str:
    """A fully masked row in two functions of torch, and the meaning of True in each."""
    import torch

    query, masked = torch.ones(1, 2, 4), torch.zeros(2, 2, dtype=torch.bool)
    fused = torch.nn.functional.scaled_dot_product_attention(query, query, query, attn_mask=masked)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        layer = torch.nn.MultiheadAttention(4, 1, batch_first=True)
    old, _ = layer(query, query, query, attn_mask=~masked, need_weights=True)
    assert (fused == 0).all()
    assert old.isnan().all()
    return "torch's function: 0 where all is False; nn.MultiheadAttention: NaN where all is True"


def mask_on_the_heads() -> str:
    """With as many sentences as heads, a mask of the batch broadcasts over the heads."""
    scores = np.zeros((2, 2, 3, 3))  # (batch, heads, queries, keys)
    mask = np.stack([np.ones((3, 3), bool), np.tril(np.ones((3, 3), bool))])  # (batch, 3, 3)
    broadcast, correct = np.where(mask, scores, -np.inf), np.where(mask[:, None], scores, -np.inf)
    assert broadcast.shape == correct.shape
    assert not (broadcast == correct).all()
    wrong = int((broadcast != correct).sum())
    return f"no error, and {wrong} of {correct.size} scores masked wrongly"


def weights_are_not_scores() -> str:
    """Similarities and weights of the same query and keys."""
    query, key = np.array([[1.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 1.0]])
    similarity, weights = query @ key.T, attn.attention_weights(query, key)
    assert not np.allclose(similarity, weights)
    return f"similarities {similarity[0].tolist()}, weights {weights[0].round(2).tolist()}"


def rows_or_columns() -> str:
    """The same scores with tokens as rows and as columns."""
    rng = np.random.default_rng(0)
    query, key = rng.normal(size=(4, 3)), rng.normal(size=(6, 3))
    columns = key @ query.T  # tokens as columns: K^T Q, (keys, queries)
    np.testing.assert_allclose(columns.T, query @ key.T)
    return f"scores of shape {columns.shape} are the transpose of {(query @ key.T).shape}"


def float_types() -> str:
    """NumPy's square root is a float64 and turns float32 into float64."""
    scores = np.ones((2, 2), np.float32)
    wide = (scores / np.sqrt(64)).dtype
    ours = attn.attention_weights(scores, scores).dtype
    assert (wide, ours) == (np.float64, np.float32)
    return f"float32 / np.sqrt(64) is {wide}; attn keeps {ours}"


def heads_ask_any_tokens() -> str:
    """Five tokens attend to seven others, with heads whose width does not divide the model's."""
    layer = attn.MultiHeadAttention(50, num_heads=3, head_dim=16, rng=0)
    output = layer(np.ones((5, 50)), np.ones((7, 50)))
    shape = np.shape(output)
    assert shape == (5, 50)
    return f"3 heads of width 16, 5 tokens of width 50 that attend to 7 others: output {shape}"


def cost_of_heads() -> str:
    """The multiplications of one head of full width, and of eight."""
    n = d = 512

    def count(heads: int) -> int:
        return 4 * n * d * d + heads * 2 * n * n * (d // heads)

    assert count(1) == count(8)
    return f"one head: {count(1):,} multiplications; eight: {count(8):,}"


def broken_assumptions() -> str:
    """Scaled scores of a query with itself, and of vectors with positive components."""
    rng, root = np.random.default_rng(0), np.sqrt(64)
    same = scaling.scores(64, rng, same=True) / root
    positive = scaling.scores(64, rng, scaling.positive) / root
    assert abs(same.mean() - root) < 0.2
    return (
        f"d_k = 64, scaled: mean {same.mean():.1f} with q = k; mean {positive.mean():.2f} and "
        f"variance {positive.var():.2f} with components from 0 to 1"
    )


def not_symmetric() -> str:
    """The score of i with j differs from that of j with i."""
    rng = np.random.default_rng(1)
    tokens, to_query, to_key = (rng.normal(size=size) for size in ((2, 3), (3, 3), (3, 3)))
    scores = (tokens @ to_query) @ (tokens @ to_key).T
    assert abs(scores[0, 1] - scores[1, 0]) > 0.1
    return f"score of 1 with 2: {scores[0, 1]:.2f}; of 2 with 1: {scores[1, 0]:.2f}"


def parameters_of_patterns() -> str:
    """A window reduces the pairs that are computed, not the parameters."""
    layer = attn.MultiHeadAttention(12, num_heads=3, rng=0)
    count = sum(w.size for w in vars(layer).values() if isinstance(w, np.ndarray))
    full, near = 64 * 64, int(attn.sliding_window_mask(64, 64, 4).sum())
    assert near < full
    return f"{count} parameters with or without a window; entries: {full} without, {near} with"


def rows_at_once() -> str:
    """Queries one at a time give the rows of the matrix product."""
    rng = np.random.default_rng(0)
    query, key, value = (rng.normal(size=(n, 4)) for n in (5, 6, 6))
    alone = [attn.scaled_dot_product_attention(row[None], key, value)[0] for row in query]
    together = attn.scaled_dot_product_attention(query, key, value)
    np.testing.assert_allclose(alone, together)
    return f"largest difference {abs(np.array(alone) - together).max():.0e}"


def genders_differ() -> str:
    """The gender depends on the target language: French and Italian disagree."""
    french, italian = Grammar("french").feminine, Grammar("italian").feminine
    assert (french != italian).any()
    return f"{(french != italian).sum()} of {len(french)} nouns change gender between two languages"


def last_query_sees_all() -> str:
    """Which keys two new queries attend to, of five, in torch and in attn."""
    import torch

    ours = attn.causal_mask(2, 5).sum(-1).tolist()
    ones = torch.ones(1, 2, 4), torch.ones(1, 5, 4), torch.eye(5)[None]
    theirs = torch.nn.functional.scaled_dot_product_attention(*ones, is_causal=True)
    in_torch = (theirs[0] > 0).sum(-1).tolist()
    assert (ours, in_torch) == ([4, 5], [1, 2])
    return f"two queries attend to {in_torch} of 5 keys in torch, to {ours} here"


def one_head_needs_no_output_matrix() -> str:
    """With one head, the product of W^V and W^O is one matrix."""
    rng = np.random.default_rng(0)
    weights = attn.softmax(rng.normal(size=(3, 3)))
    value, output = rng.normal(size=(3, 4)), rng.normal(size=(4, 4))
    np.testing.assert_allclose((weights @ value) @ output, weights @ (value @ output))
    return "(A V) W^O = A (V W^O), up to rounding"


def axial_orders() -> str:
    """Both ways to split a position give every pair once, in different orders."""
    from attn.axial import axial_indices

    orders = [axial_indices((3, 5), order, 15) for order in ("row_major", "column_major")]
    pairs = [list(zip(*(part.tolist() for part in order), strict=True)) for order in orders]
    assert len(set(pairs[0])) == len(set(pairs[1])) == 15
    assert pairs[0] != pairs[1]
    return f"position 1 is {pairs[0][1]} in one order and {pairs[1][1]} in the other"


def receptive_field() -> str:
    """The number of positions that one output depends on, by a formula that gradients confirm."""
    from attnlab.experiments.reach import in_reach

    edge, middle = in_reach(0, 129, 4, 8), in_reach(64, 129, 4, 8)
    assert edge < middle < 129
    return (
        f"8 layers, windows of 4, 129 positions: the middle one depends on {middle} of them, the "
        f"first one on {edge}"
    )


def similar_vectors_share() -> str:
    """The share of the largest 32 of 1024 weights, by the spread of the scores."""
    rng = np.random.default_rng(0)
    normal = rng.normal(size=(400, 1024))
    shares = {
        spread: np.sort(attn.softmax(spread * normal))[:, -32:].sum(-1).mean()
        for spread in (1, 2, 4)
    }
    assert shares[1] < 0.3 < 0.9 < shares[4]
    return "; ".join(f"spread {spread}: {share:.2f}" for spread, share in shares.items())
