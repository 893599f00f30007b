"""What `attn` offers, how it is documented, and what importing it brings along."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from everywhere import modules

import attn
import attn.torch


def public(module: ModuleType) -> list[str]:
    """Return the names that a reader sees, submodules left out."""
    members = inspect.getmembers(module, lambda member: not inspect.ismodule(member))
    return sorted(name for name, _ in members if not name.startswith("_"))


@modules
def test_all_is_every_public_name(module: ModuleType) -> None:
    assert module.__all__ == public(module)
    assert set(attn.__all__) <= set(module.__all__)


@modules
def test_the_page_of_the_library_has_every_name_once_a_class_as_a_class(module: ModuleType) -> None:
    page = Path(__file__).resolve().parents[2] / "book" / "api.md"
    _, *parts = re.split(r"\.\. currentmodule:: (\S+)", page.read_text(encoding="utf-8"))
    of_module = dict(zip(parts[::2], parts[1::2], strict=True))[module.__name__]
    listed = re.findall(r"\.\. auto(\w+):: (\w+)", of_module)
    assert sorted(name for _, name in listed) == module.__all__
    for kind, name in listed:
        assert kind == ("class" if inspect.isclass(getattr(module, name)) else "function"), name


MEMBERS = [getattr(module, name) for module in (attn, attn.torch) for name in module.__all__]


@pytest.mark.parametrize("member", MEMBERS, ids=lambda m: f"{m.__module__}.{m.__name__}")
def test_documented_in_full(member: Any) -> None:
    """The docstring has its sections, and a type and a word for each parameter."""
    text = inspect.getdoc(member) or ""
    assert text.split("\n")[0].endswith((".", ":", ":math:`")) or ":math:" in text
    assert "Examples\n--------\n>>> " in text
    call = member.__init__ if inspect.isclass(member) else member
    if inspect.isclass(member) and "__init__" not in vars(member):
        return
    parameters = [p for p in inspect.signature(call).parameters.values() if p.name != "self"]
    for parameter in parameters:
        assert parameter.annotation is not inspect.Parameter.empty, parameter.name
        assert parameter.name in text, f"{parameter.name} is not in the docstring"
    if not inspect.isclass(member):
        assert inspect.signature(member).return_annotation is not inspect.Signature.empty
        assert "Returns\n-------\n" in text


@pytest.mark.parametrize("name", [n for n in attn.__all__ if not n[0].isupper()])
def test_parameters_in_torch_are_those_of_numpy(name: str) -> None:
    here = inspect.signature(getattr(attn.torch, name)).parameters
    there = inspect.signature(getattr(attn, name)).parameters
    extra = {"dtype", "device", "return_log_prob", "return_choice", "rng", "generator"}
    assert [p for p in here if p not in extra] == [p for p in there if p not in extra]


#: A layer prints the sizes it was made with, so that it can be made again.
REPRS = {
    "attn.AdditiveScore(5, 7, 3)": "AdditiveScore(d_query=5, d_key=7, d_hidden=3)",
    "attn.AxialPositions((2, 3), (4, 5))": (
        "AxialPositions(shape=(2, 3), dims=(4, 5), order='row_major')"
    ),
    "attn.MultiHeadAttention(50, 3, 16, d_key=11, bias=False)": (
        "MultiHeadAttention(d_model=50, num_heads=3, head_dim=16, d_key=11, d_value=11, "
        "num_kv_heads=3, bias=False)"
    ),
    "attn.MultiHeadAttention(6, 2, sink=True, qk_norm=True, gate='head', soft_cap=5)": (
        "MultiHeadAttention(d_model=6, num_heads=2, head_dim=3, d_key=6, d_value=6, "
        "num_kv_heads=2, bias=True, sink=True, qk_norm=True, gate='head', soft_cap=5.0)"
    ),
    "attn.MultiHeadLatentAttention(6, 2, 5, rotary_dim=4)": (
        "MultiHeadLatentAttention(d_model=6, num_heads=2, d_latent=5, head_dim=3, rotary_dim=4)"
    ),
    "attn.LinearAttentionState()": "LinearAttentionState(num_tokens=0)",
    "attn.KeyValueCache()": "KeyValueCache(num_tokens=0)",
}


@pytest.mark.parametrize("call", REPRS)
def test_a_layer_says_how_it_was_made(call: str) -> None:
    assert repr(eval(call)) == REPRS[call]
    if "num_tokens" not in REPRS[call]:
        assert repr(eval(REPRS[call], vars(attn))) == REPRS[call]
    of_torch = repr(eval(call.replace("attn", "attn.torch", 1)))
    if "Axial" not in call:  # its tables follow, one a line
        assert of_torch == REPRS[call]


def test_import_needs_numpy_only() -> None:
    code = (
        "import sys, attn; tops = {name.partition('.')[0] for name in sys.modules};"
        "print(sorted(tops - set(sys.stdlib_module_names) - {'numpy', 'attn', '__main__'}))"
    )
    # -S: without site-packages' own start-up files, which import on their own.
    paths = [str(Path(module.__file__ or "").parents[1]) for module in (attn, np)]
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {paths!r}; {code}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.strip() == "[]"
