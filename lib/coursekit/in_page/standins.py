"""Stand in for modules that a notebook has and a page lacks, as far as books' cells use them.

`install` puts a stand-in into ``sys.modules`` for each of IPython, Matplotlib and cycler that is
not installed; one that is stays.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

from coursekit.in_page import display
from coursekit.in_page.figures import Axes, Figure, items, pyplot


def install(show: Callable[[Any], None]) -> None:
    """Put the stand-ins in place; ``show`` adds a value to the running cell's output."""
    for root, make in (("IPython", _ipython), ("matplotlib", _matplotlib), ("cycler", _cycler)):
        if _is_absent(root):
            sys.modules.update(make(show))


def _is_absent(name: str) -> bool:
    present = sys.modules.get(name)
    if present is not None:
        return hasattr(present, "is_standin")
    return importlib.util.find_spec(name) is None


def _module(name: str, **content: Any) -> ModuleType:
    made = ModuleType(name)
    # A package, so that `import name.part` looks into sys.modules for the part.
    made.__dict__.update(content, __path__=[], is_standin=True)
    return made


def _ipython(show: Callable[[Any], None]) -> dict[str, ModuleType]:
    formatter = SimpleNamespace(for_type=display.show_type_as)
    shell = SimpleNamespace(
        display_formatter=SimpleNamespace(formatters={"text/html": formatter}),
        register_magic_function=lambda *_, **__: None,
    )

    def display_all(*values: Any, **_: Any) -> None:
        for value in values:
            show(value)

    shown = _module(
        "IPython.display",
        display=display_all,
        HTML=display.HTML,
        Markdown=display.Markdown,
        Code=display.Code,
        Image=display.Image,
    )
    root = _module("IPython", get_ipython=lambda: shell, display=shown)
    inline = _module("matplotlib_inline.backend_inline", set_matplotlib_formats=lambda *_: None)
    return {
        "IPython": root,
        "IPython.display": shown,
        "matplotlib_inline": _module("matplotlib_inline", backend_inline=inline),
        "matplotlib_inline.backend_inline": inline,
    }


def _locator(nbins: int = 10, **options: Any) -> SimpleNamespace:
    return SimpleNamespace(nbins=nbins, **options)


def _matplotlib(show: Callable[[Any], None]) -> dict[str, ModuleType]:
    def show_waiting(**_: Any) -> None:
        waiting, pyplot.waiting = pyplot.waiting, []
        for figure in waiting:
            show(figure)

    pyplot.show = show_waiting
    parts: dict[str, Any] = {
        "figure": _module("matplotlib.figure", Figure=Figure),
        "axes": _module("matplotlib.axes", Axes=Axes),
        "patches": _module("matplotlib.patches", Rectangle=items.rectangle, Circle=items.circle),
        "ticker": _module("matplotlib.ticker", MaxNLocator=_locator),
        "pyplot": pyplot,
    }
    root = _module("matplotlib", rcParams={}, **parts)
    return {"matplotlib": root} | {f"matplotlib.{name}": part for name, part in parts.items()}


class _Cycle:
    """The sum of cycles: styles are asked for, but these figures have their own."""

    def __add__(self, other: _Cycle) -> _Cycle:
        return self


def _cycler(show: Callable[[Any], None]) -> dict[str, ModuleType]:
    return {"cycler": _module("cycler", cycler=lambda *_, **__: _Cycle())}
