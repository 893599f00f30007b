"""Read exercise files into a bank.

The learner's part of a code exercise is all that stands between ``exercise(...)`` and the first
``@check``. What lies between ``# BEGIN SOLUTION`` and ``# END SOLUTION`` is cut from the
starter; lines ``# STARTER: code`` at the head of such a region take its place.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from coursekit import define
from coursekit.define import Check, Choice, DefinitionError, Exercise, FreeText, Numeric
from coursekit.expect import CheckFailed, as_array

BEGIN, END, STARTER = "# BEGIN SOLUTION", "# END SOLUTION", "# STARTER: "
STUB = 'raise NotImplementedError("Replace this line with your code.")'
PRIVATE = ("WRONG", "ALSO_RIGHT")


class Bank(Mapping[str, Exercise]):
    """The exercises of one or more folders, by id, ordered by chapter folder and file name."""

    def __init__(self, exercises: Mapping[str, Exercise]) -> None:
        self._exercises = dict(exercises)

    def __getitem__(self, id: str) -> Exercise:
        """Return one exercise; an unknown id is an error that lists the nearest."""
        try:
            return self._exercises[id]
        except KeyError:
            raise UnknownError("exercise", id, self._exercises) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._exercises)

    def __len__(self) -> int:
        return len(self._exercises)

    @property
    def chapters(self) -> tuple[str, ...]:
        """Chapters that have exercises."""
        return tuple(dict.fromkeys(e.chapter for e in self.values()))

    def chapter(self, chapter: str) -> tuple[Exercise, ...]:
        """Return the exercises of one chapter."""
        found = tuple(e for e in self.values() if e.chapter == chapter)
        if not found:
            raise UnknownError("chapter", chapter, self.chapters)
        return found


class UnknownError(KeyError):
    """An id that the bank does not have; the message names the nearest that it has."""

    def __init__(self, what: str, asked: str, known: Any) -> None:
        import difflib

        near = difflib.get_close_matches(asked, list(known), n=3, cutoff=0.4)
        hint = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(known)}"
        self.message = f"no {what} {asked!r}; {hint}"
        super().__init__(self.message)

    def __str__(self) -> str:
        return self.message


def load_bank(*folders: Path | str) -> Bank:
    """Read every ``*.py`` below ``folders`` (files whose name starts with ``_`` excepted)."""
    exercises: dict[str, Exercise] = {}
    for folder in folders:
        if not Path(folder).is_dir():
            raise DefinitionError(f"no exercise folder at {folder}")
        for path in sorted(Path(folder).rglob("[!_]*.py")):
            loaded = load_exercise(path)
            if loaded.id in exercises:
                raise DefinitionError(f"{path}: id {loaded.id!r} is taken by another file")
            exercises[loaded.id] = loaded
    return Bank(exercises)


def load_exercise(path: Path | str) -> Exercise:
    """Read one exercise file, or raise `DefinitionError` that names the file and the mend."""
    path = Path(path)
    source = path.read_text(encoding="utf-8")
    collector = define._Collector()
    define._open.append(collector)
    name = f"exercise_{path.stem.replace('-', '_')}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except DefinitionError as error:
        raise DefinitionError(f"{path}: {error}") from None
    except Exception as error:
        raise DefinitionError(f"{path}: {type(error).__name__}: {error}") from error
    finally:
        define._open.pop()
    declared = collector.exercise
    if declared is None:
        raise DefinitionError(f"{path}: declares neither exercise(...) nor quiz(...)")
    if path.stem != declared.id or path.parent.name != declared.chapter:
        raise DefinitionError(
            f"{path}: declares {declared.chapter}/{declared.id}; name the file "
            f"{declared.chapter}/{declared.id}.py"
        )
    common = {
        "statement": inspect.cleandoc(module.__doc__ or ""),
        "source": source,
        "path": str(path),
        "wrong": dict(getattr(module, "WRONG", {})),
        "also_right": {
            k: inspect.cleandoc(v) + "\n" for k, v in getattr(module, "ALSO_RIGHT", {}).items()
        },
    }
    if declared.questions:
        return replace(
            declared,
            **common,
            starter=quiz_answer(declared, {}),
            solution=quiz_answer(declared, right_answers(declared)),
            checks=tuple(quiz_checks(declared)),
        )
    if not collector.checks:
        raise DefinitionError(f"{path}: has no @check")
    setup, part = _learner_part(path, source)
    return replace(
        declared,
        **common,
        setup=setup,
        starter=cut_solution(part),
        solution=keep_solution(part),
        checks=tuple(collector.checks),
    )


# --- the learner's part ---------------------------------------------------------------------


def _is_call(node: ast.stmt, name: str) -> bool:
    value = node.value if isinstance(node, ast.Expr | ast.Assign) else None
    return isinstance(value, ast.Call) and getattr(value.func, "id", None) == name


def _is_check(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(d, ast.Call) and getattr(d.func, "id", None) == "check"
        for d in node.decorator_list
    )


def _first_line(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", [])
    return min([node.lineno, *(d.lineno for d in decorators)])


def _segments(source: str) -> tuple[list[ast.stmt], list[ast.stmt], list[ast.stmt]]:
    """Return (imports and the like, the learner's part, checks and what follows them)."""
    body = ast.parse(source).body
    start = next((i for i, n in enumerate(body) if _is_call(n, "exercise")), None)
    stop = next((i for i, n in enumerate(body) if _is_check(n)), None)
    if start is None or stop is None or stop < start:
        raise DefinitionError(
            "expected exercise(...), then the learner's part, then @check functions"
        )
    return body[1:start], body[start + 1 : stop], body[stop:]


def _learner_part(path: Path, source: str) -> tuple[str, str]:
    """Return (imports the part needs, the part with its solution markers)."""
    try:
        head, part, tail = _segments(source)
    except DefinitionError as error:
        raise DefinitionError(f"{path}: {error}") from None
    if not part:
        raise DefinitionError(f"{path}: nothing stands between exercise(...) and the first @check")
    lines = source.splitlines()
    body = ast.parse(source).body
    before = body[body_index(body, part[0]) - 1]
    text = "\n".join(lines[(before.end_lineno or 0) : _first_line(tail[0]) - 1]).strip("\n")
    if text.count(BEGIN) == 0 or text.count(BEGIN) != text.count(END):
        raise DefinitionError(f"{path}: the learner's part needs {BEGIN!r} … {END!r}")
    used = _names(part)
    setup = [
        ast.unparse(n)
        for n in head
        if isinstance(n, ast.Import | ast.ImportFrom)
        and getattr(n, "module", None) not in ("coursekit", "__future__")
        and any((a.asname or a.name.split(".")[0]) in used for a in n.names)
    ]
    return "\n".join(setup), text + "\n"


def body_index(body: list[ast.stmt], node: ast.stmt) -> int:
    """Return the position of the statement of ``body`` that starts where ``node`` does."""
    return next(i for i, n in enumerate(body) if n.lineno == node.lineno)


def _names(nodes: list[ast.stmt]) -> set[str]:
    return {n.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name)}


def cut_solution(part: str) -> str:
    """Return the starter: each solution region replaced by its ``# STARTER:`` lines or a stub."""

    def stub(match: re.Match[str]) -> str:
        indent, inner = match["indent"], match["inner"]
        given = [
            line.strip()[len(STARTER) :]
            for line in inner.splitlines()
            if line.strip().startswith(STARTER)
        ]
        return "\n".join(indent + line for line in (given or [STUB]))

    pattern = rf"(?m)^(?P<indent>[ \t]*){BEGIN}\n(?P<inner>(?:.*\n)*?)[ \t]*{END}$"
    return re.sub(pattern, stub, part)


def keep_solution(part: str) -> str:
    """Return the part with its solution and without markers."""
    kept = [
        line
        for line in part.splitlines()
        if line.strip() not in (BEGIN, END) and not line.strip().startswith(STARTER)
    ]
    return "\n".join(kept) + "\n"


# --- what a reader may have of the checks ---------------------------------------------------


def check_source(exercise: Exercise, *names: str) -> str:
    """Return the code of the named checks with the helpers and imports they need, and no more.

    Never contains the solution, ``WRONG``, ``ALSO_RIGHT`` or another check.
    """
    head, part, tail = _segments(exercise.source)
    learner = {n.name for n in part if isinstance(n, ast.FunctionDef | ast.ClassDef)} | {
        t.id
        for n in part
        if isinstance(n, ast.Assign)
        for t in n.targets
        if isinstance(t, ast.Name)
    }
    wanted = [n for n in tail if isinstance(n, ast.FunctionDef) and n.name in names]
    helpers: dict[str, ast.stmt] = {}
    for node in [*head, *tail]:
        for name in _bound(node):
            if name not in PRIVATE and not _is_check(node):
                helpers[name] = node
    needed: list[ast.stmt] = []
    queue = list(wanted)
    while queue:
        node = queue.pop()
        arguments = {a.arg for f in ast.walk(node) if isinstance(f, ast.arguments) for a in f.args}
        for name in sorted(_names([node]) - arguments):
            if name in learner and name not in helpers:
                raise DefinitionError(
                    f"{exercise.path}: check code uses {name!r} of the learner's part; "
                    "a check may only reach it through its parameters"
                )
            helper = helpers.get(name)
            if helper is not None and helper not in needed:
                needed.append(helper)
                queue.append(helper)
    ordered = [n for n in [*head, *tail] if n in needed or n in wanted]
    lines = exercise.source.splitlines()
    blocks = [
        _import_only(n, needed, wanted)
        if isinstance(n, ast.Import | ast.ImportFrom)
        else "\n".join(lines[_first_line(n) - 1 : n.end_lineno])
        for n in ordered
    ]
    imports = [
        b
        for b, n in zip(blocks, ordered, strict=True)
        if isinstance(n, ast.Import | ast.ImportFrom)
    ]
    rest = [
        b
        for b, n in zip(blocks, ordered, strict=True)
        if not isinstance(n, ast.Import | ast.ImportFrom)
    ]
    return "\n".join(imports) + "\n\n\n" + "\n\n\n".join(rest) + "\n"


def _bound(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [a.asname or a.name.split(".")[0] for a in node.names]
    if isinstance(node, ast.Assign):
        return [n.id for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name)]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [node.target.id]
    return []


def _import_only(node: ast.stmt, needed: list[ast.stmt], wanted: list[ast.stmt]) -> str:
    """Return an import statement reduced to the names that the kept code uses."""
    assert isinstance(node, ast.Import | ast.ImportFrom)
    used = _names([n for n in [*needed, *wanted] if n is not node])
    kept = [a for a in node.names if (a.asname or a.name.split(".")[0]) in used]
    if isinstance(node, ast.Import):
        return ast.unparse(ast.Import(names=kept))
    return ast.unparse(ast.ImportFrom(module=node.module, names=kept, level=node.level))


# --- quizzes --------------------------------------------------------------------------------


def right_answers(quiz: Exercise) -> dict[str, Any]:
    """Return the right answer of every question that has one."""
    answers: dict[str, Any] = {}
    for question in quiz.questions:
        if isinstance(question, Choice):
            answers[question.name] = next(k for k, o in question.options.items() if o.correct)
        elif isinstance(question, Numeric):
            answers[question.name] = question.answer
    return answers


def quiz_answer(quiz: Exercise, answers: Mapping[str, Any]) -> str:
    """Return the answer cell of a quiz: one assignment a question, ``...`` where unanswered."""
    lines = []
    for q in quiz.questions:
        value = answers.get(q.name, ...)
        given = "..." if value is ... else repr(value)
        note = ""
        if isinstance(q, Choice):
            note = "  # one of " + ", ".join(f'"{k}"' for k in q.options)
        elif isinstance(q, Numeric):
            note = "  # a list of numbers" if isinstance(q.answer, list | tuple) else "  # a number"
        if not isinstance(q, FreeText):
            lines.append(f"{q.name} = {given}{note}")
    return "\n".join(lines) + "\n"


def quiz_checks(quiz: Exercise) -> Iterator[Check]:
    """Return the check of each question that a machine can grade."""
    for question in quiz.questions:
        if isinstance(question, Choice):
            yield _as_check(question.name, _choice_check(question), question.points)
        elif isinstance(question, Numeric):
            yield _as_check(question.name, _numeric_check(question), question.points)


def _as_check(name: str, grade: Any, points: float) -> Check:
    # A check's parameters are the learner's names, so a function with that parameter is made.
    scope: dict[str, Any] = {"grade": grade}
    exec(f"def {name}({name}):\n    grade({name})\n", scope)
    return Check(scope[name], points)


def _choice_check(question: Choice) -> Any:
    def grade(given: Any) -> None:
        if given is Ellipsis:
            raise CheckFailed("No answer yet.", "not-started")
        key = str(given).strip().lower()
        if key not in question.options:
            keys = ", ".join(question.options)
            raise CheckFailed(f"{given!r} is none of the options; expected one of {keys}.")
        if not question.options[key].correct:
            picked = question.options[key]
            raise CheckFailed(picked.feedback, picked.misconception)

    return grade


def _numeric_check(question: Numeric) -> Any:
    import numpy as np

    right = np.asarray(question.answer, float)

    def grade(given: Any) -> None:
        if given is Ellipsis:
            raise CheckFailed("No answer yet.", "not-started")
        seen = as_array(given, "your answer")
        if seen.shape != right.shape:
            wanted = f"{right.size} numbers" if right.ndim else "one number"
            raise CheckFailed(f"Your answer has shape {seen.shape}; expected {wanted}.")

        def near(value: Any) -> bool:
            gap = np.abs(seen - np.asarray(value, float)).max()
            return bool(gap <= question.tolerance + 1e-9)

        if near(right):
            return
        found = next((m for m, value in question.mistakes.items() if near(value)), None)
        raise CheckFailed("That is not it." if found is None else "Not quite.", found)

    return grade


def dedent(code: str) -> str:
    """Return ``code`` without common indentation, ending in one newline."""
    return textwrap.dedent(code).strip("\n") + "\n"
