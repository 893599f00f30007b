"""A user under `mypy --strict`: no untyped name, and a type for every `return_weights`."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

pytest.importorskip("mypy")  # not where NumPy is alone

USER = """\
import numpy as np

import attn

x = np.ones((2, 6, 8), np.float32)
flag = bool(x[0, 0, 0])
mask = attn.padding_mask([4, 6], 6) & attn.causal_mask(6, 6)
layer = attn.MultiHeadAttention(8, num_heads=2, rng=0)
same = attn.MultiHeadAttention.from_parameters(layer.parameters(), num_heads=2)
score = attn.AdditiveScore(8, 8, 5, rng=0)
cache = attn.KeyValueCache()
keys, values = cache.append(x, x)
version: str = attn.__version__

array: tuple[int, ...] = attn.scaled_dot_product_attention(x, x, x, mask=mask).shape
array = attn.rotary(x, layout="half_split").shape
array = attn.attention_weights(x, x, score=score, mask=mask).shape
array = attn.blockwise_attention(x, x, x, causal=True).shape
array = attn.sliding_window_attention(x, x, x, window=1, global_tokens=[0]).shape
array = attn.softmax(attn.dot_score(x, x) + attn.alibi_bias(1, 6, 6)).shape
array = (x + attn.AxialPositions((2, 3), (4, 4))()).shape

reveal_type(attn.scaled_dot_product_attention(x, x, x))
reveal_type(attn.scaled_dot_product_attention(x, x, x, return_weights=True, mask=mask))
reveal_type(attn.scaled_dot_product_attention(x, x, x, return_weights=flag))
reveal_type(attn.grouped_query_attention(x, x, x))
reveal_type(attn.grouped_query_attention(x, x, x, return_weights=True, causal=True))
reveal_type(attn.predictive_local_attention(x, x, x, centers=[1.0], window=1))
reveal_type(attn.predictive_local_attention(x, x, x, centers=[1.0], window=1, return_weights=True))
reveal_type(attn.hard_attention(x, x, x, rng=0))
reveal_type(attn.hard_attention(x, x, x, rng=0, return_choice=True, bias=None))
reveal_type(same(x))
reveal_type(same(x, x, mask=mask, return_weights=True))
reveal_type(same(x, return_weights=flag))
"""

TORCH = """\
import torch
from torch import Tensor

import attn
from attn import torch as attn_torch

x = torch.ones(2, 6, 8)
flag = bool(x[0, 0, 0])
generator = torch.Generator().manual_seed(0)
mask = attn.padding_mask(torch.tensor([4, 6]), 6)
layer = attn_torch.MultiHeadAttention(8, 2, generator=generator)
same = attn_torch.MultiHeadAttention.from_parameters(layer.to_numpy(), num_heads=2)
encoder, decoder = attn_torch.Encoder(2, 8, 2), attn_torch.Decoder(2, 8, 2)
model = attn_torch.Transformer(8, 2, src_vocab_size=11, tgt_vocab_size=7)
tensor: Tensor = attn.rotary(attn.sliding_window_attention(x, x, x, window=1))

reveal_type(attn.scaled_dot_product_attention(x, x, x))
reveal_type(attn.scaled_dot_product_attention(x, x, x, return_weights=True, mask=mask))
reveal_type(attn.scaled_dot_product_attention(x, x, x, return_weights=flag))
reveal_type(attn.grouped_query_attention(x, x, x))
reveal_type(attn.grouped_query_attention(x, x, x, return_weights=True))
reveal_type(attn.predictive_local_attention(x, x, x, centers=[1.0], window=1))
reveal_type(attn.predictive_local_attention(x, x, x, centers=[1.0], window=1, return_weights=True))
reveal_type(attn.hard_attention(x, x, x, rng=generator))
reveal_type(attn.hard_attention(x, x, x, return_log_prob=True))
reveal_type(same(x))
reveal_type(same(x, x, mask=mask, return_weights=True))
reveal_type(same(x, return_weights=flag))
reveal_type(encoder(x))
reveal_type(encoder(x, return_weights=True))
reveal_type(decoder(x, x))
reveal_type(decoder(x, x, return_weights=True, memory_mask=mask))
reveal_type(encoder.layers)
reveal_type(attn_torch.EncoderLayer(8, 2)(x, return_weights=True))
reveal_type(attn_torch.DecoderLayer(8, 2)(x, x, return_weights=True))
reveal_type(attn_torch.DecoderLayer(8, 2)(x, x))
"""

WRONG = """\
import numpy as np

import attn

x = np.ones((6, 8))
attn.scaled_dot_product_attention(x, x, x, attn_mask=None)
attn.rotary(x, layout="neox")
attn.MultiHeadAttention(8, "two")
"""


def mypy(tmp_path: Path, files: dict[str, str]) -> dict[str, list[str]]:
    """Return the lines that mypy prints about each of a user's files; one run reads them all."""
    for name, code in files.items():
        (tmp_path / name).write_text(code, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", "cache", *files]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    return {name: [line for line in lines if line.startswith(f"{name}:")] for name in files}


def revealed(lines: list[str]) -> list[str]:
    """Return the revealed types: A for an array, T for a tensor."""
    types = re.findall(r'Revealed type is "(.*)"', "\n".join(lines))
    types = [re.sub(r"numpy\.ndarray\[(?:[^][]|\[[^][]*\])*\]", "A", kind) for kind in types]
    return [
        kind.replace("torch._tensor.Tensor", "T").replace("builtins.", "").replace("Tuple", "tuple")
        for kind in types
    ]


def test_users_see_types_and_mistakes(tmp_path: Path) -> None:
    files = {"arrays.py": USER, "wrong.py": WRONG}
    if find_spec("torch"):
        files["tensors.py"] = TORCH
    told = mypy(tmp_path, files)
    errors = [line.partition(": error: ") for line in told.pop("wrong.py") if "error:" in line]
    assert {place for place, _, _ in errors} == {f"wrong.py:{n}" for n in (6, 7, 8)}
    assert not [line for lines in told.values() for line in lines if "error:" in line]
    both, either = "tuple[A, A]", "A | tuple[A, A]"
    seen = ["A", both, either, *["A", both] * 4, either]
    assert revealed(told["arrays.py"]) == seen
    if "tensors.py" in told:
        models = ["A", "tuple[A, list[A]]", "A", "tuple[A, list[dict[str, A]]]"]
        layers = ["torch.nn.modules.container.ModuleList", both, "tuple[A, dict[str, A]]", "A"]
        of_tensors = [kind.replace("A", "T") for kind in [*seen, *models]]
        layers = [kind.replace("A", "T") if "torch" not in kind else kind for kind in layers]
        assert revealed(told["tensors.py"]) == [*of_tensors, *layers]
