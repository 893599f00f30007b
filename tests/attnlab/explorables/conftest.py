"""The run that a writer begins with, made once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from attnlab.explorables import Writer


@pytest.fixture(scope="session", autouse=True)
def _recorded_once() -> Iterator[None]:
    """Compute the run that a writer begins with once: it takes seconds."""
    recording, made = Writer.recording, dict[str, Any]()

    def once(self: Writer) -> dict[str, Any]:
        told = json.dumps(self.beginnings[0])
        if told not in made:
            made[told] = recording(self)
        return deepcopy(made[told])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Writer, "recording", once)
        yield
