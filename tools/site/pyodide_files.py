"""Gather Python for the page: Pyodide, its NumPy wheel, and a wheel of the course.

Pyodide's core comes from npm with the other front-end packages, its NumPy from where
:mod:`tools.site.pyodide_numpy` finds it. Without that the site is built all the same, and says what
is missing.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tools.site import page_data
from tools.site.environment import say
from tools.site.project import Project, copy_if_changed
from tools.site.pyodide_numpy import find_numpy

CORE = (
    "pyodide.asm.js",
    "pyodide.asm.wasm",
    "pyodide.mjs",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
#: What a page fetches; the others are scripts, which it imports.
FETCHED = ("pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
#: What no page imports: the front end's own sources and bundles, and what only graders run.
_NOT_IN_PAGES = re.compile(
    r"(^|/)_dist/|\.(ts|css\.map)$"
    r"|^coursekit/((browser|kinds)/(?!tokens\.css$).*\.css|(notebooks|grade|page|results|sandbox|selftest)/)"
)
MISSING = (
    "NumPy for the page could not be fetched when this site was built, so code cannot be run "
    "here. Run the chapter as a notebook instead."
)


def gather(project: Project, wheels: list[Path]) -> None:
    """Fill ``assets/pyodide`` and write its manifest.

    ``wheels`` are the course's own and that which brings coursekit, if it is another.
    """
    target = project.assets / "pyodide"
    target.mkdir(parents=True, exist_ok=True)
    for name in CORE:
        copy_if_changed(project.node_modules / "pyodide" / name, target / name)
    numpy = find_numpy(project)
    if numpy is None:
        say("  ! no NumPy for the page: pages will say so and offer the notebook")
        say("    (no network? put the wheel in a folder and name it: PYODIDE_WHEELS=FOLDER)")
    else:
        copy_if_changed(numpy, target / numpy.name)
    own = target / wheels[0].name
    content = page_wheel(wheels, project.settings.page_packages, project.settings.page_files)
    if not own.exists() or own.read_bytes() != content:
        own.write_bytes(content)
    put_files(wheels[0], project.settings.page_files, target / "files")
    fetched = [*FETCHED, own.name, *([numpy.name] if numpy else [])]
    manifest: dict[str, Any] = {
        "numpy": numpy.name if numpy else None,
        "wheel": own.name,
        "missing": "" if numpy else MISSING,
        "bytes": sum((target / name).stat().st_size for name in fetched),
        "files": {
            name: (target / "files" / name).stat().st_size for name in project.settings.page_files
        },
        "data": page_data.listed(project),
    }
    (target / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    for old in set(target.glob("*.whl")) - {own, target / (manifest["numpy"] or "")}:
        old.unlink()


def put_files(wheel: Path, files: Iterable[str], target: Path) -> None:
    """Copy data files out of the course's wheel into ``target``, and remove what is old there."""
    wanted = {target / name: name for name in files}
    with zipfile.ZipFile(wheel) as whole:
        for path, name in wanted.items():
            content = whole.read(name)
            if not path.exists() or path.read_bytes() != content:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
    for old in [path for path in target.rglob("*") if path.is_file() and path not in wanted]:
        old.unlink()


def page_wheel(wheels: list[Path], packages: Iterable[str], files: Iterable[str] = ()) -> bytes:
    """Return the first wheel, of ``packages`` and coursekit only, those of the others included.

    A package may be one module, too.
    A reader then loads nothing that exercises in the page cannot import, and of data ``files``
    only what an exercise asks for: they stand beside the wheel.
    """
    names = {*packages, "coursekit"}
    paths = [name.replace(".", "/") for name in names]
    folders, modules = tuple(f"{path}/" for path in paths), {f"{path}.py" for path in paths}
    apart = set(files)
    # A package inside others is imported through them.
    outer = {
        f"{'/'.join(parts[:depth])}/__init__.py"
        for parts in (name.split(".") for name in names)
        for depth in range(1, len(parts))
    }
    slim = io.BytesIO()
    with zipfile.ZipFile(slim, "w", zipfile.ZIP_DEFLATED) as page:
        for wheel in wheels:
            with zipfile.ZipFile(wheel) as whole:
                for item in whole.infolist():
                    is_about_it = ".dist-info/" in item.filename and wheel == wheels[0]
                    is_wanted = (
                        item.filename.startswith(folders) or item.filename in outer | modules
                    )
                    is_needed = item.filename not in apart and not _NOT_IN_PAGES.search(
                        item.filename
                    )
                    if (is_wanted or is_about_it) and is_needed:
                        page.writestr(item, whole.read(item))
    return slim.getvalue()
