"""What a row rests on besides the work: the code that grades, without the words around it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.machinery import PathFinder
from importlib.metadata import distribution
from pathlib import Path

from coursekit.course import Course, installed_courses, owner_of
from coursekit.grade.rows import key_of
from coursekit.kernel.packed import question_data
from coursekit.model import Exercise
from coursekit.source import PRIVATE

_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
#: What no verdict contains, of what an exercise is declared with.
_WORDS = ("title", "hints")


def basis(exercises: Sequence[Exercise]) -> str:
    """Return a digest of all in a chapter's exercises, and in what they import, that can grade.

    Titles, hints, statements, comments, docstrings and other right answers have no part in it: no
    row contains them. Of what is imported the modules of courses count. The grader has a version of
    its own, and other libraries are taken as they are.
    """
    parts: list[str] = []
    for exercise in sorted(exercises, key=lambda exercise: exercise.id):
        parts += [exercise.id, _grading_code(exercise), exercise.starter]
    for name, file in sorted(_helpers(exercises).items()):
        parts += [name, _code(ast.parse(file.read_bytes()))]
    return key_of(*parts)


def _grading_code(exercise: Exercise) -> str:
    """Return an exercise's questions, or its code and mistakes, without words for readers."""
    if exercise.questions:
        graded = [question_data(question) for question in exercise.auto_graded]
        prose = [replace(question, statement="") for question in exercise.free_text]
        return repr((exercise.version, exercise.practice, graded, prose, exercise.misconceptions))
    tree = ast.parse(exercise.source)
    tree.body = _without_answers(tree.body)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "exercise":
            node.keywords = [k for k in node.keywords if not _is_words(k)]
    return f"{_code(tree)}\n{exercise.misconceptions!r}\n{exercise.wrong!r}"


def _is_words(keyword: ast.keyword) -> bool:
    """Whether it is an argument of words alone; what is computed stays, whatever it does."""
    is_plain = not any(isinstance(part, ast.Name) for part in ast.walk(keyword.value))
    return keyword.arg in _WORDS and is_plain


def _without_answers(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Return a module's statements without its answers, unless others use them."""
    kept = [
        statement
        for statement in body
        if not (
            isinstance(statement, ast.Assign)
            and all(isinstance(t, ast.Name) and t.id in PRIVATE for t in statement.targets)
        )
    ]
    used = {n.id for s in kept for n in ast.walk(s) if isinstance(n, ast.Name)}
    return list(body) if used & PRIVATE else kept


def _code(tree: ast.Module) -> str:
    """Return code in one form, without comments and docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


def _helpers(exercises: Sequence[Exercise]) -> dict[str, Path]:
    """Return the modules of courses that exercises import, directly or not: name to file."""
    courses = [*installed_courses(), *(filter(None, (owner_of(e.path) for e in exercises)))]
    folders: dict[str, Path | None] = {}
    found: dict[str, Path] = {}
    waiting = [name for e in exercises for name in _imported(ast.parse(e.source), "")]
    while waiting:
        name = waiting.pop()
        top = name.partition(".")[0]
        if top not in folders:
            folders[top] = _folder_above(top, courses)
        folder = folders[top]
        file = None if folder is None or name in found else _file(folder, name)
        if file is not None:
            found[name] = file
            package = name if file.name == "__init__.py" else name.rpartition(".")[0]
            waiting += _imported(ast.parse(file.read_bytes()), package)
    return found


def _folder_above(top: str, courses: Iterable[Course]) -> Path | None:
    """Return the folder with a course's package or module; None for those of others."""
    spec = None if top in ("", "coursekit") else PathFinder.find_spec(top)
    if spec is None or not spec.origin:
        return None
    file = Path(spec.origin).resolve()
    if not any(_has(course, top, file) for course in courses):
        return None
    return file.parent.parent if spec.submodule_search_locations else file.parent


def _has(course: Course, top: str, file: Path) -> bool:
    if course.root is None:
        listed = distribution(course.distribution).files or ()
        return any(path.parts[0] in (top, f"{top}.py") for path in listed)
    root = course.root.resolve()  # a virtual environment may lie in it
    return file.is_relative_to(root) and "site-packages" not in file.relative_to(root).parts


def _file(folder: Path, name: str) -> Path | None:
    path = folder.joinpath(*name.split("."))
    candidates = (path / "__init__.py", path.with_name(f"{path.name}.py"))
    return next((file for file in candidates if file.is_file()), None)


def _imported(tree: ast.Module, package: str) -> Iterator[str]:
    """Yield the modules that code may import, with the packages that they are in."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*(above if node.level else ()), *filter(None, [node.module])])
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in names:
            parts = name.split(".")
            yield from (".".join(parts[:length]) for length in range(1, len(parts) + 1))
