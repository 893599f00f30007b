"""Tell a module that is not installed from one that the sandbox fails to provide.

Where a learner's ``import`` fails although the grader's own environment has the module, the set-up
is at fault. Nothing is imported to find out: the learner chooses which name an error has.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from importlib.machinery import PathFinder
from itertools import accumulate
from typing import Any

_MISSING = re.compile(r"No module named '([A-Za-z_][\w.]{0,200})'")


def installed(names: Iterable[str]) -> list[str]:
    """Return those of some modules that a package outside of Python's own library brings."""
    packages = {name: name.split(".")[0] for name in names}
    return [
        name
        for name, package in packages.items()
        if package not in sys.stdlib_module_names and PathFinder.find_spec(package) is not None
    ]


def installed_here(error: Mapping[str, Any]) -> str | None:
    """Return the module that a learner's error reports as missing, if it is installed here."""
    message = error.get("message")
    if error.get("type") != "ModuleNotFoundError" or not isinstance(message, str):
        return None
    match = _MISSING.search(message)
    return match[1] if match and _can_be_found(match[1]) else None


def _can_be_found(module: str) -> bool:
    path = None
    for name in accumulate(module.split("."), "{}.{}".format):
        try:
            spec = PathFinder.find_spec(name, path)
        except (ImportError, ValueError, OSError):
            spec = None
        if spec is None:
            return False
        path = list(spec.submodule_search_locations or ())
    return True
