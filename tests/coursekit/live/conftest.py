"""A Python without IPython and Matplotlib, as a page's is."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from coursekit.live import display, standins
from coursekit.live.undrawn import FINDER

ROOTS = ("IPython", "matplotlib", "matplotlib_inline", "cycler")


@pytest.fixture
def page_python(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have stand-ins take the place of what is installed here, and put that back."""
    before = {name: m for name, m in sys.modules.items() if name.partition(".")[0] in ROOTS}
    shown_as = dict(display._BY_TYPE)
    for name in before:
        del sys.modules[name]
    monkeypatch.setattr(standins, "_is_absent", lambda name: True)
    yield
    if FINDER in sys.meta_path:
        sys.meta_path.remove(FINDER)
    for name in [name for name in sys.modules if name.partition(".")[0] in ROOTS]:
        del sys.modules[name]
    sys.modules.update(before)
    display._BY_TYPE.clear()
    display._BY_TYPE.update(shown_as)
