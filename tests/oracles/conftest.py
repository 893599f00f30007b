"""Libraries that readers need not install: `make verify` runs these tests where they are.

In the main environment there is nothing to collect here. In `.venv-oracles` a missing package
leaves no tests, which pytest reports as a failure.
"""

from __future__ import annotations

import os
from importlib.util import find_spec

import pytest

os.environ.setdefault("KERAS_BACKEND", "torch")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

if any(find_spec(name) is None for name in ("jax", "keras", "transformers")):
    collect_ignore_glob = ["test_*.py"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark them heavy, and leave it to their authors what those libraries warn about."""
    for item in items:
        if "oracles" in item.path.parts:
            item.add_marker(pytest.mark.heavy)
            item.add_marker(pytest.mark.filterwarnings("ignore"))
