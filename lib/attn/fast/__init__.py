"""The door to the fast paths. Which one serves a call is decided here and nowhere else.

Each returns what its formula returns, up to rounding, and a test holds the two together:

| function | computes | instead of |
|---|---|---|
| `attention` | blocks, of many pairs | `attn.formulas.scaled_dot_product_attention` |
| `blockwise_attention` | blocks | likewise |
| `sliding_window_attention` | spans of keys | `attn.sliding_window.masked_window_attention` |
| `lsh_attention` | chunks of sorted tokens | `attn.lsh.quadratic_lsh_attention` |
| `additive_scores` | blocks | `attn.formulas.additive_scores` |

Arguments have been checked; ``scale`` is a number, ``mask`` a boolean array or None. Tensors find
functions of the same names in `attn.torch.fast`.
"""

from __future__ import annotations

from functools import partial

from attn._types import Array
from attn.fast.additive import additive_scores
from attn.fast.blocks import Attend, attend_in_blocks, attend_online
from attn.fast.chunks import attend_in_chunks
from attn.fast.no_max import NoMaxAttention, needs_no_max
from attn.fast.windows import attend_in_windows
from attn.lsh_buckets import HashedTokens

__all__ = [
    "LARGE",
    "additive_scores",
    "attention",
    "blockwise_attention",
    "is_faster",
    "lsh_attention",
    "sliding_window_attention",
]

#: Pairs from which blocks are faster than one array of scores, which then leaves the cache.
LARGE = 1 << 14

#: Queries and keys in a block. Many queries, because each product reads the keys again; few keys,
#: so that the scores, 1 MiB of float32, stay in the cache of a core.
BLOCK = (1024, 256)


def is_faster(scores_shape: tuple[int, ...]) -> bool:
    """Return whether `attention` is to be called instead of the formula."""
    return scores_shape[-2] * scores_shape[-1] >= LARGE


def attention(
    query: Array,
    key: Array,
    value: Array,
    scores_shape: tuple[int, ...],
    scale: float,
    mask: Array | None,
    causal: bool,
) -> Array:
    """Return the outputs; torch's returns None where it would not be exact."""
    return blockwise_attention(query, key, value, scale, mask, causal)


def blockwise_attention(
    query: Array,
    key: Array,
    value: Array,
    scale: float,
    mask: Array | None,
    causal: bool,
    block: tuple[int, int] | None = None,
) -> Array:
    """Return the outputs in memory linear in the tokens."""
    sizes = BLOCK if block is None else block
    attend = _attend(query, key, value, scale, *sizes)
    return attend_in_blocks(query, key, value, scale, mask, causal, sizes, attend)


def sliding_window_attention(
    query: Array,
    key: Array,
    value: Array,
    scale: float,
    window: int,
    marks: Array | None,
    padding: Array | None,
    causal: bool,
) -> Array:
    """Return the outputs of windows and global tokens in time linear in the tokens."""
    rows = min(max(64, window // 2), max(query.shape[-2], 1))
    attend = _attend(query, key, value, scale, rows, max(rows + 2 * window, 512))
    return attend_in_windows(query, key, value, scale, window, marks, padding, causal, rows, attend)


def lsh_attention(tokens: HashedTokens, query_key: Array, value: Array, causal: bool) -> Array:
    """Return the outputs of tokens that have been hashed; they hold query_key and value, too."""
    return attend_in_chunks(tokens, causal)


def _attend(
    query: Array, key: Array, value: Array, scale: float, rows: int, columns: int
) -> Attend:
    """Return what attends from a block of queries: without a maximum where scores are small."""
    d_v = value.shape[-1]
    if not needs_no_max(query, key, value, scale):
        return partial(attend_online, d_v=d_v)
    rows, columns = min(rows, query.shape[-2]), min(columns, key.shape[-2])
    return NoMaxAttention(rows, columns, d_v, value.dtype)
