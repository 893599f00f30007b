"""Have the course write data files for its page, such as a model's weights: ``page-data``.

The setting names a module of the course with two functions: ``sources()`` returns the files outside
the repository that the data are made from, which may be missing; ``write(folder)`` writes the
files. A page finds them in ``_static/data/``. They are written again when a source, or a module
that writes them, has changed.
"""

from __future__ import annotations

import importlib
import shutil
from typing import Any

from tools.site.dependencies import imported
from tools.site.environment import BuildError, say
from tools.site.project import Project, fingerprint


def state(project: Project) -> str:
    """Return what the data are made from, in one line; "" where the course has none.

    Sources outside may be large: their sizes and times stand for them.
    """
    module = project.page_data
    if not module:
        return ""
    files = imported(project.packages, f"import {module}")
    found = importlib.import_module(module).sources()
    outside = [(str(p), p.stat().st_size, p.stat().st_mtime_ns) for p in found]
    return fingerprint(files, module, repr(outside))


def write(project: Project) -> None:
    """Fill ``assets/data`` if what it is made from has changed."""
    module, target = project.page_data, project.assets / "data"
    stamp = project.assets / "data-from"
    now = state(project)
    if stamp.exists() and stamp.read_text() == now and target.exists():
        return
    stamp.unlink(missing_ok=True)
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    if module:
        say("→ writing data files for the page")
        try:
            importlib.import_module(module).write(target)
        except ValueError as error:
            raise BuildError(f"page-data {module}: {error}") from None
    stamp.write_text(now)


def listed(project: Project) -> dict[str, Any]:
    """Return where Python in the page looks for the data, and its files with their sizes.

    The folder is ``data`` beside the module, as a path below that of the packages.
    """
    folder = "/".join([*project.page_data.split(".")[:-1], "data"])
    paths = sorted((project.assets / "data").glob("*"))
    return {"folder": folder, "files": {path.name: path.stat().st_size for path in paths}}
