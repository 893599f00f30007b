"""The door to the fast paths. Which one serves a call is decided here and nowhere else.

Each returns what its formula returns, up to rounding, and a test holds the two together:

| function | computes | instead of |
|---|---|---|
| `blockwise_attention` | blocks; see `is_faster` | `attn.formulas.scaled_dot_product_attention` |
| `local_attention` | spans of keys around blocks | `attn.local.masked_local_attention` |
| `lsh_attention` | chunks of sorted tokens | `attn.lsh.quadratic_lsh_attention` |
| `additive_scores` | blocks | `attn.formulas.additive_scores` |

Arguments have been checked; ``scale`` is a number, ``mask`` a boolean array or None.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from attn._arguments import Array
from attn.fast.additive import additive_scores
from attn.fast.blocks import Attend, attend_in_blocks, attend_online
from attn.fast.bounded import BoundedAttention, is_bounded
from attn.fast.chunks import attend_in_chunks as lsh_attention
from attn.fast.windows import attend_in_windows

__all__ = [
    "LARGE",
    "additive_scores",
    "blockwise_attention",
    "is_faster",
    "local_attention",
    "lsh_attention",
]

#: Pairs from which blocks are faster than one array of scores, which then leaves the cache.
LARGE = 1 << 14

#: Queries and keys in a block. Many queries, because each product reads the keys again; few keys,
#: so that the scores, 1 MiB of float32, stay in the cache of a core.
BLOCK = (1024, 256)


def is_faster(pairs: tuple[int, ...], *needs_formula: Any) -> bool:
    """Return whether `blockwise_attention` is to be called instead of the formula.

    ``needs_formula`` are the options that blocks do not know; None or False where they are unused.
    """
    unused = all(option is None or option is False for option in needs_formula)
    return unused and pairs[-2] * pairs[-1] >= LARGE


def blockwise_attention(
    query: Array,
    key: Array,
    value: Array,
    scale: float,
    mask: Array | None,
    is_causal: bool,
    block: tuple[int, int] | None = None,
) -> Array:
    """Return the outputs in memory linear in the tokens."""
    sizes = BLOCK if block is None else block
    attend = _attend(query, key, value, scale, *sizes)
    return attend_in_blocks(query, key, value, scale, mask, is_causal, sizes, attend)


def local_attention(
    query: Array,
    key: Array,
    value: Array,
    scale: float,
    window: int,
    marks: Array | None,
    padding: Array | None,
    is_causal: bool,
) -> Array:
    """Return the outputs of windows and global tokens in time linear in the tokens."""
    rows = min(max(64, window // 2), max(query.shape[-2], 1))
    attend = _attend(query, key, value, scale, rows, max(rows + 2 * window, 512))
    return attend_in_windows(
        query, key, value, scale, window, marks, padding, is_causal, rows, attend
    )


def _attend(
    query: Array, key: Array, value: Array, scale: float, rows: int, columns: int
) -> Attend:
    """Return what attends from a block of queries: without a maximum where scores are small."""
    d_v = value.shape[-1]
    if not is_bounded(query, key, value, scale):
        return partial(attend_online, d_v=d_v)
    rows, columns = min(rows, query.shape[-2]), min(columns, key.shape[-2])
    return BoundedAttention(rows, columns, d_v, value.dtype)
