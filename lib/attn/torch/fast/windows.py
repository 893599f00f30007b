"""Sliding windows with gradients: blocks of queries, each with the span of keys around it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from attn import formulas
from attn._arguments import leading_axes
from attn._types import Array
from attn.attention import scaled_dot_product_attention
from attn.formulas import weighted_sum
from attn.torch.nan_safe import nan_safe

_ROWS = 64
#: Scores that are computed at once.
_GROUP = 1 << 18


def sliding_window_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    scale: float,
    window: int,
    marks: Array | None,
    real: Array | None,
    causal: bool,
) -> Tensor:
    """Return the outputs of windows and global tokens in time linear in the tokens."""
    leading = leading_axes(query=query, key=key, value=value)
    query, key, value = (t.expand(*leading, *t.shape[-2:]) for t in (query, key, value))
    if not query.shape[-2]:
        return value
    windows = _Windows(leading, query.shape[-2], window, marks, real, causal, query.device)

    def attend(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, ...]:
        return (windows.attend(query * scale, key, value),)

    output = nan_safe(attend, (query,), (key, value), windows.sees)[0]
    if marks is None:
        return output
    return windows.with_global_rows(output, query, key, value, scale)


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
        causal: bool,
        device: torch.device,
    ) -> None:
        self.tokens, self.window = tokens, window
        self.rows = min(max(_ROWS, window // 2), tokens)
        self.causal = causal
        everywhere = (*leading, tokens)
        self.marks = _marks(False if marks is None else marks, everywhere, device)
        self.real = _marks(True if real is None else real, everywhere, device)
        in_some = self.marks.reshape(math.prod(leading), tokens).any(0)
        self.far = in_some.nonzero()[:, 0]  # global in some sequence
        places = self.blocks(torch.arange(tokens, device=device)[:, None])  # (blocks, rows, 1)
        spans = self.spans(torch.arange(1, tokens + 1, device=device)[:, None])[..., 0] - 1
        distance = places - spans[:, None, :]  # (blocks, rows, span)
        ahead = 0 if causal else window
        band = (distance <= window) & (distance >= -ahead) & (spans[:, None, :] >= 0)
        shown = self.spans((self.real & ~self.marks)[..., None])[..., 0]  # (..., blocks, span)
        self.near_visible = band & shown[..., None, :]
        far_visible = (self.real & self.marks)[..., self.far][..., None, None, :]
        self.far_visible = far_visible & (places >= self.far if causal else places >= 0)

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
        if self.causal:
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
