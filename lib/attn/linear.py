"""Linear attention: features in place of the exponential, so that a fixed state suffices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from attn import formulas
from attn._arguments import (
    Array,
    Shaped,
    as_float,
    as_floats,
    as_mask,
    check_attention,
    check_per_token,
    check_same_tokens,
    shape_of,
)
from attn._hints import explain_torch_names
from attn.formulas.namespace import says
from attn.masking import visible_pairs

FeatureMap: TypeAlias = Literal["elu_plus_one"] | Callable[[Array], Array] | None


@explain_torch_names
def linear_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    is_causal: bool = False,
    decay: ArrayLike | None = None,
    feature_map: FeatureMap = "elu_plus_one",
    normalise: bool = True,
) -> Array:
    r"""Return :math:`\sum_j w_{ij} v_j / \sum_j w_{ij}`, :math:`w_{ij}=\phi(q_i)^\top\phi(k_j)`.

    No exponential couples query and key, so without a mask it is :math:`\phi(Q)\,(\phi(K)^\top V)`,
    whose cost grows with the tokens and not with their square. Causal, it is computed here with all
    pairs, as a product with a mask; `LinearAttentionState` computes the same token by token.

    Parameters
    ----------
    query : array_like, shape (..., num_queries, d_k)
    key : array_like, shape (..., num_keys, d_k)
    value : array_like, shape (..., num_keys, d_v)
        With the identity matrix as values, the output is the weights.
    mask : array_like of bool, broadcastable to (..., num_queries, num_keys), optional
        True = may attend.
    is_causal : bool
        Hide the future as well; the last query sees the last key.
    decay : array_like, broadcastable to (..., tokens), optional
        Above 0, at most 1: what is left of the state when a token comes, before it is added. One
        number for each head, shape (heads, 1), as in retention, or one for each token, as a gate.
        Only with ``is_causal``, and as many queries as keys.
    feature_map : "elu_plus_one", None or a function
        phi, from (..., tokens, d_k) to (..., tokens, any width). None: queries and keys themselves.
    normalise : bool
        Divide by the sum of the weights, as softmax does. Without, retention and its relatives
        normalise the output elsewhere. Features may then have any sign; here they should not.

    Returns
    -------
    array, shape (..., num_queries, d_v)
        Zero for a query that sees nothing. In the type of query, key and value.

    Raises
    ------
    ValueError
        If shapes do not fit, or ``decay`` is not above 0 and at most 1, or not causal.
    TypeError
        If ``mask`` is not boolean.

    References
    ----------
    Katharopoulos et al. (2020), "Transformers are RNNs", sections 3.2 to 3.4 and equation 7 (the
    feature map). Sun et al. (2023), "Retentive Network", section 2.1, for one decay a head; Dao
    and Gu (2024), "Transformers are SSMs", for one a token, and for masked product and recurrence
    as two forms of one thing.

    Examples
    --------
    >>> import numpy as np
    >>> query, key, value = np.ones((2, 4, 8)), np.ones((2, 4, 8)), np.ones((2, 4, 10))
    >>> linear_attention(query, key, value, is_causal=True).shape
    (2, 4, 10)
    >>> linear_attention(query[0], key[0], np.eye(4), is_causal=True, decay=0.5).round(2)
    array([[1.  , 0.  , 0.  , 0.  ],
           [0.33, 0.67, 0.  , 0.  ],
           [0.14, 0.29, 0.57, 0.  ],
           [0.07, 0.13, 0.27, 0.53]])
    """
    (query, key, value), result = as_floats(query=query, key=key, value=value)
    pairs = check_attention(query, key, value)
    mask = as_mask(mask, pairs)
    left = None
    if decay is not None:
        leading, tokens = check_same_tokens(query, key, value)
        left = as_decay(decay, (*leading, tokens), query.dtype)
        check_causal(is_causal)
    visible = visible_pairs(pairs, mask, is_causal)
    # What a mask hides may be NaN or overflow.
    with np.errstate(invalid="ignore", over="ignore"):
        mapped = features(query, key, feature_map)
        output = formulas.linear_attention(*mapped, value, left, visible, normalise)
    return output.astype(result, copy=False)


class LinearAttentionState:
    r"""The state of causal linear attention: :math:`S_t = \gamma_t S_{t-1} + \phi(k_t)\, v_t^\top`.

    It stands where softmax attention has a `KeyValueCache`, and does not grow with the tokens.

    Parameters
    ----------
    feature_map, normalise
        As in `linear_attention`.

    Attributes
    ----------
    state : array, shape (..., d_features, d_v), or None before the first token
    total : array, shape (..., d_features), or None
        The decayed sum of the keys' features, for the denominator.
    num_tokens : int
        How many tokens it has read.

    References
    ----------
    Katharopoulos et al. (2020), "Transformers are RNNs", equations 16 to 20.

    Examples
    --------
    >>> import numpy as np
    >>> memory = LinearAttentionState()
    >>> for step in range(3):
    ...     output = memory.append(np.ones((2, 1, 8)), np.ones((2, 1, 8)), np.ones((2, 1, 5)))
    >>> output.shape, memory.state.shape, memory.num_tokens
    ((2, 1, 5), (2, 8, 5), 3)
    """

    def __init__(self, *, feature_map: FeatureMap = "elu_plus_one", normalise: bool = True) -> None:
        self.feature_map, self.normalise = feature_map, normalise
        self.state: Array | None = None
        self.total: Array | None = None
        self.num_tokens = 0

    def __repr__(self) -> str:
        """Return the class and the number of tokens."""
        return f"LinearAttentionState(num_tokens={self.num_tokens})"

    def append(
        self, query: ArrayLike, key: ArrayLike, value: ArrayLike, decay: ArrayLike | None = None
    ) -> Array:
        """Read the next tokens, one after the other; return what each one's query gets.

        Parameters
        ----------
        query, key : array_like, shape (..., new_tokens, d_k)
        value : array_like, shape (..., new_tokens, d_v)
        decay : array_like, broadcastable to (..., new_tokens), optional
            As in `linear_attention`.

        Returns
        -------
        array, shape (..., new_tokens, d_v)
            What `linear_attention` with ``is_causal`` gives over all tokens so far.

        Raises
        ------
        ValueError
            If shapes do not fit each other, or the state.
        """
        (queries, keys, values), result = as_floats(query=query, key=key, value=value)
        leading, tokens = check_same_tokens(queries, keys, values)
        left = as_decay(1.0 if decay is None else decay, (*leading, tokens), queries.dtype)
        mapped = features(queries, keys, self.feature_map)
        shape = (*leading, mapped[1].shape[-1], values.shape[-1])
        check_state(self.state, shape)
        state = np.zeros(shape, queries.dtype) if self.state is None else self.state
        total = np.zeros(shape[:-1], queries.dtype) if self.total is None else self.total
        left = np.broadcast_to(left, (*leading, tokens))
        output, state, total = formulas.linear_recurrence(
            *mapped, values, left, state, total, self.normalise
        )
        self.state, self.total = state, total
        self.num_tokens += tokens
        return output.astype(result, copy=False)


def features(query: Any, key: Any, feature_map: Any) -> tuple[Any, Any]:
    """Return ``phi(query)`` and ``phi(key)``, or raise ValueError where tokens were lost."""
    if feature_map is None:
        return query, key
    if feature_map == "elu_plus_one":
        return formulas.elu_plus_one(query), formulas.elu_plus_one(key)
    if not callable(feature_map):
        raise ValueError(
            f"feature_map is {feature_map!r}; expected 'elu_plus_one', a function or None"
        )
    mapped = feature_map(query), feature_map(key)
    for name, x, phi in (("query", query, mapped[0]), ("key", key, mapped[1])):
        if shape_of(phi)[:-1] != shape_of(x)[:-1]:
            raise ValueError(
                f"feature_map returned shape {shape_of(phi)} for {name} of shape {shape_of(x)}; "
                "expected the same but for the last axis"
            )
    return mapped


def as_decay(decay: ArrayLike, tokens: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """Return ``decay`` as an array for (..., tokens), or raise ValueError."""
    array = as_float("decay", decay)
    check_decay(array, tokens)
    return np.broadcast_to(array.astype(dtype, copy=False), (*array.shape[:-1], tokens[-1]))


def check_decay(decay: Any, tokens: tuple[int, ...]) -> None:
    """Raise ValueError unless ``decay`` fits the tokens, is above 0 and at most 1."""
    check_per_token("decay", decay, tokens)
    if not says(((decay > 0) & (decay <= 1)).all(), True):
        raise ValueError("decay has numbers outside of (0, 1]; expected above 0, at most 1")


def check_causal(is_causal: bool) -> None:
    """Raise ValueError if there is a decay without a direction of time."""
    if not is_causal:
        raise ValueError("decay is given without is_causal=True; expected both")


def check_state(state: Shaped | None, shape: tuple[int, ...]) -> None:
    """Raise ValueError if the state of earlier tokens has another shape."""
    if state is not None and shape_of(state) != shape:
        raise ValueError(
            f"the new tokens have a state of shape {shape}; expected {shape_of(state)}"
        )
