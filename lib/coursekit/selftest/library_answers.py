"""Can a library's function be handed in as the answer?"""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

from coursekit.model import Exercise
from coursekit.running import run_check
from coursekit.selftest.answers import run_answer

#: Libraries that learners may use for anything, and the one that exercises are written with.
_TOOLS = frozenset({"numpy", "torch", "coursekit", "__future__"})


def libraries(files: Iterable[Path]) -> tuple[str, ...]:
    """Return the packages that exercise files import, beside everybody's tools and Python's."""
    found: set[str] = set()
    for file in files:
        try:
            tree = ast.parse(file.read_text(encoding="utf-8"))
        except (SyntaxError, ValueError):
            continue  # Reading the file as an exercise says so.
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.partition(".")[0])
            elif isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
    return tuple(sorted(name for name in found - _TOOLS - sys.stdlib_module_names if _public(name)))


def library_answer_problems(exercise: Exercise, packages: Iterable[str]) -> Iterator[str]:
    """Yield what passes for an answer and is not withheld, and what is withheld and does not exist.

    Every public function of the packages is tried under each name that the learner defines: called
    as it is, with its arguments by name, and with one of its switches turned. The other names hold
    the model solution.
    """
    known = {name: value for package in packages for name, value in _public(package).items()}
    withheld = {name: _resolve(name) for name in exercise.withhold}
    yield from (
        f"withhold has {name!r}, which the library does not have"
        for name, value in withheld.items()
        if not callable(value)
    )
    names, _ = run_answer(exercise, exercise.solution)
    for name in exercise.names:
        for library_name, function in known.items():
            if any(function is other for other in withheld.values()):
                continue
            if _earns(exercise, names, name, function):
                yield (
                    f"{name} = {library_name} passes for an answer; add {library_name!r} to "
                    "withhold, or check for more"
                )


@lru_cache(maxsize=16)
def _public(package: str) -> Mapping[str, Callable[..., Any]]:
    """Return a package's public functions and classes by full name; none where it has no list."""
    try:
        module = importlib.import_module(package)
    except ImportError:
        return {}
    names = getattr(module, "__all__", ()) if hasattr(module, "__path__") else ()
    values = {f"{package}.{name}": getattr(module, name) for name in names}
    return {name: value for name, value in values.items() if callable(value)}


def _resolve(name: str) -> Any:
    """Return what a full name stands for, or None."""
    package, *rest = name.split(".")
    try:
        found: Any = importlib.import_module(package)
        for at, part in enumerate(rest, 1):
            if isinstance(found, ModuleType) and not hasattr(found, part):
                importlib.import_module(".".join([package, *rest[:at]]))
            found = getattr(found, part)
    except (ImportError, AttributeError):
        return None
    return found


def _earns(exercise: Exercise, names: Mapping[str, Any], name: str, function: Any) -> bool:
    """Return whether the function earns a hidden check's points, or all the visible ones."""
    asked = [check for check in exercise.checks if name in check.names and check.points]
    for answer in _ways(function, names.get(name)):
        mine = {**names, name: answer}
        passed = [run_check(check, mine, exercise=exercise.id).passed for check in asked]
        hidden = [p for check, p in zip(asked, passed, strict=True) if check.hidden]
        visible = [p for check, p in zip(asked, passed, strict=True) if not check.hidden]
        if any(hidden) or (visible and all(visible)):
            return True
    return False


def _ways(function: Any, solution: Any) -> Iterator[Callable[..., Any]]:
    """Yield the function as it is and adapted to the way in which the solution is called."""
    try:
        taken = inspect.signature(function).parameters
        asked = tuple(inspect.signature(solution).parameters)
    except (TypeError, ValueError):
        yield function
        return
    turned = [{name: not p.default} for name, p in taken.items() if isinstance(p.default, bool)]
    for switched in [{}, *turned]:
        yield partial(function, **switched)
        if set(asked) <= set(taken):
            yield partial(_by_name, function, asked, switched)


def _by_name(
    function: Any, asked: tuple[str, ...], switched: Mapping[str, Any], *given: Any, **named: Any
) -> Any:
    return function(**dict(zip(asked, given, strict=False)), **named, **switched)
