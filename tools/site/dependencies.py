"""Find the files that a chapter's outputs depend on, so that only what changed runs again."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from tools.site.project import Project, sources

_CELL = re.compile(r"(?ms)^```\{code-cell\}[^\n]*\n(.*?)^```")
_OPTIONS = re.compile(r"(?s)\A---\n.*?\n---\n|\A(?::[\w-]+:[^\n]*\n)+")


def cells(chapter: str) -> str:
    """Return the Python of a MyST notebook's cells: no cell options, magics and shell lines."""
    blocks = (_OPTIONS.sub("", cell) for cell in _CELL.findall(chapter))
    code = "\n".join(cell for cell in blocks if not cell.lstrip().startswith("%%"))
    return "\n".join(line for line in code.splitlines() if line.lstrip()[:1] not in ("%", "!"))


def files_behind(project: Project, chapter: Path) -> set[Path]:
    """Return the files of the project that a chapter's cells import, read or call."""
    code = cells(chapter.read_text(encoding="utf-8"))
    return imported(project.packages, code) | set(_read(chapter.parent, code))


def _read(folder: Path, code: str) -> Iterator[Path]:
    """Yield the existing files that string constants name."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.strip():
            path = folder / node.value
            if len(node.value) < 200 and "\n" not in node.value and path.is_file():
                yield path.resolve()


def imported(packages: Mapping[str, Path], code: str) -> set[Path]:
    """Return the modules that ``code`` imports, at any remove, with the data files beside them."""
    modules: set[Path] = set()
    queue = list(_modules(packages, code, Path()))
    while queue:
        path = queue.pop()
        if path in modules:
            continue
        modules.add(path)
        source = path.read_text(encoding="utf-8")
        lazily = path.name == "__init__.py" and "def __getattr__" in source
        if lazily or "import_module(" in source:
            queue += sources(path.parent, ".py")  # it imports what no import statement shows
        queue += _modules(packages, source, path.parent)
    # Style sheets and results lie beside the modules that read them.
    data = {
        file
        for folder in {path.parent for path in modules} - {*packages.values()}
        for file in sources(folder)
        if file.suffix not in (".py", ".ts", ".mjs")
    }
    return modules | data


def _modules(packages: Mapping[str, Path], code: str, folder: Path) -> Iterator[Path]:
    """Yield the files of the modules that ``code``, standing in ``folder``, imports."""
    for level, named in _imports(code):
        parts = named
        if level:
            base = [folder, *folder.parents][level - 1]
            top = next(name for name, path in packages.items() if base.is_relative_to(path))
            parts = [top, *base.relative_to(packages[top]).parts, *named]
        if parts[0] not in packages:
            continue
        # ``a/__init__.py``, ``a/b/__init__.py``, ``a/b/c.py`` … as far as they exist.
        for depth in range(1, len(parts) + 1):
            path = packages[parts[0]].joinpath(*parts[1:depth])
            yield from filter(Path.is_file, (path / "__init__.py", path.with_suffix(".py")))


@cache  # many chapters import the same modules
def _imports(code: str) -> list[tuple[int, list[str]]]:
    """Return what ``code`` imports: the dots before each name, and its parts."""
    found = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found += [(0, alias.name.split(".")) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module.split(".") if node.module else []
            found += [(node.level, [*base, alias.name]) for alias in node.names]
    return found
