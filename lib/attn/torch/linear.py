"""Linear attention with gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import torch
from torch import Tensor

from attn import formulas
from attn._arguments import check_attention, check_same_tokens
from attn._hints import explain_torch_names
from attn.linear import check_causal, check_decay, check_state, features
from attn.masking import visible_pairs
from attn.torch._tensors import as_mask, as_tensor, as_tensors, compute_type
from attn.torch.containment import contain
from attn.torch.masks import causal_on

FeatureMap: TypeAlias = Literal["elu_plus_one"] | Callable[[Tensor], Tensor] | None


@explain_torch_names
def linear_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    mask: Any = None,
    is_causal: bool = False,
    decay: Any = None,
    feature_map: FeatureMap = "elu_plus_one",
    normalise: bool = True,
) -> Tensor:
    r"""Return attention with :math:`\phi(q_i)^\top \phi(k_j)` as weights: `attn.linear_attention`.

    Parameters
    ----------
    query : tensor, shape (..., num_queries, d_k)
    key : tensor, shape (..., num_keys, d_k)
    value : tensor, shape (..., num_keys, d_v)
    mask : bool tensor, broadcastable to (..., num_queries, num_keys), optional
        True = may attend. What it hides changes neither an output nor a gradient.
    is_causal : bool
    decay : tensor, broadcastable to (..., tokens), optional
        Above 0, at most 1; may be learned.
    feature_map : "elu_plus_one", None, or a function or module
    normalise : bool
        As in `attn.linear_attention`.

    Returns
    -------
    tensor, shape (..., num_queries, d_v)

    Raises
    ------
    ValueError
        If shapes do not fit, or ``decay`` is not above 0 and at most 1, or not causal.
    TypeError
        If ``mask`` is not boolean.

    Examples
    --------
    >>> import torch
    >>> x = torch.ones(2, 4, 8)
    >>> linear_attention(x, x, x, is_causal=True, decay=torch.tensor(0.9)).shape
    torch.Size([2, 4, 8])
    """
    (query, key, value), dtype = as_tensors(query=query, key=key, value=value)
    pairs = check_attention(query, key, value)
    mask = as_mask(mask, pairs, query.device)
    query, key, value = (t.to(compute_type(dtype)) for t in (query, key, value))
    left = None
    if decay is not None:
        leading, tokens = check_same_tokens(query, key, value)
        left = as_decay(decay, (*leading, tokens), query)
        check_causal(is_causal)
    visible = visible_pairs(pairs, mask, is_causal, causal=causal_on(query.device))

    def attend(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, ...]:
        mapped = features(query, key, feature_map)
        return (formulas.linear_attention(*mapped, value, left, visible, normalise),)

    return contain(attend, (query,), (key, value), visible)[0].to(dtype)


class LinearAttentionState:
    """The state of causal linear attention, with gradients; see `attn.LinearAttentionState`.

    Parameters
    ----------
    feature_map, normalise
        As in `attn.linear_attention`.

    Attributes
    ----------
    state : tensor, shape (..., d_features, d_v), or None before the first token
    total : tensor, shape (..., d_features), or None
    num_tokens : int
        How many tokens it has read.

    Examples
    --------
    >>> import torch
    >>> memory = LinearAttentionState()
    >>> memory.append(torch.ones(2, 3, 8), torch.ones(2, 3, 8), torch.ones(2, 3, 5)).shape
    torch.Size([2, 3, 5])
    """

    def __init__(self, *, feature_map: FeatureMap = "elu_plus_one", normalise: bool = True) -> None:
        self.feature_map, self.normalise = feature_map, normalise
        self.state: Tensor | None = None
        self.total: Tensor | None = None
        self.num_tokens = 0

    def __repr__(self) -> str:
        """Return the class and the number of tokens."""
        return f"LinearAttentionState(num_tokens={self.num_tokens})"

    def append(self, query: Tensor, key: Tensor, value: Tensor, decay: Any = None) -> Tensor:
        """Read the next tokens, one after the other; return what each one's query gets.

        Parameters
        ----------
        query, key : tensor, shape (..., new_tokens, d_k)
        value : tensor, shape (..., new_tokens, d_v)
        decay : tensor, broadcastable to (..., new_tokens), optional

        Returns
        -------
        tensor, shape (..., new_tokens, d_v)

        Raises
        ------
        ValueError
            If shapes do not fit each other, or the state.
        """
        (query, key, value), dtype = as_tensors(query=query, key=key, value=value)
        query, key, value = (t.to(compute_type(dtype)) for t in (query, key, value))
        leading, tokens = check_same_tokens(query, key, value)
        left = as_decay(1.0 if decay is None else decay, (*leading, tokens), query)
        mapped = features(query, key, self.feature_map)
        shape = (*leading, mapped[1].shape[-1], value.shape[-1])
        check_state(self.state, shape)
        state = query.new_zeros(shape) if self.state is None else self.state
        total = query.new_zeros(shape[:-1]) if self.total is None else self.total
        output, state, total = formulas.linear_recurrence(
            *mapped, value, left.expand(*leading, tokens), state, total, self.normalise
        )
        self.state, self.total = state, total
        self.num_tokens += tokens
        return output.to(dtype)


def as_decay(decay: Any, tokens: tuple[int, ...], like: Tensor) -> Tensor:
    """Return ``decay`` as a tensor for (..., tokens), or raise ValueError."""
    tensor = as_tensor("decay", decay)
    check_decay(tensor, tokens)
    return torch.broadcast_to(tensor.to(like), (*tensor.shape[:-1], tokens[-1]))
