"""Score functions: how well each query matches each key."""

from __future__ import annotations

from typing import Any

from attn._arguments import (
    check_scores,
    check_weight,
    check_width,
    leading_axes,
    scale_or_default,
)
from attn._door import enter
from attn._types import Given, Nested, Numbers, Score


def dot_score(query: Numbers | Nested, key: Numbers | Nested) -> Numbers:
    r"""Return the dot products :math:`s_{ij} = q_i \cdot k_j`, as a matrix :math:`Q K^\top`.

    Parameters
    ----------
    query : array_like, shape (..., num_queries, d_k)
    key : array_like, shape (..., num_keys, d_k)
        Leading axes broadcast.

    Returns
    -------
    array, shape (..., num_queries, num_keys)
        Scores, in nats once they meet a softmax.

    Raises
    ------
    ValueError
        If the widths differ or the leading axes do not broadcast.

    References
    ----------
    Luong, Pham and Manning (2015), "Effective Approaches to Attention-based Neural Machine
    Translation", section 3.1, score "dot".

    Examples
    --------
    >>> dot_score([[1.0, 0.0]], [[1.0, 1.0], [0.0, 1.0]])
    array([[1., 0.]])
    """
    return scaled_dot_score(query, key, scale=1.0)


def scaled_dot_score(
    query: Numbers | Nested, key: Numbers | Nested, scale: float | None = None
) -> Numbers:
    r"""Return the scaled dot products :math:`s_{ij} = q_i \cdot k_j / \sqrt{d_k}`.

    Parameters
    ----------
    query : array_like, shape (..., num_queries, d_k)
    key : array_like, shape (..., num_keys, d_k)
        Leading axes broadcast.
    scale : float, optional
        The factor; :math:`1 / \sqrt{d_k}` when not given.

    Returns
    -------
    array, shape (..., num_queries, num_keys)
        If the components of a query and a key are independent with mean 0 and variance 1, so is
        their score.

    Raises
    ------
    ValueError
        If the widths differ, are 0 without a ``scale``, or the leading axes do not broadcast.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.2.1 and its footnote 4.

    Examples
    --------
    >>> scaled_dot_score([[1.0, 0.0]], [[1.0, 1.0], [0.0, 1.0]]).round(4)
    array([[0.7071, 0.    ]])
    """
    door, (query, key) = enter(query=query, key=key)
    leading_axes(query=query, key=key)
    return door.leave(scaled_scores(query, key, scale))


def general_score(query: Numbers | Nested, key: Numbers | Nested, weight: Given) -> Numbers:
    r"""Return :math:`s_{ij} = q_i^\top W k_j`: a dot product after a learned change of space.

    Parameters
    ----------
    query : array_like, shape (..., num_queries, d_query)
    key : array_like, shape (..., num_keys, d_key)
        Leading axes broadcast; the widths may differ.
    weight : array_like, shape (d_query, d_key)
        W. The score is not symmetric unless W is.

    Returns
    -------
    array, shape (..., num_queries, num_keys)

    Raises
    ------
    ValueError
        If ``weight`` is not of shape ``(d_query, d_key)``, or the leading axes do not broadcast.

    References
    ----------
    Luong, Pham and Manning (2015), section 3.1, score "general".

    Examples
    --------
    >>> general_score([[1.0, 2.0]], [[3.0, 0.0, 1.0]], [[1, 0, 0], [0, 0, 1]])
    array([[5.]])
    """
    door, (query, key) = enter(query=query, key=key)
    matrix = door.floats("weight", weight)
    check_weight(query, key, matrix)
    leading_axes(query=query, key=key)
    return door.leave((query @ matrix) @ key.mT)


def scaled_scores(query: Any, key: Any, scale: float | None = None) -> Any:
    """Return `scaled_dot_score` of arguments that are numbers, or raise ValueError."""
    check_width(query, key)
    # Scaling the query costs num_queries * d_k products, scaling the scores num_queries * num_keys.
    return (query * scale_or_default(query, scale)) @ key.mT


def scores_of(query: Any, key: Any, score: Score, scale: float | None) -> Any:
    """Return the scores that a function or the name of one gives, or raise ValueError."""
    if scale is not None and score != "scaled_dot":
        raise ValueError(f"scale is {scale}; expected None unless score is 'scaled_dot'")
    if callable(score):
        scores = score(query, key)
        check_scores(scores, query, key)
        return scores
    if score in ("scaled_dot", "dot"):
        return scaled_scores(query, key, scale if score == "scaled_dot" else 1.0)
    raise ValueError(f"score is {score!r}; expected 'scaled_dot', 'dot' or a function")
