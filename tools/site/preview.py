"""Build the site again whenever its sources change: ``python -m tools.site.preview``.

Half of a small rebuild is imports. The watching process has done them all, and each rebuild is a
fork of it. Where the library itself has changed, the imported modules are out of date, and a new
interpreter takes over.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import multiprocessing
import os
import subprocess
import sys
import time
from pathlib import Path

import nbformat

from coursekit.bank import load_bank
from coursekit.course import SETTINGS
from tools.site import build
from tools.site.dependencies import files_behind
from tools.site.environment import BuildError, say
from tools.site.project import COURSEKIT, TOOLS, Project

_LOOK_SECONDS = 0.2
#: Elsewhere a fork may not go on to use the system's libraries.
CAN_FORK = sys.platform == "linux"


class Preview:
    """Watches the sources of a course, and builds its site when they change."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._last_times = self._times()
        self._is_old = not CAN_FORK
        _import_all(project)

    def look(self) -> bool:
        """Build if anything has changed since the last look; return whether it had."""
        before, self._last_times = self._last_times, self._times()
        changed = sorted({path for path, _ in before.items() ^ self._last_times.items()})
        if not changed:
            return False
        root = self._project.root
        names = ", ".join(os.path.relpath(path, root) for path in changed[:3])
        say(f"→ changed: {names}{' …' if len(changed) > 3 else ''}")
        imported = (self._project.lib, COURSEKIT, TOOLS, root / SETTINGS)
        self._is_old |= any(path.is_relative_to(each) for path in changed for each in imported)
        if self._is_old:
            self._build_anew()
        else:
            work = multiprocessing.get_context("fork").Process(
                target=build.report, args=(self._project,)
            )
            work.start()
            work.join()
        return True

    def _build_anew(self) -> None:
        """Build with a new interpreter; if that succeeds, replace this process by a new one."""
        options = ["--root", str(self._project.root)]
        fresh = [sys.executable, "-m", "tools.site.build", *options]
        if subprocess.run(fresh, check=False).returncode == 0 and CAN_FORK:
            os.execv(sys.executable, [sys.executable, "-m", "tools.site.preview", *options])

    def _times(self) -> dict[Path, int]:
        """Return when each source was written."""
        times = {}
        for path in build.inputs(self._project):
            try:
                times[path] = path.stat().st_mtime_ns
            except OSError:
                continue  # an editor is putting its new file into the old one's place
        return times


def _import_all(project: Project) -> None:
    """Import what the steps of a build do, and Jupyter Book's extensions with them."""
    from jupyter_book.config import get_final_config
    from sphinx.application import builtin_extensions

    options = {"latex_individualpages": False}
    config, _ = get_final_config(
        user_yaml=project.root / "_config.yml", cli_config=options, sourcedir=project.book
    )
    steps = ("execute", "publish", "notebooks", "pyodide_files")
    names = [*(f"tools.site.{step}" for step in steps), "coursekit.page.directive"]
    names.append("coursekit.page.progress")
    names += ["jupyter_book.cli.main", "jupyter_book.sphinx", "myst_nb.sphinx_ext"]
    for name in (*names, *builtin_extensions, *config["extensions"]):
        importlib.import_module(name)
    # These keep what they have read.
    nbformat.validate(nbformat.v4.new_notebook())
    load_bank(project.root / "exercises")
    for chapter in project.chapters():
        files_behind(project, chapter)
    gc.freeze()  # a fork then need not look through, and so copy, all of that


def main() -> int:
    """Watch until the process that started this one has ended."""
    parser = argparse.ArgumentParser(description="Build the site again whenever it changes.")
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="folder of the course")
    project, parent = Project(parser.parse_args().root.resolve()), os.getppid()
    try:
        build.import_from(project.lib)
        build.check(project)
        preview = Preview(project)
        say("watching: what changes is built again")
        while os.getppid() == parent:
            preview.look()
            time.sleep(_LOOK_SECONDS)
    except BuildError as error:
        print(f"✗ {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
