"""Attention to a low-rank cache, in two forms whose outputs are the same."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from attn.formulas.features import merge_heads, split_heads
from attn.formulas.namespace import Numbers, namespace

#: Multiplies tokens by a matrix.
Project = Callable[[Any, Any], Any]


def latent_queries(
    projected: Numbers,  # (..., num_queries, num_heads * (head_dim + rotary_dim))
    num_heads: int,
    head_dim: int,
    rotate: Callable[[Any], Any],
) -> Numbers:
    """Return the queries of each head, whose last ``rotary_dim`` features are turned."""
    query = split_heads(projected, num_heads)
    content, turning = query[..., :head_dim], query[..., head_dim:]
    return namespace(query).concatenate([content, rotate(turning)], -1)


def latent_attention(
    query: Numbers,  # (..., num_heads, num_queries, head_dim + rotary_dim)
    latent: Numbers,  # (..., num_keys, d_latent)
    rotary_key: Numbers,  # (..., num_keys, rotary_dim)
    w_key: Numbers,  # (d_latent, num_heads * head_dim)
    w_value: Numbers,  # likewise
    attend: Callable[..., Any],  # of query, key and value of each head
    is_absorbed: bool,
    project: Project = operator.matmul,
) -> Numbers:
    """Return the outputs of all heads side by side, (..., num_queries, num_heads * head_dim)."""
    if is_absorbed:
        heads = attend(*_absorbed(query, latent, rotary_key, w_key, project))
        heads = project(heads, split_heads(w_value, heads.shape[-3]))  # values of sums of latents
    else:
        heads = attend(*_expanded(query, latent, rotary_key, w_key, w_value, project))
    return merge_heads(heads)


def _expanded(
    query: Numbers,
    latent: Numbers,
    rotary_key: Numbers,
    w_key: Numbers,
    w_value: Numbers,
    project: Project,
) -> tuple[Numbers, Numbers, Numbers]:
    """Return query, key and value of each head; all heads share the rotary part of a key."""
    xp, num_heads = namespace(query), query.shape[-3]
    content = split_heads(project(latent, w_key), num_heads)  # (..., num_heads, num_keys, head_dim)
    shape = (*content.shape[:-1], rotary_key.shape[-1])
    key = xp.concatenate([content, xp.broadcast_to(rotary_key[..., None, :, :], shape)], -1)
    return query, key, split_heads(project(latent, w_value), num_heads)


def _absorbed(
    query: Numbers, latent: Numbers, rotary_key: Numbers, w_key: Numbers, project: Project
) -> tuple[Numbers, Numbers, Numbers]:
    """Return query, key and value where the cache itself is the one head of keys and values.

    A score of the expanded form is q (c W)^T = (q W^T) c^T: the matrix moves to the query.
    """
    xp, num_heads = namespace(query), query.shape[-3]
    of_heads = split_heads(w_key, num_heads)  # (num_heads, d_latent, head_dim)
    head_dim = of_heads.shape[-1]
    content, turned = query[..., :head_dim], query[..., head_dim:]
    query = xp.concatenate([project(content, of_heads.mT), turned], -1)
    key = xp.concatenate([latent, rotary_key], -1)  # (..., num_keys, d_latent + rotary_dim)
    return query, key[..., None, :, :], latent[..., None, :, :]
