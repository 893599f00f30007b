"""What the tests of attn share."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

# Tests import `reference`, the definitions one number at a time, from beside them.
sys.path.insert(0, str(Path(__file__).parent))

settings.register_profile("attn", deadline=None, max_examples=50, derandomize=True)
settings.load_profile("attn")


@pytest.fixture
def rng() -> np.random.Generator:
    """Return a generator that is the same in every run."""
    return np.random.default_rng(20170612)
