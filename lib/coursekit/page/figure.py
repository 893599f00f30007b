"""``{explorable} NAME``: an interactive figure in a page that is not a notebook."""

from __future__ import annotations

import importlib
import inspect

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from coursekit.course import course_of
from coursekit.page.nodes import Part, part, refused


def explorable(env: BuildEnvironment, name: str, **state: object) -> Part:
    """Return an explorable of the course, as its class shows itself in HTML.

    Raises
    ------
    ValueError
        If the course has none of that name; the message names the module.
    """
    module = env.config.coursekit_explorables or course_of(env.srcdir).explorables
    try:
        figure = getattr(importlib.import_module(module), name)(**state)
    except (ImportError, AttributeError, ValueError):
        raise ValueError(f"{name!r}, which {module!r} does not have") from None
    for kind in type(figure).__mro__:
        if kind.__module__.startswith(module):
            env.note_dependency(inspect.getfile(kind))
    html = figure._repr_mimebundle_()
    html = html[0] if isinstance(html, tuple) else html
    raw = nodes.raw("", html["text/html"], format="html")
    return part("div", raw, classes=["ck-explorable"])


class ExplorableDirective(SphinxDirective):
    """``{explorable} NAME``: the figure in its first state; the content is its task."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the figure, or nothing after one clear error."""
        task = {"task": " ".join(self.content)} if self.content else {}
        try:
            return [explorable(self.env, self.arguments[0], **task)]
        except ValueError as error:
            return refused(self, f"explorable shows {error}")


def register(app: Sphinx) -> None:
    """Register the directive with Sphinx."""
    app.add_directive("explorable", ExplorableDirective)
