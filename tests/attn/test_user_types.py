"""A user under `mypy --strict`: no untyped name, and a type for every `return_weights`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy")  # not where NumPy is alone

USER = """\
import numpy as np
import torch
from torch import Tensor

import attn
from attn import torch as attn_torch

x, t = np.ones((2, 6, 8), np.float32), torch.ones(2, 6, 8)
flag = bool(x[0, 0, 0])
mask = attn.padding_mask([4, 6], 6) & attn.causal_mask(6, 6)
shown = attn_torch.padding_mask(torch.tensor([4, 6]), 6)
layer = attn.MultiHeadAttention(8, num_heads=2, rng=0)
same = attn.MultiHeadAttention.from_parameters(layer.parameters(), num_heads=2)
module = attn_torch.MultiHeadAttention.from_parameters(layer.parameters(), num_heads=2)
encoder, decoder = attn_torch.Encoder(2, 8, 2), attn_torch.Decoder(2, 8, 2)
model = attn_torch.Transformer(8, 2, src_vocab_size=11, tgt_vocab_size=7)
score = attn.AdditiveScore(8, 8, 5, rng=0)
keys, values = attn.KeyValueCache().append(x, x)
version: str = attn.__version__

array: tuple[int, ...] = attn.rotary(x, layout="half_split").shape
array = attn.attention_weights(x, x, score=score, mask=mask).shape
array = attn.blockwise_attention(x, x, x, is_causal=True).shape
array = attn.local_attention(x, x, x, window=1, global_tokens=[0]).shape
array = attn.softmax(attn.dot_score(x, x) + attn.alibi_bias(1, 6, 6)).shape
array = (x + attn.AxialPositions((2, 3), (4, 4))()).shape
tensor: Tensor = attn_torch.rotary(attn_torch.local_attention(t, t, t, window=1))

reveal_type(attn.scaled_dot_product_attention(x, x, x))
reveal_type(attn.scaled_dot_product_attention(x, x, x, return_weights=True, mask=mask))
reveal_type(attn.scaled_dot_product_attention(x, x, x, return_weights=flag))
reveal_type(attn.grouped_query_attention(x, x, x))
reveal_type(attn.grouped_query_attention(x, x, x, return_weights=True, is_causal=True))
reveal_type(attn.centered_attention(x, x, x, centers=[1.0], window=1))
reveal_type(attn.centered_attention(x, x, x, centers=[1.0], window=1, return_weights=True))
reveal_type(attn.hard_attention(x, x, x, rng=0))
reveal_type(attn.hard_attention(x, x, x, rng=0, return_choice=True, bias=None))
reveal_type(same(x))
reveal_type(same(x, x, mask=mask, return_weights=True))
reveal_type(same(x, return_weights=flag))
reveal_type(attn_torch.scaled_dot_product_attention(t, t, t))
reveal_type(attn_torch.scaled_dot_product_attention(t, t, t, return_weights=True, mask=shown))
reveal_type(attn_torch.scaled_dot_product_attention(t, t, t, return_weights=flag))
reveal_type(attn_torch.grouped_query_attention(t, t, t))
reveal_type(attn_torch.grouped_query_attention(t, t, t, return_weights=True))
reveal_type(attn_torch.centered_attention(t, t, t, centers=[1.0], window=1))
reveal_type(attn_torch.centered_attention(t, t, t, centers=[1.0], window=1, return_weights=True))
reveal_type(attn_torch.hard_attention(t, t, t, generator=torch.Generator()))
reveal_type(attn_torch.hard_attention(t, t, t, return_log_prob=True))
reveal_type(module(t))
reveal_type(module(t, t, mask=shown, return_weights=True))
reveal_type(module(t, return_weights=flag))
reveal_type(encoder(t))
reveal_type(encoder(t, return_weights=True))
reveal_type(decoder(t, t))
reveal_type(decoder(t, t, return_weights=True, memory_mask=shown))
reveal_type(attn_torch.EncoderLayer(8, 2)(t, return_weights=True))
reveal_type(attn_torch.DecoderLayer(8, 2)(t, t, return_weights=True))
reveal_type(attn_torch.DecoderLayer(8, 2)(t, t))

attn.scaled_dot_product_attention(x, x, x, attn_mask=None)
attn.rotary(x, layout="neox")
attn.MultiHeadAttention(8, "two")
"""


def mypy(tmp_path: Path, code: str) -> list[str]:
    """Return the lines that mypy prints about a user's file."""
    (tmp_path / "user.py").write_text(code, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", "cache", "user.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout.splitlines()


def revealed(lines: list[str]) -> list[str]:
    """Return the revealed types: A for an array, T for a tensor."""
    types = re.findall(r'Revealed type is "(.*)"', "\n".join(lines))
    types = [re.sub(r"numpy\.ndarray\[(?:[^][]|\[[^][]*\])*\]", "A", kind) for kind in types]
    return [
        kind.replace("torch._tensor.Tensor", "T").replace("builtins.", "").replace("Tuple", "tuple")
        for kind in types
    ]


def test_a_user_s_types(tmp_path: Path) -> None:
    lines = mypy(tmp_path, USER)
    shown = []
    for one in ("A", "T"):
        both, either = f"tuple[{one}, {one}]", f"{one} | tuple[{one}, {one}]"
        shown += [one, both, either, *[one, both] * 4, either]
    shown += ["T", "tuple[T, list[T]]", "T", "tuple[T, list[dict[str, T]]]"]
    assert revealed(lines) == [*shown, "tuple[T, T]", "tuple[T, dict[str, T]]", "T"]
    errors = [line.partition(": error: ")[0] for line in lines if "error:" in line]
    last = len(USER.splitlines())
    assert {*errors} == {f"user.py:{n}" for n in (last - 2, last - 1, last)}
