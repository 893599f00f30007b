"""List what a learner's Python needs here: import path, readable paths, environment."""

from __future__ import annotations

import os
import site
import sys
from collections.abc import Sequence
from pathlib import Path

_SYSTEM = (
    "/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin",
    "/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives", "/etc/fonts",
)  # fmt: skip
#: Workers are processes, one a core: a thread more in each would only wait for the others.
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
_OWN_CODE = str(Path(__file__).resolve().parents[2])


def path_without(hidden: Sequence[str]) -> list[str]:
    """Return ``sys.path`` without folders that contain a hidden path or lie below one.

    Folders in which packages are installed always stay. The working directory, which ``python -m``
    puts on the path, may be anybody's home and is left out.
    """
    folders = [p for p in sys.path if os.path.exists(p) and p != os.getcwd()]
    private = [p for p in folders if holds(p, hidden) or any(holds(h, [p]) for h in hidden)]
    folders = [p for p in folders if p not in private or _is_packages(p)]
    return list(dict.fromkeys([*folders, _OWN_CODE]))


def needed(path: Sequence[str]) -> list[str]:
    """Return the paths that a learner's Python reads: libraries of the system, Python's, ours."""
    program = Path(sys.executable)
    programs = [str(program.parent), str(program.resolve().parent)]
    python = [sys.prefix, sys.base_prefix, *site.getsitepackages(), *programs]
    return [*_SYSTEM, *python, *(p for p in path if os.path.isdir(p))]


def _is_packages(folder: str) -> bool:
    """Whether packages are installed in a folder, which is then needed whatever else is in it."""
    real = os.path.realpath(folder)
    homes = (*site.getsitepackages(), _OWN_CODE, sys.prefix, sys.base_prefix)
    return any(holds(home, [real]) for home in map(os.path.realpath, homes))


def holds(folder: str, paths: Sequence[str]) -> bool:
    """Whether one of ``paths`` is ``folder`` or lies below it."""
    return any(Path(path).is_relative_to(os.path.realpath(folder)) for path in paths)


def environment(scratch: str) -> dict[str, str]:
    """Return the fork server's environment; our own variables may hold secrets."""
    own = {k: os.environ[k] for k in ("OPENBLAS_CORETYPE", "LD_LIBRARY_PATH") if k in os.environ}
    return {
        **own,
        **ONE_THREAD,
        "PATH": "/usr/bin:/bin",
        "HOME": scratch,
        "TMPDIR": scratch,
        "MPLCONFIGDIR": scratch,
        "MPLBACKEND": "agg",
        "USER": "learner",
        "LOGNAME": "learner",
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
