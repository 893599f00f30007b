"""Count what a cache of keys and values holds."""

from __future__ import annotations

from attn._arguments import check_count


def cache_size(
    num_tokens: int,
    *,
    num_layers: int = 1,
    num_kv_heads: int | None = None,
    head_dim: int | None = None,
    d_latent: int | None = None,
    rotary_dim: int = 0,
    local_per_global: int = 0,
    local_tokens: int | None = None,
    bytes_per_number: int = 1,
) -> int:
    r"""Return the numbers, or the bytes, that the caches of all layers hold after some tokens.

    A layer keeps :math:`2\,h\,d` numbers for each token (keys and values of h heads, d wide), or
    one latent and one rotary key (`MultiHeadLatentAttention`). A local layer keeps those of its
    window only. For the numbers of one token, count one token.

    Parameters
    ----------
    num_tokens : int
    num_layers : int
    num_kv_heads, head_dim : int, optional
        As many as query heads is multi-head, fewer grouped-query, 1 multi-query attention.
    d_latent : int, optional
        Instead of the two: the width of the latent.
    rotary_dim : int
        Width of the rotary key that is stored with a latent.
    local_per_global : int
        Local layers before each global one: 5 means five local ones, one global one, and so on; the
        last layers are local if their number is not a multiple. 0: all layers are global.
    local_tokens : int, optional
        Tokens that a local layer sees, with the newest; in `sliding_window_mask` with causality
        ``window + 1``.
    bytes_per_number : int
        1 counts numbers; 2 counts bytes of float16 or bfloat16.

    Returns
    -------
    int
        For one sequence; a batch has as many caches as sequences.

    Raises
    ------
    ValueError, TypeError
        If a count is not a whole number or negative, or it is not clear what a layer stores.

    References
    ----------
    DeepSeek-AI (2024), "DeepSeek-V2", table 1, compares multi-head, grouped, multi-query and latent
    attention; Gemma Team (2025), "Gemma 3 Technical Report", section 2, has five local layers for
    each global one.

    Examples
    --------
    >>> cache_size(1, num_kv_heads=128, head_dim=128), cache_size(1, num_kv_heads=8, head_dim=128)
    (32768, 2048)
    >>> cache_size(1, d_latent=512, rotary_dim=64)
    576
    """
    tokens = check_count("num_tokens", num_tokens)
    layers = check_count("num_layers", num_layers)
    numbers = _numbers_per_token(num_kv_heads, head_dim, d_latent, rotary_dim)
    size = numbers * check_count("bytes_per_number", bytes_per_number, 1)
    local = check_count("local_per_global", local_per_global)
    if bool(local) != (local_tokens is not None):
        raise ValueError(
            f"local_per_global is {local}, local_tokens {local_tokens}; expected both or neither"
        )
    global_layers = layers // (local + 1)
    kept = tokens if local_tokens is None else check_count("local_tokens", local_tokens, 1)
    return size * (global_layers * tokens + (layers - global_layers) * min(kept, tokens))


def _numbers_per_token(
    num_kv_heads: int | None, head_dim: int | None, d_latent: int | None, rotary_dim: int
) -> int:
    if d_latent is not None and num_kv_heads is None and head_dim is None:
        return check_count("d_latent", d_latent, 1) + check_count("rotary_dim", rotary_dim)
    if num_kv_heads is None or head_dim is None or d_latent is not None or rotary_dim:
        raise ValueError(
            f"num_kv_heads is {num_kv_heads}, head_dim {head_dim}, d_latent {d_latent}, rotary_dim "
            f"{rotary_dim}; expected the first two, or the last two"
        )
    return 2 * check_count("num_kv_heads", num_kv_heads, 1) * check_count("head_dim", head_dim, 1)
