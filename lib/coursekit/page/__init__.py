"""Put exercises into a page: a Sphinx extension, and data for ``coursekit/browser``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives with Sphinx: exercises, figures, the path, routes, cards, numbers."""
    # Imported here: what a page may know of an exercise can be asked without Sphinx.
    from coursekit.page import (
        cards,
        cells,
        deeper,
        deferred,
        directive,
        figure,
        finale,
        path,
        progress,
        quoted,
        routes,
        times,
    )

    directive.register(app)
    figure.register(app)
    finale.register(app)
    progress.register(app)
    path.register(app)
    routes.register(app)
    times.register(app)
    deeper.register(app)
    cards.register(app)
    deferred.register(app)
    cells.register(app)
    quoted.register(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": 10}
