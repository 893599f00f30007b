"""Have the course write data files for its page, such as a model's weights: ``page-data``.

The setting names modules of the course with two functions each: ``sources()`` returns the files
outside the repository that the data are made from, which may be missing; ``write(folder)`` writes
the files. A page finds them all in ``_static/data/``. They are written again when a source, or a
module that writes them, has changed.
"""

from __future__ import annotations

import importlib
import json
import shutil
from pathlib import Path
from typing import Any

from tools.site.dependencies import imported
from tools.site.environment import BuildError, say
from tools.site.project import Project, fingerprint


def state(project: Project) -> str:
    """Return what the data are made from, in one line; "" where the course has none.

    Sources outside may be large: their sizes and times stand for them.
    """
    modules = project.settings.page_data
    if not modules:
        return ""
    code = "".join(f"import {module}\n" for module in modules)
    files = imported(project.packages, code)
    paths = [path for module in modules for path in _named(module).sources()]
    outside = [(str(p), p.stat().st_size, p.stat().st_mtime_ns) for p in paths]
    return fingerprint(files, *modules, repr(outside))


def write(project: Project) -> None:
    """Fill ``assets/data`` if what it is made from has changed."""
    target, stamp = project.assets / "data", _stamp(project)
    now = state(project)
    if stamp.exists() and json.loads(stamp.read_text())["state"] == now and target.exists():
        return
    stamp.unlink(missing_ok=True)
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    if project.settings.page_data:
        say("→ writing data files for the page")
    files: dict[str, dict[str, int]] = {}
    for module in project.settings.page_data:
        before = set(target.iterdir())
        try:
            _named(module).write(target)
        except ValueError as error:
            raise BuildError(f"page-data {module}: {error}") from None
        folder = "/".join([*module.split(".")[:-1], "data"])
        new = sorted(set(target.iterdir()) - before)
        files.setdefault(folder, {}).update({path.name: path.stat().st_size for path in new})
    stamp.write_text(json.dumps({"state": now, "files": files}))


def listed(project: Project) -> dict[str, dict[str, int]]:
    """Return where Python in the page looks for the data: files with their sizes by folder.

    The folder is ``data`` beside the module that wrote them, as a path below that of the packages.
    """
    stamp = _stamp(project)
    files: dict[str, dict[str, int]] = (
        json.loads(stamp.read_text())["files"] if stamp.exists() else {}
    )
    return files


def _stamp(project: Project) -> Path:
    return project.assets / "data-from.json"


def _named(module: str) -> Any:
    return importlib.import_module(module)
