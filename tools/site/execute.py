"""Execute the chapters that changed, in parallel, into the cache which the pages are built from.

jupyter-cache knows a notebook by its code alone. A chapter's outputs also depend on the modules
that it imports, so each chapter has a key of all files behind it; a new key throws the cached
outputs away. Text edits change neither code nor key, and execute nothing. A chapter that is as it
was is not even read.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.executors.utils import single_nb_execution
from nbclient.exceptions import DeadKernelError

from tools.site.dependencies import files_behind
from tools.site.environment import BuildError, say
from tools.site.project import Project, fingerprint

TIMEOUT = 600  # seconds for one cell
#: How often a kernel is started at most. One dies at once if somebody took a port meant for it.
STARTS = 3
READER = {"type": "plugin", "name": "myst_nb_md"}


@dataclass
class _Run:
    """A notebook on its way through a kernel; ``error`` is empty when it arrived."""

    chapter: Path
    notebook: Any
    seconds: float = 0.0
    error: str = ""


def execute(project: Project) -> list[Path]:
    """Bring the cache up to date, and return the chapters that had to run."""
    cache = get_cache(str(project.cache / "jupyter"))
    # Of each chapter the key, and the text: who is as it was is not read.
    file = project.cache / "jupyter" / "chapters.json"  # goes when the cache goes
    before = json.loads(file.read_text()) if file.exists() else {}
    now, waiting = {}, []
    with ExitStack() as stack:
        stack.callback(cache.db.dispose)  # jupyter-cache leaves its connections open
        for chapter in filter(project.is_notebook, project.chapters()):
            key = _key(project, chapter)
            now[chapter.stem] = [key, fingerprint([chapter])]
            if before.get(chapter.stem) == now[chapter.stem]:
                continue
            record = cache.add_nb_to_project(str(chapter), read_data=READER)
            notebook = cache.get_project_notebook(record.pk).nb
            if not _is_cached(cache, notebook, current=before.get(chapter.stem, [""])[0] == key):
                waiting.append(_Run(chapter, notebook))
        done = _run_all(waiting)
        for run in done:
            if run.error:
                del now[run.chapter.stem]
            else:
                _keep(project, cache, run)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(now, indent=1))
    if failed := [f"{r.chapter.relative_to(project.root)}: {r.error}" for r in done if r.error]:
        raise BuildError("\n".join(failed))
    return [run.chapter for run in done]


def _keep(project: Project, cache: Any, run: _Run) -> None:
    """Put a notebook's outputs into the cache, and have Sphinx read its page again."""
    data = {"execution_seconds": run.seconds}
    bundle = CacheBundleIn(run.notebook, str(run.chapter), data=data)
    cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
    (project.stage.parent / ".doctrees" / f"{run.chapter.stem}.doctree").unlink(missing_ok=True)


def _key(project: Project, chapter: Path) -> str:
    """Return the key of all that a chapter's outputs depend on besides its own code."""
    pins = [path] if (path := project.root / "requirements.txt").exists() else []
    return fingerprint([*files_behind(project, chapter), *pins], sys.version)


def _is_cached(cache: Any, notebook: Any, current: bool) -> bool:
    """Whether the outputs are there; those of an older key are thrown away."""
    try:
        record = cache.match_cache_notebook(notebook)
    except KeyError:
        return False
    if not current:
        cache.remove_cache(record.pk)
    return current


def _run_all(waiting: list[_Run]) -> list[_Run]:
    """Execute ``waiting`` on all cores, and say how each went."""
    if not waiting:
        return []
    say(f"→ executing {len(waiting)} chapters: {', '.join(r.chapter.stem for r in waiting)}")
    # Matplotlib lists the fonts of a new machine now, and not in a reader's cell: there it would
    # say on stderr that this takes long.
    with suppress(ImportError):
        importlib.import_module("matplotlib.font_manager")
    done = []
    with ProcessPoolExecutor(min(len(waiting), os.cpu_count() or 1)) as pool:
        for future in as_completed([pool.submit(_run, run) for run in waiting]):
            run = future.result()
            done.append(run)
            say(f"  {'✗' if run.error else '✓'} {run.chapter.stem} ({run.seconds:.0f} s)")
    return done


def _run(run: _Run) -> _Run:
    # One thread a kernel: as many chapters as there are cores run side by side.
    os.environ["OMP_NUM_THREADS"] = "1"
    for _ in range(STARTS):
        try:
            result = single_nb_execution(
                run.notebook,
                cwd=str(run.chapter.parent),
                timeout=TIMEOUT,
                allow_errors=False,
                # Nothing of sockets, or of how it was shut down, to a reader of builds.
                extra_arguments=["--IPKernelApp.log_level=50"],
            )
        except RuntimeError as error:
            run.error = f"the kernel did not live: {error}. Build again; see what else runs here"
            if isinstance(error, DeadKernelError):
                break  # in the middle of a cell, which would kill the next one as well
        else:
            run.notebook, run.seconds = result.nb, result.time
            run.error = _explain(result.nb, result.err) if result.err else ""
            break
    return run


def _explain(notebook: Any, error: Exception) -> str:
    """Return which cell failed and how, in one line."""
    for number, cell in enumerate(c for c in notebook.cells if c.cell_type == "code"):
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                first = next(filter(None, map(str.strip, cell.source.splitlines())), "")
                return (
                    f"code cell {number + 1} (`{first[:60]}`) raised "
                    f"{output.ename}: {output.evalue.splitlines()[0] if output.evalue else ''}"
                )
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error)).strip().splitlines()
    return f"{type(error).__name__}: {text[0] if text else ''}"
