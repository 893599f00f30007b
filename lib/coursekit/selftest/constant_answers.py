"""An answer that solves nothing must earn nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from coursekit.made import run_answer
from coursekit.model import Check, Exercise
from coursekit.running import run_check
from coursekit.selftest.constants import (
    Answer,
    Call,
    Function,
    constants,
    counts,
    echoes,
    that_need_no_look,
)
from coursekit.verdict import CHECK_ERROR, Verdict

#: How many of the answers that earn points a line names.
_NAMED = 3


@dataclass(frozen=True)
class _Part:
    """What a learner writes: a variable, a function, a class or a method of it."""

    name: str
    method: str = ""

    def __str__(self) -> str:
        return f"{self.name}.{self.method}" if self.method else self.name


def constant_answer_problems(exercise: Exercise) -> Iterator[str]:
    """Yield a line for each check in which an answer that solves nothing earns points.

    Each function, class and method that the exercise asks for is replaced, first alone, beside the
    model solution's others, and then with all others. Variables are replaced together: one alone
    may honestly be 1.
    """
    names, _ = run_answer(exercise, exercise.solution)
    own = (set(exercise.names) & set(names)) - {n for used in exercise.used for n in used.names}
    for check in (check for check in exercise.checks if check.points):
        parts = [part for name in check.names if name in own for part in _parts(name, names)]
        sweep = _Sweep(exercise, check, names)
        calls = sweep.calls(parts)
        for group in _groups(parts, names):
            problem = sweep.problem({part: calls[part] for part in group})
            if problem:
                yield problem
                break


def _parts(name: str, names: Mapping[str, Any]) -> Iterator[_Part]:
    yield _Part(name)
    if isinstance(value := names[name], type):
        yield from (_Part(name, method) for method in _methods(value))


def _methods(kind: type) -> Iterator[str]:
    for name, member in vars(kind).items():
        if hasattr(member, "__code__") and (name == "__call__" or not name.startswith("_")):
            yield name


def _groups(parts: Sequence[_Part], names: Mapping[str, Any]) -> list[tuple[_Part, ...]]:
    """Return what is replaced at once."""
    groups: list[tuple[_Part, ...]] = [(p,) for p in parts if callable(names[p.name])]
    together = tuple(part for part in parts if not part.method)
    return groups if not together or together in groups else [*groups, together]


class _Sweep:
    """One check, on answers that are the model solution but for some parts."""

    def __init__(self, exercise: Exercise, check: Check, names: dict[str, Any]) -> None:
        self._exercise, self._check, self._names = exercise, check, names

    def calls(self, parts: Sequence[_Part]) -> dict[_Part, list[Call]]:
        """Return how the check calls each part of the model solution."""
        calls: dict[_Part, list[Call]] = {part: [] for part in parts}

        def noting(part: _Part, original: Callable[..., Any]) -> Callable[..., Any]:
            def noted(*args: Any, **kwargs: Any) -> Any:
                result = original(*args, **kwargs)
                calls[part].append(Call(_given(part, args, kwargs), result))
                return result

            return noted

        noted = {}
        for part in parts:
            value = self._names[part.name]
            if part.method:
                noted[part] = noting(part, vars(value)[part.method])
            elif not callable(value):
                calls[part].append(Call((), value))
            elif not isinstance(value, type):
                noted[part] = noting(part, value)
        self._run(noted)
        return calls

    def problem(self, calls: Mapping[_Part, Sequence[Call]]) -> str | None:
        """Return the line that names the answers which earn points in place of these parts."""
        earned = {what: self._points(calls, made) for what, made in self._answers(calls).items()}
        earning = [what for what, points in earned.items() if points]
        if not earning:
            return None
        more = [f"{len(earning) - _NAMED} more"] if len(earning) > _NAMED else []
        return (
            f"{' and '.join(map(str, calls))} earn{'s' * (len(calls) == 1)} "
            f"{max(earned.values()):g} of {self._check.points:g} points in the check "
            f"{self._check.name} with nothing but {' or '.join(earning[:_NAMED] + more)}; let the "
            "check first ask for a case in which that is wrong"
        )

    def _answers(self, calls: Mapping[_Part, Sequence[Call]]) -> dict[str, Answer]:
        """Return the answers that can be given in place of these parts, and that may pass."""
        if not any(callable(self._names[part.name]) for part in calls):
            return constants()
        if not self._looks_at_results(calls):
            return that_need_no_look()
        numbers = [len(call.arguments) for each in calls.values() for call in each]
        return constants() | that_need_no_look() | echoes(max(numbers, default=0)) | counts()

    def _points(self, calls: Mapping[_Part, Sequence[Call]], answer: Answer) -> float:
        """Return what the check gives for an answer, if it has looked at it."""
        called: list[_Part] = []

        def replacement(part: _Part) -> Any:
            function = answer(calls[part])
            if not callable(self._names[part.name]):
                called.append(part)
                return _value(function)
            return _calling(part, function, called)

        verdict = self._run({part: replacement(part) for part in calls})
        return verdict.points if called else 0.0

    def _looks_at_results(self, calls: Mapping[_Part, Sequence[Call]]) -> bool:
        """Whether the check touches what these parts return: if not, nothing they return passes.

        Some checks look elsewhere first, at a model that should have been trained, and cost much.
        """
        if not all(callable(self._names[part.name]) for part in calls):
            return True
        looks: list[bool] = []
        untouched = _untouched(looks)
        verdict = self._run({part: _calling(part, lambda _: untouched, []) for part in calls})
        return verdict.passed or bool(looks) or verdict.misconception == CHECK_ERROR

    def _run(self, values: Mapping[_Part, Any]) -> Verdict:
        with _replaced(self._names, values):
            return run_check(self._check, self._names, exercise=self._exercise.id)


def _given(part: _Part, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the arguments of a call, without the instance of a method."""
    return (*args[bool(part.method) :], *kwargs.values())


def _calling(part: _Part, function: Function, called: list[_Part]) -> Callable[..., Any]:
    def answer(*args: Any, **kwargs: Any) -> Any:
        called.append(part)
        return function(_given(part, args, kwargs))

    return answer


def _value(function: Function) -> Any:
    """Return what a variable is in place of a function, which might have raised an error."""
    with suppress(AssertionError):
        return function(())
    return None


def _untouched(looks: list[bool]) -> Any:
    """Return a value that notes whatever is done with it."""

    def look(*_: Any) -> Any:
        looks.append(True)
        raise TypeError("nothing is known of this value")

    names = {name for kind in (float, list, dict, np.ndarray) for name in dir(kind)}
    special = {name for name in names if name.startswith("__")} - _OF_CLASSES
    return type("Untouched", (), dict.fromkeys(special, look))()


#: What Python itself needs to make a value.
_OF_CLASSES = {
    *("__class__", "__class_getitem__", "__doc__", "__init__", "__init_subclass__", "__new__"),
    "__subclasshook__",
}


@contextmanager
def _replaced(names: dict[str, Any], values: Mapping[_Part, Any]) -> Iterator[None]:
    """Put values in the place of parts of the model solution, which other parts call, too."""
    before = dict(names)
    for part, value in values.items():
        if part.method:
            kind = names[part.name]
            value = type(kind.__name__, (kind,), {part.method: value})
        names[part.name] = value
    try:
        yield
    finally:
        names.update(before)
