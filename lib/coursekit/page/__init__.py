"""Exercises in a page: a Sphinx extension, and the data for the scripts in ``coursekit/web``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives with Sphinx: exercises, figures, the path, routes, cards."""
    # Imported here: what a page may know of an exercise can be asked without Sphinx.
    from coursekit.page import (
        cards,
        cells,
        deeper,
        directive,
        figure,
        later,
        path,
        progress,
        quoted,
        routes,
    )

    directive.register(app)
    figure.register(app)
    progress.register(app)
    path.register(app)
    quoted.register(app)
    routes.register(app)
    deeper.register(app)
    cards.register(app)
    later.register(app)
    cells.register(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": 6}
