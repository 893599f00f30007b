"""Read exercise files into a bank."""

from __future__ import annotations

import importlib.util
import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from types import ModuleType

from coursekit.course import course_of, extra_with, installed_course, installed_courses, owner_of
from coursekit.define import Collected, collecting
from coursekit.errors import DefinitionError, MissingExtraError, UnknownError, carrier
from coursekit.mistakes_text import mistakes_in
from coursekit.model import Exercise, withheld_by
from coursekit.source import (
    Sections,
    check_source,
    cut_solution,
    keep_solution,
    learner_setup,
    split,
)

__all__ = [
    "Bank",
    "DefinitionError",
    "UnknownError",
    "check_source",
    "default_folder",
    "exercise_files",
    "installed_exercise",
    "installed_folders",
    "load_bank",
    "load_exercise",
    "load_sources",
]

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

#: From a chapter's folder: texts of mistakes that the exercises of all chapters share.
SHARED = "../mistakes.txt"


class Bank(Mapping[str, Exercise]):
    """The exercises of one or more folders by id, in the order of chapters and file names."""

    def __init__(self, exercises: Mapping[str, Exercise]) -> None:
        self._exercises = dict(exercises)

    def __getitem__(self, id: str) -> Exercise:
        """Return one exercise, or raise `UnknownError`, which names similar ids."""
        try:
            return self._exercises[id]
        except KeyError:
            raise UnknownError("exercise", id, self._exercises) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._exercises)

    def __len__(self) -> int:
        return len(self._exercises)

    def __contains__(self, id: object) -> bool:
        return id in self._exercises

    @property
    def chapters(self) -> tuple[str, ...]:
        """The chapters that have exercises."""
        return tuple(dict.fromkeys(exercise.chapter for exercise in self.values()))

    def chapter(self, chapter: str) -> tuple[Exercise, ...]:
        """Return the exercises of one chapter, or raise `UnknownError`."""
        exercises = tuple(e for e in self.values() if e.chapter == chapter)
        if not exercises:
            raise UnknownError("chapter with exercises", chapter, self.chapters)
        return exercises


def default_folder() -> Path:
    """Return the folder ``exercises/`` of the working directory or of a folder above it.

    Where there is none, return that of the installed course: in its checkout if it is installed
    editable, in its package otherwise.
    """
    here = Path.cwd()
    for folder in (above / "exercises" for above in (here, *here.parents)):
        if folder.is_dir() and exercise_files(folder):
            return folder
    installed = installed_course().folder
    if installed is None:
        raise DefinitionError(
            f"no exercises/ folder in {here} or above it; name one with --exercises DIR"
        )
    return installed


def installed_folders() -> list[Path]:
    """Return the folders ``exercises/`` of all courses in this environment."""
    return [folder for course in installed_courses() if (folder := course.folder)]


def installed_exercise(id: str) -> Exercise:
    """Return an exercise of the course around the working directory, or else of an installed one.

    Raises
    ------
    DefinitionError
        Its file cannot be read.
    UnknownError
        None of them has it.
    """
    around = owner_of(Path.cwd())
    courses = (*([around] if around else []), *installed_courses())
    files = [file for c in courses if c.folder for file in exercise_files(c.folder)]
    for file in files:
        if file.stem == id:
            return load_exercise(file)
    raise UnknownError("exercise", id, {file.stem for file in files})


def exercise_files(folder: Path | str) -> list[Path]:
    """Return the files ``*.py`` below ``folder``, without those whose names start with ``_``."""
    if not Path(folder).is_dir():
        raise DefinitionError(f"no exercise folder at {folder}")
    return sorted(Path(folder).rglob("[!_]*.py"))


def load_bank(*folders: Path | str) -> Bank:
    """Read every exercise below ``folders``, by default those of `default_folder`.

    A file that is below two of them is read once.
    """
    exercises: dict[str, Exercise] = {}
    read: set[Path] = set()
    for folder in folders or (default_folder(),):
        for path in exercise_files(folder):
            if path.resolve() in read:
                continue
            read.add(path.resolve())
            loaded = load_exercise(path)
            if loaded.id in exercises:
                taken = exercises[loaded.id].path
                raise DefinitionError(f"{path}: the id {loaded.id!r} is taken by {taken}")
            exercises[loaded.id] = loaded
    return Bank({id: _with_withheld(each, exercises) for id, each in exercises.items()})


def _with_withheld(exercise: Exercise, exercises: Mapping[str, Exercise]) -> Exercise:
    """Return an exercise with what its learners have to do without, for the chapter's exercises."""
    if exercise.questions:
        return exercise
    chapter = (other for other in exercises.values() if other.chapter == exercise.chapter)
    return replace(exercise, withheld=withheld_by(chapter))


def load_sources(sources: Mapping[Path, str]) -> Bank:
    """Return the bank of exercise files that are in memory alone: their sources by their paths.

    No file is read or written, so that nothing is left behind however the process ends.
    """
    files = (path for path in sorted(sources) if path.suffix == ".py")
    exercises = (load_exercise(path, sources=sources) for path in files)
    return Bank({exercise.id: exercise for exercise in exercises})


def shared_mistakes(folder: Path) -> str:
    """Return the file of texts that the exercises in a chapter's folder share; "" for none."""
    file = folder / SHARED
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def _shared_texts(folder: Path, sources: Mapping[Path, str] | None) -> dict[str, str]:
    file = folder / SHARED
    try:
        return mistakes_in(shared_mistakes(folder) if sources is None else sources.get(file, ""))[0]
    except DefinitionError as error:
        raise DefinitionError(f"{file}: {error}") from None


def load_exercise(
    path: Path | str,
    above: tuple[str, ...] = (),
    sources: Mapping[Path, str] | None = None,
) -> Exercise:
    """Read one exercise file, or raise `DefinitionError`, which tells what to change in it.

    Parameters
    ----------
    path : Path or str
        The file. The exercises that it uses are read from their own files beside it.
    above : tuple of str
        The ids of those that use this one.
    sources : mapping of Path to str, optional
        Files that are read from here instead of from the disk.
    """
    path = Path(path)
    shared = _shared_texts(path.parent, sources)
    try:
        source = path.read_text(encoding="utf-8") if sources is None else sources[path]
        with collecting(source) as collected:
            module = _run(path, source)
        return _with_used(_complete(path, source, collected, module, shared), above, sources)
    except DefinitionError as error:
        raise DefinitionError(f"{path}: {error}") from None
    except (Exception, SystemExit) as error:
        raise DefinitionError(f"{path}: {_told(error, path)}") from error


def _told(error: BaseException, path: Path) -> str:
    """Return what to say of an error that an exercise file raised; it may be a missing extra."""
    missing = isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0]
    if missing:
        for name in {course_of(path).distribution: 0, carrier(): 0}:
            if extra := extra_with(missing, name):
                return str(MissingExtraError(missing, extra, name))
    return f"{type(error).__name__}: {error}"


def _with_used(
    exercise: Exercise, above: tuple[str, ...], sources: Mapping[Path, str] | None
) -> Exercise:
    """Return the exercise with those that it uses, each after all that it needs itself."""
    used: dict[str, Exercise] = {}
    for id in exercise.uses:
        if id in (*above, exercise.id):
            raise DefinitionError(f"uses {id!r}, which uses {exercise.id!r} in turn")
        file = Path(exercise.path).with_name(f"{id}.py")
        if not (file.is_file() if sources is None else file in sources):
            raise DefinitionError(f"uses {id!r}; there is no such exercise in {file.parent}")
        other = load_exercise(file, (*above, exercise.id), sources)
        if other.questions or not other.stand_in:
            raise DefinitionError(
                f"uses {id!r}, which has no stand_in; give it the module whose functions take the "
                "place of an answer that does not pass"
            )
        used |= {each.id: each for each in (*other.used, other)}
    return replace(exercise, used=tuple(used.values()))


def _run(path: Path, source: str) -> ModuleType:
    name = f"exercise_{path.parent.name}_{path.stem}".replace("-", "_")
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None:
        raise DefinitionError("cannot be read as a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    # Python's cached byte code is stale after an edit within the same second that keeps the size.
    exec(compile(source.encode(), str(path), "exec", dont_inherit=True), module.__dict__)
    return module


def _complete(
    path: Path,
    source: str,
    collected: Collected,
    module: ModuleType,
    shared: Mapping[str, str],
) -> Exercise:
    """Return the declared exercise with what only its file tells: statement, source, checks.

    ``shared`` are the texts of mistakes that the course's exercises share.
    """
    declared = collected.exercise
    if declared is None:
        raise DefinitionError("declares neither exercise(...) nor quiz(...)")
    for name in (path.parent.name, path.stem):
        if not _NAME.fullmatch(name):
            raise DefinitionError(
                f"is named {name!r}; expected lower-case words joined by hyphens, as "
                "exercises/<chapter>/<id>.py"
            )
    if not module.__doc__:
        raise DefinitionError("has no statement; start the file with a docstring")
    declared = replace(
        declared,
        id=path.stem,
        chapter=path.parent.name,
        statement=inspect.cleandoc(module.__doc__),
        source=source,
        path=str(path),
    )
    if declared.questions:
        return _complete_quiz(declared)
    checked = _with_checks(declared, collected)
    sections = split(source)
    solution = keep_solution(sections.learner_text)
    mistakes = getattr(module, "MISTAKES", "")
    line = source.count("\n", 0, max(source.find(mistakes), 0)) + 1
    told, wrong = mistakes_in(mistakes, solution, shared=shared, line=line)
    checked = replace(checked, misconceptions=told, wrong=wrong, solution=solution)
    return _complete_code(checked, sections, module)


def _complete_quiz(declared: Exercise) -> Exercise:
    return replace(
        declared,
        starter=declared.answer_cell({}),
        solution=declared.answer_cell(declared.answers),
        checks=tuple(question.check() for question in declared.auto_graded),
    )


def _with_checks(declared: Exercise, collected: Collected) -> Exercise:
    if not collected.checks:
        raise DefinitionError("has no @check")
    names = [check.name for check in collected.checks]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise DefinitionError(f"two checks are called {twice[0]!r}")
    return replace(declared, checks=tuple(collected.checks))


def _complete_code(declared: Exercise, sections: Sections, module: ModuleType) -> Exercise:
    also_right = getattr(module, "ALSO_RIGHT", {})
    return replace(
        declared,
        setup=learner_setup(sections),
        starter=cut_solution(sections.learner_text),
        also_right={name: dedent(code).strip("\n") + "\n" for name, code in also_right.items()},
    )
