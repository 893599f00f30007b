"""Somebody who solves nothing and tries everything: what can be read off a released notebook?

Run as a module, with a folder of notebooks, ``withheld`` or ``open``, and the chapters, it prints
as JSON how many protected points each exercise of each chapter gave. It knows more than a learner
does, and looks at

- whether the check cell of a question says anything else of the right answer than of wrong ones;
- every literal in that cell, as the answer;
- every public function of the library, every function that check cells define and every
  expression in them, under each name that an exercise asks for. All other names are solved.

What it finds is graded with the bank's checks and a secret, as `coursekit grade` would.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import copy
import inspect
import io
import json
import multiprocessing
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from coursekit import Numeric, Parsons
from coursekit.bank.load import Bank
from coursekit.bank.mistakes import run_answer
from coursekit.bank.model import AutoGraded, Exercise
from coursekit.bank.running import run_check
from coursekit.grade.learner.withhold import withhold
from coursekit.in_notebook import check_answer, load_checks
from coursekit.in_notebook.obfuscated import unpack
from coursekit.selftest.library_answers import adaptations
from tests.course import BANK

_MORE_GUESSES: dict[type[AutoGraded], Callable[[Any], list[Any]]] = {
    Numeric: lambda question: [np.zeros_like(question.answer)],
    Parsons: lambda question: [list(order) for order in question.orders],
}
EXERCISES = Path(__file__).resolve().parents[2] / "exercises"
SECRET = "what the hidden numbers are drawn from"
#: Longest expression that is tried (characters), and how deep the names in it are followed.
LONGEST, DEEPEST = 600, 6
#: What a learner may bind to a name.
Space = dict[str, Any]


def earned(notebook: dict[str, Any], exercises: Sequence[Exercise]) -> dict[str, float]:
    """Return the most protected points that anything gets, by exercise."""
    sources: dict[str, str] = {}
    space: Space = {"__name__": "__main__"}
    for cell in notebook["cells"]:
        about = cell["metadata"].get("coursekit", {})
        source = "".join(cell["source"])
        if about.get("role") == "attachment":
            word = source.split('"')[1]
            load_checks(word)
            sources |= {id: _code(kept) for id, kept in unpack(word).items()}
        if about.get("role") == "answer":
            with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
                exec(f"{sources[about['exercise']]}\n{source}", space)
    earned = {}
    for exercise in exercises:
        code = sources[exercise.id]
        if exercise.questions:
            earned[exercise.id] = sum(_of_question(exercise, q, code) for q in exercise.auto_graded)
        elif not exercise.practice:
            earned[exercise.id] = _of_code(exercise, code, space)
    return {id: points for id, points in earned.items() if points}


def _code(about: dict[str, Any]) -> str:
    """Return what a notebook has of an exercise that is code, or can be: the forms of answers."""
    return str(about.get("check_source") or repr(about.get("forms", about.get("questions"))))


def _of_question(quiz: Exercise, question: AutoGraded, cell: str) -> float:
    guesses = [question.answer, *(wrong for wrong, _ in question.known_mistakes)]
    guesses += _MORE_GUESSES.get(type(question), lambda _: [])(question)
    if len({_said(quiz, question, guess) for guess in guesses}) > 1:
        return question.points
    (check,) = (check for check in quiz.checks if check.name == question.name)
    tried = [value for value in _literals(cell) if not _is_key(value, question)]
    graded = [run_check(check, {question.name: guess}, exercise=quiz.id) for guess in tried]
    return max((result.points for result in graded), default=0.0)


def _is_key(value: Any, question: AutoGraded) -> bool:
    """Return whether a value is what the form names, such as the letter of an option."""
    return isinstance(value, str) and any(
        value in np.ravel(keys) for keys in question.form.values()
    )


def _said(quiz: Exercise, question: AutoGraded, guess: Any) -> str:
    """Return what a check cell says of a guess, the guess itself taken out."""
    echo = question.echo(guess, question.form)
    said = check_answer(quiz.id, {question.name: guess}).text
    return said.replace(f" is {echo}. ", " is …. ")


def _literals(cell: str) -> Iterator[Any]:
    """Yield the values of all literals but the form's."""
    for node in ast.walk(ast.parse(cell)):
        keys = getattr(node, "keys", []) if isinstance(node, ast.Dict) else []
        shapes = [
            v for k, v in zip(keys, getattr(node, "values", []), strict=False) if _is_shape(k)
        ]
        for field in ast.iter_child_nodes(node):
            if field not in shapes:
                with contextlib.suppress(ValueError):
                    yield ast.literal_eval(field)


def _is_shape(key: ast.AST | None) -> bool:
    return isinstance(key, ast.Constant) and key.value == "shape"


def _of_code(exercise: Exercise, code: str, space: Space) -> float:
    names = run_answer(exercise, exercise.solution).names
    best = 0.0
    for name in exercise.names:
        hidden = [check for check in exercise.checks if check.hidden and name in check.names]
        for answer in _answers(names[name], name, code, space) if hidden else ():
            mine = {**names, name: answer}
            graded = [
                run_check(check, mine, exercise=exercise.id, secret=SECRET) for check in hidden
            ]
            best = max(best, sum(result.points for result in graded))
    return best


def _answers(solution: Any, name: str, code: str, space: Space) -> Iterator[Callable[..., Any]]:
    """Yield what can be bound to a name."""
    import attn  # What a learner's code gets: after withholding, the library's face.

    made = [getattr(attn, public) for public in attn.__all__]
    made += [value for value in space.values() if inspect.isfunction(value)]
    for function in {id(value): value for value in made}.values():
        yield from adaptations(function, solution)
    taken = tuple(inspect.signature(solution).parameters)
    known = set(dir(builtins)) | set(space)
    for expression in _expressions(code, taken):
        used = {node.id for node in ast.walk(expression) if isinstance(node, ast.Name)}
        text = ast.unparse(expression)
        if used & set(taken) and used - known <= set(taken) and len(text) < LONGEST:
            with contextlib.suppress(Exception):
                yield eval(f"lambda {', '.join(taken)}: {text}", space)


def _expressions(code: str, taken: Sequence[str]) -> Iterator[ast.expr]:
    """Yield the expressions in the functions of some code, their local names followed."""
    for function in ast.walk(ast.parse(code)):
        if isinstance(function, ast.FunctionDef):
            assigned = dict(_assignments(function))
            for node in ast.walk(function):
                if isinstance(node, ast.Call | ast.BinOp | ast.Compare | ast.Tuple | ast.Subscript):
                    yield _Follow(assigned, taken).visit(copy.deepcopy(node))


def _assignments(function: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    for node in ast.walk(function):
        if not isinstance(node, ast.Assign):
            continue
        target, value = node.targets[0], node.value
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            pairs = list(zip(target.elts, value.elts, strict=False))
        yield from ((one.id, to) for one, to in pairs if isinstance(one, ast.Name))


class _Follow(ast.NodeTransformer):
    """Put what was assigned to a name in its place."""

    def __init__(self, assigned: dict[str, ast.expr], taken: Sequence[str]) -> None:
        self._assigned, self._taken, self._depth = assigned, set(taken), 0

    def visit_Name(self, node: ast.Name) -> Any:
        value = self._assigned.get(node.id)
        if value is None or node.id in self._taken or self._depth >= DEEPEST:
            return node
        self._depth += 1
        made = self.visit(copy.deepcopy(value))
        self._depth -= 1
        return made


@cache
def _bank() -> Bank:
    return BANK


def _attacked(folder: str, mode: str, chapter: str) -> dict[str, float]:
    warnings.simplefilter("ignore")
    exercises = _bank().chapter(chapter)
    notebook = json.loads(Path(folder, f"{chapter}.ipynb").read_text(encoding="utf-8"))
    if mode == "withheld":
        withhold([name for exercise in exercises for name in exercise.withhold])
    return earned(notebook, exercises)


def main(folder: str, mode: str, *chapters: str) -> None:
    """Print what was earned in each chapter."""
    _bank()  # before the forks, so that it is read once
    # A process for each chapter: what is withheld stays withheld in it.
    with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        tasks = [(folder, mode, chapter) for chapter in chapters]
        print(json.dumps(dict(zip(chapters, pool.starmap(_attacked, tasks, 1), strict=True))))


if __name__ == "__main__":
    main(*sys.argv[1:])
