"""What is compared: our mechanisms and their peers, on the same numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch.nn import functional

import attn
from attn import fast, formulas

Run = Callable[[], Any]
HEADS, WIDTH, WINDOW = 8, 64, 128


@dataclass
class Case:
    """Peers that compute the same; ``minus`` maps a peer to another whose time is subtracted."""

    peers: dict[str, Run]
    same: tuple[str, ...] = ()
    minus: dict[str, str] = field(default_factory=dict)
    #: Peers whose heads stand apart, and are merged before results are compared.
    apart: tuple[str, ...] = ()


def numbers(*shape: int, seed: int = 0) -> np.ndarray:
    """Return standard normal float32 numbers."""
    return np.random.default_rng(seed).standard_normal(size=shape, dtype=np.float32)


def dense(tokens: int) -> Case:
    """Return full attention of (1, 8, tokens, 64)."""
    arrays = [numbers(1, HEADS, tokens, WIDTH, seed=seed) for seed in range(3)]
    query, key, value = (torch.from_numpy(array) for array in arrays)
    peers: dict[str, Run] = {
        "torch SDPA": lambda: functional.scaled_dot_product_attention(query, key, value),
        "scaled_dot_product_attention": lambda: attn.scaled_dot_product_attention(*arrays),
        "blockwise": lambda: attn.blockwise_attention(*arrays),
        "blockwise, causal": lambda: attn.blockwise_attention(*arrays, causal=True),
        "blockwise, running maximum": lambda: running_maximum(*arrays),
    }
    if tokens <= 2048:  # beyond, they need several GiB
        peers["with weights"] = lambda: attn.scaled_dot_product_attention(
            *arrays, return_weights=True
        )
        peers["torch, as the formula reads"] = lambda: formula_in_torch(query, key, value)
        peers["NumPy, as the formula reads"] = lambda: formula_in_numpy(*arrays)
    ours = ("scaled_dot_product_attention", "blockwise", "blockwise, running maximum")
    return Case(peers, same=("torch SDPA", *ours))


def small(tokens: int) -> Case:
    """Return a thousand calls with 3 queries of width 5: mostly what each call costs in Python."""
    arrays = [
        numbers(count, 5, seed=seed).astype(np.float64)
        for seed, count in enumerate((3, tokens, tokens))
    ]
    peers: dict[str, Run] = {
        "NumPy, as the formula reads": lambda: formula_in_numpy(*arrays),
        "scaled_dot_product_attention": lambda: attn.scaled_dot_product_attention(*arrays),
    }
    often = {name: lambda run=run: [run() for _ in range(1000)][-1] for name, run in peers.items()}
    return Case(often, same=tuple(often))


def formula_in_torch(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    """Return attention in three lines of torch."""
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    return torch.softmax(scores, dim=-1) @ value


def formula_in_numpy(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Return attention as many write it: np.sqrt makes it float64 without being asked."""
    scores = query @ key.swapaxes(-1, -2) / np.sqrt(query.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ value


def running_maximum(*arrays: np.ndarray) -> np.ndarray:
    """Return attention in blocks on the path for scores of any size."""
    original, fast.needs_no_max = fast.needs_no_max, lambda *_: False
    try:
        return attn.blockwise_attention(*arrays)
    finally:
        fast.needs_no_max = original


def backward(tokens: int) -> Case:
    """Return forward and backward passes in torch."""
    parts = [torch.from_numpy(numbers(1, HEADS, tokens, WIDTH, seed=s)) for s in range(3)]
    leaves = [part.requires_grad_() for part in parts]

    def train(attend: Callable[..., torch.Tensor]) -> torch.Tensor:
        output = attend(*leaves)
        return torch.autograd.grad(output.sum(), leaves)[0]

    return Case(
        {
            "torch SDPA": lambda: train(functional.scaled_dot_product_attention),
            "attn.torch": lambda: train(attn.scaled_dot_product_attention),
        },
        same=("torch SDPA", "attn.torch"),
    )


def local(tokens: int) -> Case:
    """Return a window of 128 to each side, 4 heads of 64, beside Longformer's layer."""
    from transformers import LongformerConfig
    from transformers.models.longformer.modeling_longformer import LongformerSelfAttention

    torch.manual_seed(0)
    config = LongformerConfig(
        attention_window=[2 * WINDOW],
        hidden_size=4 * WIDTH,
        num_attention_heads=4,
        attention_probs_dropout_prob=0.0,
    )
    layer, x = LongformerSelfAttention(config, 0).eval(), torch.randn(1, tokens, 4 * WIDTH)
    projections = [layer.query, layer.key, layer.value]
    arrays = projected(projections, x, 4)
    tensors = [torch.from_numpy(array) for array in arrays]
    nothing = torch.zeros(1, tokens)
    masks = {"is_index_masked": nothing < 0, "is_index_global_attn": nothing > 0}
    peers: dict[str, Run] = {
        "HF Longformer": lambda: layer(x, attention_mask=nothing, is_global_attn=False, **masks)[0],
        "its projections": lambda: [project(x) for project in projections],
        "sliding_window_attention": lambda: attn.sliding_window_attention(*arrays, window=WINDOW),
        "attn.torch": lambda: attn.sliding_window_attention(*tensors, window=WINDOW),
    }
    try:
        from local_attention import LocalAttention
    except ImportError:
        pass
    else:
        # Its window is a block that also sees the blocks beside it: more pairs than ours.
        other = LocalAttention(
            WINDOW, look_backward=1, look_forward=1, use_rotary_pos_emb=False, autopad=True
        )
        peers["local-attention (PyPI)"] = lambda: other(*tensors)
    same = ("HF Longformer", "sliding_window_attention", "attn.torch")
    return Case(peers, same, {"HF Longformer": "its projections"}, same[1:])


def lsh(tokens: int) -> Case:
    """Return LSH attention, 2 heads of 64, 4 rounds, chunks of 64, beside Reformer's layer."""
    from transformers import ReformerConfig
    from transformers.models.reformer.modeling_reformer import LSHSelfAttention

    torch.manual_seed(0)
    factors = bucket_factors(2 * tokens // 64)
    config = ReformerConfig(
        num_attention_heads=2,
        attention_head_size=WIDTH,
        hidden_size=2 * WIDTH,
        attn_layers=["lsh"],
        num_hashes=4,
        num_buckets=factors,
        lsh_attn_chunk_length=64,
        hash_seed=7,
        lsh_attention_probs_dropout_prob=0.0,
        axial_pos_embds=False,
    )
    layer, x = LSHSelfAttention(config).eval(), torch.randn(1, tokens, 2 * WIDTH)
    projections = [layer.query_key, layer.value]
    arrays = projected(projections, x, 2)
    tensors = [torch.from_numpy(array) for array in arrays]
    torch.manual_seed(7)
    rotations = torch.randn(2, WIDTH, 4, sum(factors) // 2).numpy()
    options: dict[str, Any] = {"num_buckets": factors, "num_hashes": 4, "chunk_length": 64}
    options["rotations"] = rotations
    peers: dict[str, Run] = {
        "HF Reformer": lambda: layer(x)[0],
        "its projections": lambda: [project(x) for project in projections],
        "lsh_attention": lambda: attn.lsh_attention(*arrays, **options),
        "attn.torch": lambda: attn.lsh_attention(*tensors, **options),
    }
    same = ("HF Reformer", "lsh_attention", "attn.torch")
    return Case(peers, same, {"HF Reformer": "its projections"}, same[1:])


def additive_scores(tokens: int) -> Case:
    """Return additive scores of width 128: as the formula reads, and in blocks."""
    parts = numbers(tokens, 128), numbers(tokens, 128, seed=1), numbers(128, seed=2)
    return Case(
        {
            "as the formula reads": lambda: formulas.additive_scores(*parts),
            "in blocks": lambda: fast.additive_scores(*parts),
        },
        same=("as the formula reads", "in blocks"),
    )


def bucket_factors(buckets: int) -> list[int]:
    """Return two even factors of a power of two, as equal as can be."""
    power = buckets.bit_length() - 1
    return [2 ** (power // 2), 2 ** (power - power // 2)]


def projected(projections: list[Any], x: torch.Tensor, heads: int) -> list[np.ndarray]:
    """Return what the layer's own attention starts from, in contiguous heads."""
    with torch.no_grad():
        parts = [project(x).numpy() for project in projections]
    return [np.ascontiguousarray(attn.split_heads(part, heads)) for part in parts]
