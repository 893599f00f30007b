"""Pack notebooks with all that they need to run elsewhere: the library, a script, instructions."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from coursekit.course import Course, installed_courses
from coursekit.errors import carrier
from coursekit.notebooks.install import Install, wheel_names

SCRIPT, README = "install.py", "README.txt"
_SCRIPT = '''\
"""Install JupyterLab and what these notebooks need into the folder .venv here."""

import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
WHEELS = {wheels}
sys.path[:0] = [os.path.join(FOLDER, wheel) for wheel in WHEELS]
from coursekit_installer import make_environment

sys.exit(make_environment(FOLDER, WHEELS, {extras!r}, {opens!r}))
'''
_README = """\
{title}

INSTALL. You need Python 3.11 or newer. Unpack the zip; in its folder run

    python3 install.py          (on Windows: py install.py)

It makes the folder .venv with JupyterLab and all that is needed, which takes some minutes, and says
how to open {opens}. On Linux, where PyTorch's own site does not answer, it takes 6 GB of disk.

If you already have Jupyter, just open a notebook here: its first cell installs what is missing.
"""
_HAND_IN = """
HAND IN. Save the notebook and run its last cell. It says what is not answered, and writes
hand-in/{opens}: hand in that file, where your course tells you to.
"""


def files_of(
    title: str, install: Install, opens: str, *, hands_in: bool = False
) -> dict[str, bytes]:
    """Return the files beside a notebook besides the wheels: the script, and how to begin.

    ``opens`` is the notebook to open first; with ``hands_in`` its last cell makes what is handed
    in.
    """
    script = _SCRIPT.format(
        wheels=list(install.wheels),
        extras=",".join(install.extras),
        opens=opens,
    )
    readme = (_README + _HAND_IN * hands_in).format(title=title, opens=opens)
    return {SCRIPT: script.encode(), README: readme.encode()}


def write_zip(target: Path, files: dict[str, bytes]) -> None:
    """Write files into one folder of a zip; the same content gives the same bytes."""
    with zipfile.ZipFile(target, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(f"{target.stem}/{name}", date_time=(2020, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            entry.create_system = 3
            archive.writestr(entry, files[name], zipfile.ZIP_DEFLATED)


def wheel_files(course: Course) -> dict[str, bytes]:
    """Return the wheels that hold a course, by name, as far as they lie where they are looked for.

    That is the current folder, what `make book` writes in the course's checkout, and where pip took
    the wheels from.
    """
    roots = [each.root for each in (course, *installed_courses()) if each.root]
    names = [course.distribution, carrier()]
    folders = [
        Path(),
        *(root / "_build" / "wheel" for root in roots),
        *(folder for folder in map(_came_from, filter(None, names)) if folder),
    ]
    found = ((name, _first(folder / name for folder in folders)) for name in wheel_names(course))
    return {name: file.read_bytes() for name, file in found if file}


def _came_from(distribution: str) -> Path | None:
    """Return the folder of the file that pip installed a distribution from (PEP 610)."""
    try:
        noted = metadata.distribution(distribution).read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        return None
    url = urlsplit(json.loads(noted)["url"] if noted else "")
    return Path(url2pathname(url.path)).parent if url.scheme == "file" else None


def _first(files: Iterable[Path]) -> Path | None:
    return next(filter(Path.is_file, files), None)
