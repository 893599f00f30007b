"""The Sphinx side of the course: exercises in the page, and the build of the site."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the ``{exercise}`` and ``{progress}`` directives with Sphinx."""
    # Imported here, so that the build's other modules do not need Sphinx.
    from coursekit.site import directive, progress

    directive.register(app)
    progress.register(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": 1}
