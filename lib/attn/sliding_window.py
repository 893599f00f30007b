"""Local attention: a sliding window, and global tokens that see and are seen everywhere."""

from __future__ import annotations

from attn._arguments import check_count, check_same_tokens, scale_or_default
from attn._door import enter
from attn._hints import explain_torch_names
from attn._tokens import as_marks, token_marks
from attn._types import Array, ArrayLike, Given, Nested, Numbers
from attn.attention import scaled_dot_product_attention
from attn.masks import global_mask, sliding_window_mask


@explain_torch_names
def sliding_window_attention(
    query: Numbers | Nested,
    key: Numbers | Nested,
    value: Numbers | Nested,
    *,
    window: int,
    global_tokens: Given | None = None,
    causal: bool = False,
    padding: Given | None = None,
    scale: float | None = None,
) -> Numbers:
    r"""Return attention of each token to those at most ``window`` away, and to global tokens.

    Time and memory grow with tokens times window. `masked_window_attention` computes the same
    with a mask.

    Parameters
    ----------
    query : array_like, shape (..., tokens, d_k)
    key : array_like, shape (..., tokens, d_k)
    value : array_like, shape (..., tokens, d_v)
    window : int
        The number of keys visible on each side.
    global_tokens : array_like, optional
        Positions, shape (num_global,), or boolean marks, (tokens,) or (batch, tokens). A global
        token sees every token, and every token sees it.
    causal : bool
        Hide the future as well, from and of global tokens too.
    padding : array_like of bool, shape (batch, tokens) or as `padding_mask` gives, optional
        True for real tokens. Padding is hidden as a key; what it yields as a query means nothing.
    scale : float, optional

    Returns
    -------
    array, shape (..., tokens, d_v)
        Zero for a query that sees nothing. In the type of query, key and value.

    Raises
    ------
    ValueError
        If shapes do not fit, or there are not as many queries as keys.
    TypeError
        If ``window`` is not an integer or ``padding`` not boolean.

    References
    ----------
    Beltagy, Peters and Cohan (2020), "Longformer", section 3.1; their ``attention_window`` is twice
    ours, and their global tokens have projections of their own.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.ones((2, 6, 8))
    >>> sliding_window_attention(x, x, x, window=1, global_tokens=[0]).shape
    (2, 6, 8)
    """
    door, (query, key, value) = enter(query=query, key=key, value=value)
    leading, tokens = check_same_tokens(query, key, value)
    window, host = check_count("window", window), door.framework.host
    marks = global_marks(host(global_tokens), leading, tokens)
    real = None if padding is None else token_marks("padding", host(padding), leading, tokens)
    output = door.framework.fast.sliding_window_attention(
        query, key, value, scale_or_default(query, scale), window, marks, real, causal
    )
    return door.leave(output)


def masked_window_attention(
    query: Numbers | Nested,
    key: Numbers | Nested,
    value: Numbers | Nested,
    *,
    window: int,
    global_tokens: Given | None = None,
    causal: bool = False,
    padding: Given | None = None,
    scale: float | None = None,
) -> Numbers:
    """Return `sliding_window_attention` as its definition reads: full attention with a mask.

    Parameters, returns and errors are those of `sliding_window_attention`; time and memory are
    quadratic.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.ones((6, 8))
    >>> masked_window_attention(x, x, x, window=1).shape
    (6, 8)
    """
    door, (queries, keys, values) = enter(query=query, key=key, value=value)
    leading, tokens = check_same_tokens(queries, keys, values)
    place, host = door.framework.place, door.framework.host
    mask = sliding_window_mask(tokens, tokens, window)
    marks = global_marks(host(global_tokens), leading, tokens)
    if marks is not None:
        mask = mask | global_mask(tokens, marks)
    if padding is not None:
        mask = mask & token_marks("padding", host(padding), leading, tokens)[..., None, :]
    return scaled_dot_product_attention(
        query, key, value, mask=place(mask, door.like), causal=causal, scale=scale
    )


def global_marks(
    global_tokens: ArrayLike | None, leading: tuple[int, ...], tokens: int
) -> Array | None:
    """Return a mark for each token, or None if none is global."""
    if global_tokens is None:
        return None
    marks = as_marks("global_tokens", global_tokens, tokens)
    marks = marks if marks.ndim == 1 else token_marks("global_tokens", marks, leading, tokens)
    return marks if marks.any() else None
