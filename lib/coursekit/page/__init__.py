"""Exercises in a page: a Sphinx extension, and the data for the scripts in ``coursekit/web``."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

#: The modules that register something, in this order.
_PARTS = (
    *("directive", "figure", "progress", "path", "quoted"),
    *("routes", "deeper", "cards", "later", "cells"),
)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives with Sphinx: exercises, figures, the path, routes, cards."""
    # Imported here: what a page may know of an exercise can be asked without Sphinx.
    for name in _PARTS:
        importlib.import_module(f"coursekit.page.{name}").register(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": 6}
