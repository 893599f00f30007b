"""Take functions of a library away from a learner, and leave the library itself as it is.

Learner code gets another module object for each module of the library, its *face*. It has the same
contents, but a withheld name holds a function that raises `WithheldError`. The library's own
functions, and those of its modules that are imported later, still look their names up in the real
modules.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, NoReturn


class WithheldError(RuntimeError):
    """A learner called a function that an exercise of the chapter asks for."""


def withhold(names: Sequence[str]) -> None:
    """Replace functions and classes of a library, in this process and for good.

    They are replaced wherever the library has them: in the package, in the module that defines
    them, in modules that import them, and after any kind of import or reload. The same public name
    of a subpackage is replaced as well: ``numbers.fast.total`` together with ``numbers.total``.
    Nothing is imported here; a module that is not loaded yet is replaced when it is.

    Names are withheld for all exercises of a chapter together. Its cells share one process, so a
    value that one exercise's cell computes, or a class that it derives, can be another's answer:
    whose cell runs tells nothing. Statements name what is withheld: `Exercise.withheld`.

    This stops a learner from handing in a library's function as an answer. It is not a security
    boundary: the library's source is public and can be copied, its functions refer to the real
    modules (``__globals__``), a file can be read and compiled, and other functions of the library
    may compute the same. Points that need more protection need an exercise whose answer is not in
    any library.

    Parameters
    ----------
    names : sequence of str
        Full names, such as ``"numbers.total"`` or ``"numbers.sums.total"``. A name that the library
        does not have has no effect here; ``coursekit check`` reports it.

    Notes
    -----
    Call it before any learner code runs: names that were imported before keep their values.
    """
    if names:
        library = _Library(names)
        library.conceal()
        sys.meta_path.insert(0, library)


class _Library:
    """The packages that lose names.

    ``sys.modules`` holds their faces, except while one of their modules is imported.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        self._packages = {name.partition(".")[0] for name in names}
        self._real: dict[str, ModuleType] = {}
        self._faces: dict[str, ModuleType] = {}
        self._imports = 0

    def conceal(self) -> None:
        """Put the faces of all modules that are loaded into ``sys.modules``."""
        self._real = {n: m for n, m in sys.modules.items() if self._has(n) and m is not None}
        for name in self._real:
            self._faces.setdefault(name, ModuleType(name))
        instead = {id(value): _stub(name, value) for name, value in self._withheld()}
        instead |= {id(module): self._faces[name] for name, module in self._real.items()}
        for name, module in self._real.items():
            parent, _, child = name.rpartition(".")
            if parent in self._real:
                setattr(self._real[parent], child, module)  # import has set it on the face
            face = vars(self._faces[name])
            face.update({key: instead.get(id(value), value) for key, value in vars(module).items()})
            sys.modules[name] = self._faces[name]

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Find a module with the other finders, and wrap the loader of one of the library's."""
        if not self._has(name):
            return None
        others = [finder for finder in sys.meta_path if finder is not self]
        specs = (finder.find_spec(name, path, target) for finder in others)
        spec = next((spec for spec in specs if spec is not None), None)
        if spec is not None and spec.loader is not None:
            wrapped: Any = _Loader(spec.loader, self)  # a loader by what it does, not by its class
            spec.loader = wrapped
        return spec

    @contextmanager
    def importing(self) -> Iterator[None]:
        """Let the library see its real modules while one of them is executed."""
        if not self._imports:
            for name, face in self._faces.items():
                if sys.modules.get(name) is face:
                    sys.modules[name] = self._real[name]
        self._imports += 1
        try:
            yield
        finally:
            self._imports -= 1
            if not self._imports:
                self.conceal()

    def _has(self, name: str) -> bool:
        return name.partition(".")[0] in self._packages

    def _withheld(self) -> Iterator[tuple[str, Any]]:
        """Yield (full name, object) of what is withheld and loaded, twins included."""
        for full in self._names:
            module, _, name = full.rpartition(".")
            package = full.partition(".")[0]
            homes: Mapping[str, ModuleType] = {
                home: real
                for home, real in self._real.items()
                if home == module or (home.startswith(f"{package}.") and hasattr(real, "__path__"))
            }
            for home, real in homes.items():
                if callable(value := vars(real).get(name)):
                    yield f"{home}.{name}", value


class _Loader:
    """A module's loader, which shows the library its real modules while it is imported."""

    def __init__(self, loader: Any, library: _Library) -> None:
        self._loader, self._library = loader, library

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code among the real modules."""
        with self._library.importing():
            self._loader.exec_module(module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)


def _stub(name: str, value: Any) -> Any:
    """Return what replaces a function or class: it has the same name and nothing else of it."""
    message = (
        f"{name} does what an exercise of this chapter asks for: it is withheld from all cells "
        "while work is graded"
    )

    def refuse(*args: Any, **kwargs: Any) -> NoReturn:
        raise WithheldError(message)

    def lacks(_: Any, attribute: str) -> NoReturn:
        raise AttributeError(message if not attribute.startswith("__") else attribute)

    short = name.rpartition(".")[2]
    if isinstance(value, type):
        kind = type("Withheld", (type,), {"__call__": refuse, "__getattr__": lacks})
        return kind.__new__(kind, short, (), {"__doc__": message})
    refuse.__name__ = refuse.__qualname__ = short
    refuse.__doc__ = message
    return refuse
