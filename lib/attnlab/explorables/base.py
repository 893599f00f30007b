"""What every explorable has: a state that is checked, and its element in a page."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from attnlab.drawing.text import escape
from attnlab.drawing.tokens import embedded_css
from attnlab.explorables import fields
from attnlab.explorables.fields import Host, field

_BUNDLES = Path(__file__).parent / "_dist"
_SHARED = ("task", "answers")

#: Said where nothing draws the figure: the pages of the site have a still of it.
WHERE = "It moves in the course’s pages and, where anywidget runs, in a notebook."
NOT_BUILT = "Its front end is not built. `make book` builds it."


class Explorable(Host):
    """Base of all explorables; a subclass in a folder of its own declares its fields and a check.

    Parameters
    ----------
    **state
        Values of the fields, which are checked. ``task`` is the sentence above the figure and
        ``answers`` the names whose values a button offers as Python code.

    Raises
    ------
    ValueError
        If a name is not a field or a value does not fit; the message says what was expected.
    """

    #: The front end; empty where it is not built.
    _esm: ClassVar[Any] = ""
    #: The custom element in a page.
    element: ClassVar[str]
    #: The fields in order, without those that all explorables share.
    names: ClassVar[tuple[str, ...]]
    #: Fields with their axes, as in ``"key(num_keys, d_k)"``: axes of one name are equally long.
    axes: ClassVar[str] = ""

    task = field(fields.text, "")
    answers = field(fields.words, [])

    def __init_subclass__(cls, **options: Any) -> None:
        # A widget's own class, which anywidget makes, declares none.
        if names := tuple(name for name, part in vars(cls).items() if hasattr(part, "clean")):
            folder = cls.__module__.rpartition(".")[2]
            built = _BUNDLES / f"{folder}.js"
            cls._esm = built.read_text("utf-8") if built.is_file() else ""
            cls.element, cls.names = f"attn-{folder.replace('_', '-')}", names
        super().__init_subclass__(**options)

    def __init__(self, **state: Any) -> None:
        for name in state:
            if name not in self.names + _SHARED:
                known = ", ".join(self.names + _SHARED)
                raise ValueError(f"{type(self).__name__} has no {name!r}; it has {known}")
        super().__init__(**state)
        for name in self.answers:
            if name not in self.names:
                raise ValueError(f"answers name {name!r}; expected of {', '.join(self.names)}")
        sizes: dict[str, int] = {}
        for name, axes in re.findall(r"(\w+)\((.*?)\)", self.axes):
            shape = np.shape(getattr(self, name))
            for axis, size in zip(axes.split(", "), shape, strict=True):
                if sizes.setdefault(axis, size) != size:
                    raise ValueError(f"{name} has shape {shape}; expected {axis} = {sizes[axis]}")
        self.check()

    def check(self) -> None:
        """Raise ValueError if the fields do not fit together."""

    def state(self) -> dict[str, Any]:
        """Return the current state as plain data."""
        return {name: getattr(self, name) for name in self.names}

    def html(self) -> str:
        """Return the explorable as the page's custom element; undrawn, it is a sentence."""
        state = self.state() | {name: getattr(self, name) for name in _SHARED}
        # The front end takes the whole state from this attribute; it has no defaults of its own.
        text = escape(json.dumps(state, ensure_ascii=False, separators=(",", ":")))
        kind = self.element.removeprefix("attn-")
        about, *_ = (inspect.getdoc(type(self)) or "").split("\n")  # a widget’s own class has none
        where = WHERE if str(self._esm) else NOT_BUILT
        return (
            f'{embedded_css()}<{self.element} data-explorable="{kind}" state="{text}">'
            f'<p class="attn-note">{escape(about)} {where}</p></{self.element}>'
        )

    def _repr_mimebundle_(self, **options: Any) -> Any:
        mimebundle = {"text/html": self.html(), "text/plain": repr(self)}
        if not fields.LIVE or not str(self._esm):
            return mimebundle
        live = super()._repr_mimebundle_(**options)
        data, metadata = live if isinstance(live, tuple) else (live or {}, {})
        return {**data, **mimebundle}, metadata

    def __repr__(self) -> str:
        state = ", ".join(f"{name}={value!r}" for name, value in self.state().items())
        return f"{type(self).__name__}({state})"
