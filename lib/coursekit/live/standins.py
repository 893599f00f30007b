"""Modules that a notebook has and a page lacks, as far as cells of a book use them.

`install` has a stand-in imported for IPython, and one for Matplotlib and cycler, where they are not
installed.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

from coursekit.live import display
from coursekit.live.undrawn import FINDER, Drawing


def install(show: Callable[[Any], None]) -> None:
    """Put the stand-ins in place; ``show`` adds a value to the running cell's output."""
    if _is_absent("IPython"):
        sys.modules.update(_ipython(show))
    if FINDER not in sys.meta_path and _is_absent("matplotlib"):
        sys.meta_path.insert(0, FINDER)
        sys.modules["cycler"] = _module("cycler", cycler=Drawing)


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
    )
    root = _module("IPython", get_ipython=lambda: shell, display=shown)
    inline = _module("matplotlib_inline.backend_inline", set_matplotlib_formats=lambda *_: None)
    return {
        "IPython": root,
        "IPython.display": shown,
        "matplotlib_inline": _module("matplotlib_inline", backend_inline=inline),
        "matplotlib_inline.backend_inline": inline,
    }
