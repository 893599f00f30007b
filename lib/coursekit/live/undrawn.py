"""Stands for Matplotlib where it is not: takes every use of it and draws nothing.

A cell that draws so runs to its end, with all else that it computes and prints. Its figure is drawn
in the notebook, and a page keeps the one that the book printed.
"""

from __future__ import annotations

import contextlib
import dis
import importlib
import sys
from collections import defaultdict
from collections.abc import Iterator
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from operator import length_hint
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

#: Is in what a figure is saved as: a page leaves out the output that it stands in.
MARK = "ck-undrawn"
_PICTURE = f'<svg xmlns="http://www.w3.org/2000/svg" class="{MARK}" width="0pt" height="0pt"/>'


def _attribute(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    return Drawing if name[0].isupper() else Drawing()


class _Class(type):
    def __getattr__(cls, name: str) -> Any:  # such as Path.MOVETO
        return _attribute(name)


class Drawing(float, metaclass=_Class):
    """A figure, axes, a line, a number of theirs: anything that is asked of it is one again."""

    used = False  # whether anything has been called
    _count = 2  # as an axis has ends
    __eq__, __hash__ = object.__eq__, object.__hash__  # each axes may be a key

    def __new__(cls, *_: Any, **__: Any) -> Drawing:
        """Take what any class of Matplotlib takes."""
        return super().__new__(cls, 1.0)

    def __call__(self, *args: Any, **_: Any) -> Drawing:
        """Return what a function or a class makes: as many as it is given first."""
        Drawing.used = True
        made = Drawing()
        made._count = length_hint(args[0], 2) if args else 2
        return made

    def __getattr__(self, name: str) -> Any:
        return _attribute(name)

    def __iter__(self) -> Iterator[Drawing]:
        frame = sys._getframe(1)
        asked = [  # `counts, edges, bars = ax.hist(x)` asks for three
            each.arg or 0
            for each in dis.get_instructions(frame.f_code)
            if each.offset == frame.f_lasti and each.opname == "UNPACK_SEQUENCE"
        ]
        numbers = range(1, 1 + (asked[0] if asked else self._count))
        return iter([float.__new__(Drawing, number) for number in numbers])

    def __len__(self) -> int:
        return self._count

    def __index__(self) -> int:
        return 1

    def __repr__(self) -> str:
        return "<drawn in the notebook>"

    def _repr_html_(self) -> str:
        Drawing.used = True
        return _PICTURE

    def savefig(self, file: Any, **_: Any) -> None:
        """Write an empty picture into a file or its path, if it can be written."""
        Drawing.used = True
        with contextlib.suppress(OSError, TypeError):  # a file of text takes no bytes
            (file.write if hasattr(file, "write") else Path(file).write_bytes)(_PICTURE.encode())

    def subplots(self, nrows: int = 1, ncols: int = 1, *, squeeze: bool = True, **_: Any) -> Any:
        """Return as many axes as asked for, as Matplotlib does."""
        Drawing.used = True
        axes = np.empty((nrows, ncols), object)
        axes.flat[:] = [Drawing() for _ in axes.flat]
        return (axes.item() if axes.size == 1 else axes.squeeze()) if squeeze else axes


for _name in ("add", "sub", "mul", "truediv", "getitem", "enter"):
    setattr(Drawing, f"__{_name}__", lambda *_: Drawing())
    setattr(Drawing, f"__r{_name}__", lambda *_: Drawing())
for _name in ("init", "setitem", "delitem", "exit"):
    setattr(Drawing, f"__{_name}__", lambda *_, **__: None)


class Finder(MetaPathFinder, Loader):
    """Finds Matplotlib and every module of its."""

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Return where a module comes from: from here, if it is Matplotlib's."""
        is_known = name.partition(".")[0] in ("matplotlib", "mpl_toolkits")
        return ModuleSpec(name, self, is_package=True) if is_known else None

    def exec_module(self, module: ModuleType) -> None:
        """Have a module answer every name."""
        names = module.__dict__
        names |= {"__getattr__": _attribute, "rcParams": defaultdict(Drawing)}
        if module.__name__ == "matplotlib":  # `from matplotlib import pyplot` would ask it first
            names["pyplot"] = importlib.import_module("matplotlib.pyplot")
        if module.__name__ == "matplotlib.pyplot":
            names["savefig"] = Drawing().savefig
            names["subplots"] = lambda *a, **o: (Drawing(), Drawing().subplots(*a, **o))


FINDER = Finder()
