"""Give the checks of a code exercise answers that nobody wrote, and look what they say of them.

What the exercise asks for is replaced in the model solution, part by part: by answers that solve
nothing, by malformed ones, and by one that changes its arguments.
"""

from __future__ import annotations

import ast
import copy
import importlib
import inspect
import pkgutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, cycle, islice, product, repeat
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from coursekit.made import run_answer
from coursekit.model import CHECK_ERROR, Check, Exercise
from coursekit.running import run_check
from coursekit.verdict import Verdict

#: What is answered, for the arguments of a call and what the model solution returned.
Answer = Callable[[Sequence[Any], Any], Any]

#: How many of the answers that earn points a line names.
_NAMED = 3


def _always(value: Any) -> Answer:
    return lambda given, right: copy.copy(value)


def _echo(place: int, change: Callable[[Any], Any]) -> Answer:
    return lambda given, right: change(given[place]) if place < len(given) else None


def _in_turn(values: Sequence[Any]) -> Answer:
    turns = cycle(values)
    return lambda given, right: next(turns)


def _in_shape(fill: Callable[[tuple[int, ...]], Any]) -> Answer:
    return lambda given, right: _full(fill, right)


def _full(fill: Callable[[tuple[int, ...]], Any], like: Any) -> Any:
    """Return numbers in the parts, the shapes and, but for shares, the type of ``like``."""
    if isinstance(like, tuple | list):
        parts = [_full(fill, part) for part in like]
        return parts if isinstance(like, list) else tuple(parts)
    numbers = np.asarray(fill(np.shape(like)))
    if hasattr(like, "new_tensor"):
        return like.new_tensor(numbers)
    is_whole = (numbers == numbers.round()).all()
    return numbers.astype(getattr(like, "dtype", float)) if is_whole else numbers


_VALUES: tuple[Any, ...] = (None, True, False, 0.0, 1.0, float("nan"), [], "")
#: Answers that solve nothing, by their names in messages.
_CONSTANTS: Mapping[str, Answer] = {
    **{repr(v): _always(v) for v in _VALUES},
    "zeros in the right shape": _in_shape(np.zeros),
    "ones in the right shape": _in_shape(np.ones),
    "equal shares in the right shape": _in_shape(
        lambda shape: np.full(shape, 1 / max(*shape[-1:], 1) if shape else 1.0)
    ),
    "random numbers in the right shape": _in_shape(lambda s: np.random.default_rng(0).random(s)),
}


def _blind(arguments: int) -> Iterator[tuple[str, Answer]]:
    """Yield answers of a function that solve nothing, too, with their names in messages."""
    for place in range(arguments):
        yield f"argument {place + 1}", _echo(place, lambda value: value)
        yield f"a copy of argument {place + 1}", _echo(place, copy.deepcopy)
    yield "all arguments", lambda given, right: given
    for length in (2, 3):
        for values in product((True, False), repeat=length):
            if len(set(values)) > 1:
                yield f"{', '.join(map(str, values))} in turn", _in_turn(values)


#: What is malformed in place of a value, by its name in messages; it may not apply.
_SPOILS: Mapping[str, Callable[[Any], Any]] = {
    "None": lambda value: None,
    "a text": lambda value: "text",
    "one number": lambda value: 0.5,
    "an empty list": lambda value: [],
    "a ragged list": lambda value: [[1.0, 2.0], [3.0]],
    "a transposed array": lambda array: array.swapaxes(0, -1),
    "an array with another axis": lambda array: array[None],
    "an array without its last axis": lambda array: array[..., 0],
    "an array without its last column": lambda array: array[..., :-1],
    "an array with a row twice": lambda array: array[[*range(len(array)), 0]],
    "a flat array": lambda array: array.ravel(),
    "its parts in reverse": lambda value: value[::-1],
    "its first part alone": lambda value: value[0],
}


def _after(spoil: Callable[[Any], Any]) -> Answer:
    return lambda given, right: spoil(right)


def _spoiled(spoil: Callable[[Any], Any], place: int | None, value: Any) -> Any:
    """Return a value malformed, or a tuple with one part of it so; or as it was."""
    if place is not None:
        if not isinstance(value, tuple) or place >= len(value):
            return value
        return (*value[:place], _spoiled(spoil, None, value[place]), *value[place + 1 :])
    try:
        return spoil(value)
    except Exception:
        return value


class _Part(NamedTuple):
    """What a learner writes: a variable, a function, a class or a method of it."""

    name: str
    method: str = ""

    def __str__(self) -> str:
        return f"{self.name}.{self.method}" if self.method else self.name


class _Call(NamedTuple):
    """A call of the model solution; a variable has one without arguments."""

    arguments: int
    result: Any


def sweep_problems(exercise: Exercise) -> Iterator[str]:
    """Yield what is wrong with the checks of a code exercise, as such answers show it.

    That is a check in which an answer that solves nothing earns points, one that raises on a
    malformed answer, and a function that may change its arguments. Functions, classes and methods
    are replaced alone, beside the model solution's others, and then all functions and classes
    together. Variables are replaced together: one alone may honestly be 1.
    """
    names, _ = run_answer(exercise, exercise.solution)
    earlier = {name for used in exercise.used for name in used.names}
    own = [name for name in exercise.names if name in names and name not in earlier]
    trials = [_Trial(exercise.id, check, names) for check in exercise.checks]
    for trial in trials:
        asked = [name for name in trial.check.names if name in own]
        calls = {p: trial.calls(p) for name in asked for p in _parts(name, names[name])}
        groups = [[part] for part in calls if callable(names[part.name])]
        groups.append([_Part(name) for name in asked])
        earned = (trial.earned({part: calls[part] for part in group}) for group in groups)
        raised = (trial.raised(part, calls[part]) for part in calls)
        yield from islice(filter(None, raised), 1)
        yield from islice(filter(None, earned), 1)
    for name in own:
        if callable(names[name]) and not isinstance(names[name], type):
            yield from _changed_arguments(name, [t for t in trials if name in t.check.names])


def _parts(name: str, value: Any) -> Iterator[_Part]:
    yield _Part(name)
    for method, member in vars(value).items() if isinstance(value, type) else ():
        if hasattr(member, "__code__") and (method == "__call__" or not method.startswith("_")):
            yield _Part(name, method)


@dataclass(frozen=True)
class _Trial:
    """A check that is run on the model solution with some parts replaced."""

    exercise: str
    check: Check
    names: dict[str, Any]

    def run(
        self, answer: Answer, *parts: _Part, calls: Mapping[_Part, Sequence[_Call]] | None = None
    ) -> Verdict:
        """Return the verdict where the parts answer so, also for the model solution's other parts.

        What is right is computed, or, of ``calls`` that are known, the result of each.
        """
        before = dict(self.names)
        for part in parts:
            known = [call.result for call in calls[part]] or [None] if calls else None
            self.names[part.name] = _replaced(before[part.name], part.method, answer, known)
        try:
            return run_check(self.check, self.names, exercise=self.exercise)
        finally:
            self.names.update(before)

    def calls(self, part: _Part) -> list[_Call]:
        """Return how the check calls a part."""
        calls: list[_Call] = []

        def note(given: Sequence[Any], right: Any) -> Any:
            calls.append(_Call(len(given), right))
            return right

        self.run(note, part)
        return calls

    def raised(self, part: _Part, calls: Sequence[_Call]) -> str:
        """Return the line that names a malformed value on which the check raises, if it does."""
        is_class = isinstance(self.names[part.name], type) and not part.method
        for what, place in product(() if is_class else _SPOILS, (None, 0, 1)):
            spoil = partial(_spoiled, _SPOILS[what], place)
            if all(spoil(call.result) is call.result for call in calls):
                continue
            verdict = self.run(_after(spoil), part)
            if verdict.misconception == CHECK_ERROR:
                where = "" if place is None else f" as part {place + 1}"
                return (
                    f"the check {self.check.name} raises on {what}{where} for {part}: "
                    f"{verdict.message} Guard it with as_array or expect_shape"
                )
        return ""

    def earned(self, calls: Mapping[_Part, Sequence[_Call]]) -> str:
        """Return the line that names the answers which earn points for nothing, if any do."""
        arguments = [call.arguments for each in calls.values() for call in each]
        answers = dict(_CONSTANTS) if arguments else {}
        if arguments and any(callable(self.names[part.name]) for part in calls):
            answers.update(_blind(max(arguments)))
        points = {w: self.run(a, *calls, calls=calls).points for w, a in answers.items()}
        earning = [what for what, earned in points.items() if earned]
        if not earning:
            return ""
        more = [f"{len(earning) - _NAMED} more"] if len(earning) > _NAMED else []
        return (
            f"{' and '.join(map(str, calls))} earn{'s' * (len(calls) == 1)} "
            f"{max(points.values()):g} of {self.check.points:g} points in the check "
            f"{self.check.name} with nothing but {' or '.join(earning[:_NAMED] + more)}; let the "
            "check first ask for a case in which that is wrong"
        )


def _replaced(value: Any, method: str, answer: Answer, known: Sequence[Any] | None) -> Any:
    """Return what answers in place of a variable, a function, or a method of a class."""
    if not callable(value):
        return answer((), value)
    original = vars(value)[method] if method else value
    results = chain(known, repeat(known[-1])) if known else None

    def replaced(*args: Any, **kwargs: Any) -> Any:
        given = (*args[bool(method) :], *kwargs.values())  # without the instance
        return answer(given, next(results) if results else original(*args, **kwargs))

    return type(value.__name__, (value,), {method: replaced}) if method else replaced


def _changed_arguments(name: str, trials: Sequence[_Trial]) -> Iterator[str]:
    """Yield a line if a function that writes into arrays which it is given passes all checks."""
    changed: list[bool] = []

    def write(given: Sequence[Any], right: Any) -> Any:
        results = right if isinstance(right, tuple | list) else (right,)
        arrays = [result for result in results if isinstance(result, np.ndarray)]
        for value in given:
            is_floats = isinstance(value, np.ndarray) and value.dtype.kind == "f"
            # A view of an argument has to stay right.
            if is_floats and not any(np.shares_memory(value, array) for array in arrays):
                value += 1
                changed.append(True)
        return right

    verdicts = [trial.run(write, _Part(name)) for trial in trials]
    if changed and all(verdict.passed for verdict in verdicts):
        yield (
            f"{name} may change its arguments, and every check passes; "
            f"call it with call_keeping_inputs({name}, …) in a visible check"
        )


# --- functions of libraries -----------------------------------------------------------------------

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
