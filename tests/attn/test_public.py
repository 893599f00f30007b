"""What `attn` offers, how it is documented, and what importing it brings along."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import attn


def public(module: ModuleType) -> list[str]:
    """Return the names that a reader sees, submodules left out."""
    members = inspect.getmembers(module, lambda member: not inspect.ismodule(member))
    return sorted(name for name, _ in members if not name.startswith("_"))


def test_all_is_every_public_name() -> None:
    assert attn.__all__ == public(attn)


@pytest.mark.parametrize("name", attn.__all__)
def test_documented_in_full(name: str) -> None:
    check_documented(getattr(attn, name))


def check_documented(member: Any) -> None:
    """Fail unless the docstring has its sections, and a type and a word for each parameter."""
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
