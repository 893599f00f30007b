"""Linear attention: as a product with all pairs, and as a recurrence over tokens."""

from __future__ import annotations

import math

from attn.formulas.attention import weighted_sum
from attn.formulas.namespace import Numbers, namespace


def elu_plus_one(x: Numbers) -> Numbers:
    """Return x + 1 above 0 and e^x below: positive features."""
    xp = namespace(x)
    return xp.where(x > 0, x + 1, xp.exp(xp.where(x > 0, 0, x)))


def linear_attention(
    query: Numbers,  # (..., num_queries, d_features): features, not tokens
    key: Numbers,  # (..., num_keys, d_features)
    value: Numbers,  # (..., num_keys, d_v)
    decay: Numbers | None = None,  # (..., tokens)
    visible: Numbers | None = None,
    normalise: bool = True,
) -> Numbers:
    """Return the outputs of linear attention, (..., num_queries, d_v)."""
    if visible is None:  # Q (K^T V) costs tokens, (Q K^T) V costs their square
        total = key.sum(-2)[..., None, :]  # (..., 1, d_features)
        return _divide(query @ (key.mT @ value), query @ total.mT, normalise)
    xp = namespace(query)
    weights = xp.where(visible, query @ key.mT, 0)  # (..., num_queries, num_keys)
    if decay is not None:
        weights = weights * decay_between(decay, visible)
    weights = _divide(weights, weights.sum(-1)[..., None], normalise)
    return weighted_sum(weights, value, visible)


def decay_between(decay: Numbers, visible: Numbers) -> Numbers:
    """Return what is left of each key's part when a query comes, (..., tokens, tokens).

    The product of the decays after token j up to token i; 0 for what is not visible.
    """
    xp = namespace(decay)
    logs = xp.cumsum(xp.log(decay), -1)  # (..., tokens)
    return xp.exp(xp.where(visible, logs[..., :, None] - logs[..., None, :], -math.inf))


def linear_recurrence(
    query: Numbers,  # (..., tokens, d_features)
    key: Numbers,
    value: Numbers,  # (..., tokens, d_v)
    decay: Numbers,  # (..., tokens)
    state: Numbers,  # (..., d_features, d_v)
    total: Numbers,  # (..., d_features)
    normalise: bool = True,
) -> tuple[Numbers, Numbers, Numbers]:
    """Return the outputs, (..., tokens, d_v), and the state and total after the last token."""
    outputs = []
    for t in range(query.shape[-2]):
        kept = decay[..., t, None]  # (..., 1)
        state = kept[..., None] * state + key[..., t, :, None] * value[..., t, None, :]
        total = kept * total + key[..., t, :]
        now = query[..., t, None, :]  # (..., 1, d_features)
        outputs.append(_divide(now @ state, now @ total[..., None], normalise))
    xp = namespace(query)
    joined = xp.concatenate(outputs, -2) if outputs else query[..., :0] @ state[..., :0, :]
    return joined, state, total


def _divide(sums: Numbers, total: Numbers, normalise: bool) -> Numbers:
    """Return the sums divided by their total, (..., rows, 1); 0 where nothing was summed."""
    return sums / namespace(sums).where(total == 0, 1, total) if normalise else sums
