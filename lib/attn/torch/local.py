"""Local attention with gradients, in time and memory linear in the tokens."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from attn import formulas
from attn._arguments import Array, check_count, check_same_tokens, scale_or_default
from attn._hints import explain_torch_names
from attn._tokens import token_marks
from attn.formulas import weighted_sum
from attn.local import global_marks
from attn.torch._tensors import as_tensors, compute_type, on_host
from attn.torch.attention import scaled_dot_product_attention
from attn.torch.containment import contain_rows

_ROWS = 64
#: Scores that are computed at once.
_GROUP = 1 << 18


@explain_torch_names
def local_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    window: int,
    global_tokens: Any = None,
    is_causal: bool = False,
    padding: Any = None,
    scale: float | None = None,
) -> Tensor:
    """Return attention of each token to those at most ``window`` away, and to global tokens.

    Parameters
    ----------
    query : tensor, shape (..., tokens, d_k)
    key : tensor, shape (..., tokens, d_k)
    value : tensor, shape (..., tokens, d_v)
    window, global_tokens, is_causal, padding, scale
        As in `attn.local_attention`.

    Returns
    -------
    tensor, shape (..., tokens, d_v)
        Zero for a query that sees nothing.

    Raises
    ------
    ValueError
        If shapes do not fit, or there are not as many queries as keys.
    TypeError
        If ``window`` is not an integer or ``padding`` not boolean.

    References
    ----------
    Beltagy, Peters and Cohan (2020), "Longformer", section 3.1.

    Examples
    --------
    >>> import torch
    >>> x = torch.ones(2, 6, 8)
    >>> local_attention(x, x, x, window=1, global_tokens=[0]).shape
    torch.Size([2, 6, 8])
    """
    (query, key, value), dtype = as_tensors(query=query, key=key, value=value)
    leading, tokens = check_same_tokens(query, key, value)
    window, factor = check_count("window", window), scale_or_default(query, scale)
    marks = global_marks(on_host(global_tokens), leading, tokens)
    real = None
    if padding is not None:
        real = token_marks("padding", on_host(padding), leading, tokens)
    if not tokens:
        return value.expand(*leading, 0, value.shape[-1])
    wide = compute_type(dtype)
    query, key, value = (t.to(wide).expand(*leading, *t.shape[-2:]) for t in (query, key, value))
    windows = _Windows(leading, tokens, window, marks, real, is_causal, query.device)

    def attend(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, ...]:
        return (windows.attend(query * factor, key, value),)

    output = contain_rows(attend, (query,), (key, value), windows.sees)[0]
    if marks is not None:
        output = windows.with_global_rows(output, query, key, value, factor)
    return output.to(dtype)


class _Windows:
    """Blocks of queries, the spans of keys around them, and what each query sees.

    Keys beyond either end are zeros that no query sees. A global key is seen once, among the far
    ones, never in a span.
    """

    def __init__(
        self,
        leading: tuple[int, ...],
        tokens: int,
        window: int,
        marks: Array | None,
        real: Array | None,
        is_causal: bool,
        device: torch.device,
    ) -> None:
        self.tokens, self.window = tokens, window
        self.rows = min(max(_ROWS, window // 2), tokens)
        self.is_causal = is_causal
        everywhere = (*leading, tokens)
        self.marks = _marks(False if marks is None else marks, everywhere, device)
        self.real = _marks(True if real is None else real, everywhere, device)
        far = np.flatnonzero(False if marks is None else marks.reshape(-1, tokens).any(0))
        self.far = torch.as_tensor(far, device=device)  # global in some sequence
        places = self.blocks(torch.arange(tokens, device=device)[:, None])  # (blocks, rows, 1)
        spans = self.spans(torch.arange(1, tokens + 1, device=device)[:, None])[..., 0] - 1
        distance = places - spans[:, None, :]  # (blocks, rows, span)
        ahead = 0 if is_causal else window
        band = (distance <= window) & (distance >= -ahead) & (spans[:, None, :] >= 0)
        shown = self.spans((self.real & ~self.marks)[..., None])[..., 0]  # (..., blocks, span)
        self.near_visible = band & shown[..., None, :]
        far_visible = (self.real & self.marks)[..., self.far][..., None, None, :]
        self.far_visible = far_visible & (places >= self.far if is_causal else places >= 0)

    def blocks(self, x: Tensor) -> Tensor:
        """Return ``x``, (..., tokens, features), as (..., blocks, rows, features)."""
        filled = functional.pad(x, (0, 0, 0, -self.tokens % self.rows))
        return filled.unflatten(-2, (-1, self.rows))

    def spans(self, x: Tensor) -> Tensor:
        """Return the span of each block, (..., blocks, rows + 2 * window, features)."""
        right = self.window + -self.tokens % self.rows
        filled = functional.pad(x, (0, 0, self.window, right))
        return filled.unfold(-2, self.rows + 2 * self.window, self.rows).mT

    def attend(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        """Return the outputs of scaled queries, as if none were global."""
        queries, keys, values = self.blocks(query), self.spans(key), self.spans(value)
        far_key, far_value = (x[..., None, self.far, :] for x in (key, value))
        scores_of_block = self.rows * keys.shape[-2] * math.prod(key.shape[:-2])
        size = max(1, _GROUP // max(1, scores_of_block))
        parts = []
        for start in range(0, queries.shape[-3], size):
            group = slice(start, start + size)
            q, k, v = (x[..., group, :, :] for x in (queries, keys, values))
            parts.append(self._attend(q, k, v, far_key, far_value, group))
        return torch.cat(parts, dim=-3).flatten(-3, -2)[..., : self.tokens, :]

    def _attend(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        far_key: Tensor,
        far_value: Tensor,
        group: slice,
    ) -> Tensor:
        """Return the outputs of some blocks: few enough for their scores to stay in the cache."""
        near, far = (v[..., group, :, :] for v in (self.near_visible, self.far_visible))
        scores = torch.where(near, queries @ keys.mT, -torch.inf)
        if not len(self.far):
            return weighted_sum(formulas.softmax(scores), values, near)
        far_scores = torch.where(far, queries @ far_key.mT, -torch.inf)
        weights = formulas.softmax(torch.cat([scores, far_scores], dim=-1))
        near_weights, far_weights = weights.split([keys.shape[-2], len(self.far)], dim=-1)
        output = weighted_sum(near_weights, values, near)
        return output + weighted_sum(far_weights, far_value, far)

    def sees(self, odd: Tensor) -> Tensor:
        """Return which queries see one of the marked keys, (..., tokens)."""
        span = self.spans(odd[..., None])[..., 0][..., None, :]
        rows = (self.near_visible & span).any(-1)
        rows = rows | (self.far_visible & odd[..., self.far][..., None, None, :]).any(-1)
        return rows.flatten(-2)[..., : self.tokens]

    def with_global_rows(
        self, output: Tensor, query: Tensor, key: Tensor, value: Tensor, scale: float
    ) -> Tensor:
        """Return ``output`` with the rows of global tokens, which see everything, in place."""
        visible = self.real[..., None, :]
        if self.is_causal:
            keys = torch.arange(self.tokens, device=query.device)
            visible = visible & (keys <= self.far[:, None])
        rows = scaled_dot_product_attention(
            query[..., self.far, :], key, value, mask=visible, scale=scale
        )
        chosen = self.marks[..., self.far, None]
        rows = torch.where(chosen, rows, output[..., self.far, :])
        return output.index_copy(-2, self.far, rows)


def _marks(marks: Any, shape: tuple[int, ...], device: torch.device) -> Tensor:
    return torch.from_numpy(np.broadcast_to(marks, shape).copy()).to(device)
