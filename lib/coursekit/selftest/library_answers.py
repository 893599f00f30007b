"""Find functions of a library that pass as an answer."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from coursekit.made import run_answer
from coursekit.model import Exercise
from coursekit.running import run_check

#: Libraries that learners may use freely, and coursekit, with which exercises are written.
_TOOLS = frozenset({"numpy", "torch", "coursekit", "__future__"})


def libraries(files: Iterable[Path]) -> tuple[str, ...]:
    """Return the packages that exercise files import, other than `_TOOLS` and Python's own."""
    packages: set[str] = set()
    for file in files:
        with suppress(SyntaxError, ValueError):  # which `load_exercise` reports
            for node in ast.parse(file.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ImportFrom) and node.module:
                    packages.add(node.module.partition(".")[0])
                elif isinstance(node, ast.Import):
                    packages |= {alias.name.partition(".")[0] for alias in node.names}
    return tuple(filter(_public, sorted(packages - _TOOLS - sys.stdlib_module_names)))


def library_answer_problems(exercise: Exercise, packages: Iterable[str]) -> Iterator[str]:
    """Yield the library functions that pass and are not withheld, and unknown withheld names.

    Every public function of the packages is tried under each name that the learner defines: as it
    is, with its arguments passed by name, and with one of its boolean defaults inverted. The other
    names have the values of the model solution.
    """
    public = {name: value for package in packages for name, value in _public(package).items()}
    withheld = {name: _resolve(name) for name in exercise.withhold}
    yield from (
        f"withhold has {name!r}; the library has no such function"
        for name, value in withheld.items()
        if not callable(value)
    )
    names, _ = run_answer(exercise, exercise.solution)
    for name in exercise.names:
        for library_name, function in public.items():
            if any(function is other for other in withheld.values()):
                continue
            answers = adaptations(function, names.get(name))
            if any(_earns(exercise, name, {**names, name: answer}) for answer in answers):
                yield (
                    f"{name} = {library_name} passes as an answer; add {library_name!r} to "
                    "withhold, or check for more"
                )


@lru_cache(maxsize=16)
def _public(package: str) -> Mapping[str, Callable[..., Any]]:
    """Return the functions and classes in a package's ``__all__`` by their full names."""
    try:
        module = importlib.import_module(package)
    except ImportError:
        return {}
    names = getattr(module, "__all__", ()) if hasattr(module, "__path__") else ()
    values = {f"{package}.{name}": getattr(module, name) for name in names}
    return {name: value for name, value in values.items() if callable(value)}


def _resolve(name: str) -> Any:
    """Return the object with a full name, or None where there is none."""
    try:
        return pkgutil.resolve_name(name)
    except (ImportError, AttributeError):
        return None


def _earns(exercise: Exercise, name: str, answers: Mapping[str, Any]) -> bool:
    """Return whether answers pass a hidden check of this name, or all the visible ones."""

    def passes(hidden: bool) -> Iterator[bool]:
        for check in exercise.checks:
            if name in check.names and check.points and check.hidden is hidden:
                yield run_check(check, answers, exercise=exercise.id).passed

    visible = passes(False)
    return any(passes(True)) or (next(visible, False) and all(visible))


def adaptations(function: Any, solution: Any) -> Iterator[Callable[..., Any]]:
    """Yield the function as it is, and adapted so that it can be called like the solution."""
    try:
        parameters = inspect.signature(function).parameters
        names = tuple(inspect.signature(solution).parameters)
    except (TypeError, ValueError):
        yield function
        return
    inverted = [{n: not p.default} for n, p in parameters.items() if isinstance(p.default, bool)]
    for options in [{}, *inverted]:
        yield partial(function, **options)
        if set(names) <= set(parameters):
            yield partial(_call_by_name, function, names, options)


def _call_by_name(
    function: Any, names: tuple[str, ...], options: Mapping[str, Any], *args: Any, **kwargs: Any
) -> Any:
    return function(**dict(zip(names, args, strict=False)), **kwargs, **options)
