"""Find the packages whose code belongs to a course: its own, and coursekit wherever it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path


class Packages:
    """Finds the files of modules.

    Parameters
    ----------
    folders : mapping of str to Path
        The folder of each package.
    """

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self._folders = dict(folders)

    @classmethod
    def below(cls, lib: Path) -> Packages:
        """Return the packages of a source folder."""
        return cls({init.parent.name: init.parent for init in sorted(lib.glob("*/__init__.py"))})

    def __contains__(self, name: str) -> bool:
        return name in self._folders

    def __getitem__(self, name: str) -> Path:
        return self._folders[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._folders)

    def files(self, parts: list[str]) -> Iterator[Path]:
        """Yield ``a/__init__.py``, ``a/b/__init__.py``, ``a/b/c.py`` … as far as they exist."""
        if not parts or parts[0] not in self:
            return
        for depth in range(1, len(parts) + 1):
            path = self[parts[0]].joinpath(*parts[1:depth])
            for file in (path / "__init__.py", path.with_suffix(".py")):
                if file.is_file():
                    yield file

    def absolute(self, node: ast.ImportFrom, folder: Path) -> list[str]:
        """Return the parts of the module that a file in ``folder`` imports from."""
        parts = node.module.split(".") if node.module else []
        if not node.level:
            return parts
        base = folder
        for _ in range(node.level - 1):
            base = base.parent
        for name, package in self._folders.items():
            if base.is_relative_to(package):
                return [name, *base.relative_to(package).parts, *parts]
        return parts
