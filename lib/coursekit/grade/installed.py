"""Tell a module that the learner should not have asked for from one that the sandbox fails to give.

A learner's ``import`` that fails although the grader's own environment has the module is a fault of
the set-up. Nothing is imported to find out: what an error names is the learner's to choose.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.machinery import PathFinder
from typing import Any

_MISSING = re.compile(r"No module named '([A-Za-z_][\w.]{0,200})'")


def installed_here(error: Mapping[str, Any]) -> str | None:
    """Return the module that an error of the learner's says is missing, if it is installed here."""
    message = error.get("message")
    if error.get("type") != "ModuleNotFoundError" or not isinstance(message, str):
        return None
    found = _MISSING.search(message)
    return found[1] if found and _can_be_found(found[1]) else None


def _can_be_found(module: str) -> bool:
    path = None
    name = ""
    for part in module.split("."):
        name = f"{name}.{part}" if name else part
        try:
            spec = PathFinder.find_spec(name, path)
        except (ImportError, ValueError, OSError):
            return False
        if spec is None:
            return False
        path = list(spec.submodule_search_locations or ())
    return True
