"""What the tests of attn share."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

# Tests import `reference`, the definitions one number at a time, from beside them.
sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def rng() -> np.random.Generator:
    """Return a generator that is the same in every run."""
    return np.random.default_rng(20170612)
