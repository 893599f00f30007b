"""A user under `mypy --strict`: no untyped name, and a type for every `return_weights`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy")  # not where NumPy is alone

#: Kept: types of NumPy and torch take mypy a minute to read.
CACHE = Path(__file__).resolve().parents[2] / ".mypy_cache" / "user"
#: Stands before all.
COMMON = """\
from typing import Any, TypeAlias, assert_type

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

import attn
from attn import torch as attn_torch

flag = bool(np.ones(1)[0])
"""
#: The same in both modules, M: x_M is an array or a tensor, A_M its type.
BOTH = """
Pair_M: TypeAlias = tuple[A_M, A_M]
mask_M = M.padding_mask([4, 6], 6) & M.causal_mask(6, 6)
layer_M = M.MultiHeadAttention.from_parameters(attn.MultiHeadAttention(8, 2).parameters(), 2)
assert_type(M.scaled_dot_product_attention(x_M, x_M, x_M), A_M)
assert_type(M.scaled_dot_product_attention(x_M, x_M, x_M, return_weights=True, mask=mask_M), Pair_M)
assert_type(M.scaled_dot_product_attention(x_M, x_M, x_M, return_weights=flag), A_M | Pair_M)
assert_type(M.grouped_query_attention(x_M, x_M, x_M), A_M)
assert_type(M.grouped_query_attention(x_M, x_M, x_M, return_weights=True, is_causal=True), Pair_M)
assert_type(M.centered_attention(x_M, x_M, x_M, centers=[1.0], window=1), A_M)
near_M = M.centered_attention(x_M, x_M, x_M, centers=[1.0], window=1, return_weights=True)
assert_type(near_M, Pair_M)
assert_type(layer_M(x_M), A_M)
assert_type(layer_M(x_M, x_M, mask=mask_M, return_weights=True), Pair_M)
assert_type(layer_M(x_M, return_weights=flag), A_M | Pair_M)
assert_type(M.rotary(x_M, layout="half_split"), A_M)
assert_type(M.attention_weights(x_M, x_M, score=M.AdditiveScore(8, 8, 5), mask=mask_M), A_M)
assert_type(M.blockwise_attention(x_M, x_M, x_M, is_causal=True), A_M)
assert_type(M.local_attention(x_M, x_M, x_M, window=1, global_tokens=[0]), A_M)
assert_type(M.softmax(M.dot_score(x_M, x_M)), A_M)
assert_type(M.KeyValueCache().append(x_M, x_M), Pair_M)
"""
APART = """
encoder, decoder = attn_torch.Encoder(2, 8, 2), attn_torch.Decoder(2, 8, 2)
last = attn_torch.DecoderLayer(8, 2)
Seen: TypeAlias = dict[str, Tensor]
assert_type(attn.__version__, str)
assert_type(attn.hard_attention(x_attn, x_attn, x_attn, rng=0), A_attn)
assert_type(attn.hard_attention(x_attn, x_attn, x_attn, rng=0, return_choice=True), Pair_attn)
assert_type(attn_torch.hard_attention(t, t, t, generator=torch.Generator()), Tensor)
assert_type(attn_torch.hard_attention(t, t, t, return_log_prob=True), Pair_attn_torch)
assert_type(encoder(t), Tensor)
assert_type(encoder(t, return_weights=True), tuple[Tensor, list[Tensor]])
assert_type(decoder(t, t), Tensor)
written = decoder(t, t, return_weights=True, memory_mask=mask_attn_torch)
assert_type(written, tuple[Tensor, list[Seen]])
assert_type(attn_torch.EncoderLayer(8, 2)(t, return_weights=True), Pair_attn_torch)
assert_type(last(t, t, return_weights=True), tuple[Tensor, Seen])
assert_type(last(t, t), Tensor)
attn.scaled_dot_product_attention(x_attn, x_attn, x_attn, attn_mask=None)
attn.rotary(x_attn, layout="neox")
attn.MultiHeadAttention(8, "two")
"""


def test_a_user_s_types(tmp_path: Path) -> None:
    given = "\nA_attn: TypeAlias = NDArray[Any]\nx_attn = np.ones((2, 6, 8), np.float32)\n"
    given += "A_attn_torch: TypeAlias = Tensor\nx_attn_torch = t = torch.ones(2, 6, 8)\n"
    both = "".join(
        BOTH.replace("_M", f"_{module}").replace("M.", f"{module}.")
        for module in ("attn", "attn_torch")
    )
    code = COMMON + given + both + APART
    (tmp_path / "user.py").write_text(code, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(CACHE), "user.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    lines = [
        line.partition(": error: ")[0] for line in done.stdout.splitlines() if "error:" in line
    ]
    last = len(code.splitlines())
    assert {*lines} == {f"user.py:{n}" for n in (last - 2, last - 1, last)}, done.stdout
