"""Read exercise files into a bank."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from types import ModuleType

from coursekit.define import Collected, collecting
from coursekit.errors import DefinitionError, UnknownError
from coursekit.model import Exercise, Wrong
from coursekit.source import check_source, cut_solution, keep_solution, learner_setup, split

__all__ = [
    "Bank",
    "DefinitionError",
    "UnknownError",
    "check_source",
    "default_folder",
    "exercise_files",
    "installed_folders",
    "load_bank",
    "load_exercise",
]


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

    def __contains__(self, id: object) -> bool:
        return id in self._exercises

    @property
    def chapters(self) -> tuple[str, ...]:
        """Chapters that have exercises."""
        return tuple(dict.fromkeys(exercise.chapter for exercise in self.values()))

    def chapter(self, chapter: str) -> tuple[Exercise, ...]:
        """Return the exercises of one chapter; an unknown chapter lists the nearest."""
        found = tuple(e for e in self.values() if e.chapter == chapter)
        if not found:
            raise UnknownError("chapter with exercises", chapter, self.chapters)
        return found


def default_folder() -> Path:
    """Return the ``exercises/`` of the working directory or above it, or else the course's own.

    That is the repository's, when coursekit is installed editable, or those of `installed_folders`.
    """
    here = Path.cwd()
    above = [folder / "exercises" for folder in (here, *here.parents)]
    repository = Path(__file__).resolve().parents[2] / "exercises"
    for folder in (*above, repository):
        if folder.is_dir() and exercise_files(folder):
            return folder
    for folder in installed_folders():
        return folder
    raise DefinitionError(
        f"no exercises/ folder in {here} or above it; name one with --exercises DIR"
    )


def installed_folders() -> list[Path]:
    """Return the folders ``exercises/`` that installed packages carry.

    A package announces its own by an entry point of the group ``coursekit.exercises``, whose value
    is the package's name.
    """
    from importlib.metadata import entry_points  # dear to import, and seldom needed

    found = (importlib.util.find_spec(e.value) for e in entry_points(group="coursekit.exercises"))
    places = [place for spec in found if spec for place in spec.submodule_search_locations or ()]
    return [path for place in places if (path := Path(place) / "exercises").is_dir()]


def exercise_files(folder: Path | str) -> list[Path]:
    """Return the ``*.py`` below ``folder``, those whose name starts with ``_`` excepted."""
    if not Path(folder).is_dir():
        raise DefinitionError(f"no exercise folder at {folder}")
    return sorted(Path(folder).rglob("[!_]*.py"))


def load_bank(*folders: Path | str) -> Bank:
    """Read every exercise below ``folders``, by default those of `default_folder`.

    A file that lies below two of them is read once.
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
    return Bank(exercises)


def load_exercise(path: Path | str) -> Exercise:
    """Read one exercise file, or raise `DefinitionError` that names the file and the mend."""
    path = Path(path)
    try:
        with collecting() as collected:
            module = _run(path)
        return _complete(path, collected, module)
    except DefinitionError as error:
        raise DefinitionError(f"{path}: {error}") from None
    except (Exception, SystemExit) as error:
        raise DefinitionError(f"{path}: {type(error).__name__}: {error}") from error


def _run(path: Path) -> ModuleType:
    name = f"exercise_{path.parent.name}_{path.stem}".replace("-", "_")
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None:
        raise DefinitionError("cannot be read as a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    # Compiled here: byte code cached by Python is stale after an edit of the same second and size.
    exec(compile(path.read_bytes(), str(path), "exec", dont_inherit=True), module.__dict__)
    return module


def _complete(path: Path, collected: Collected, module: ModuleType) -> Exercise:
    """Return what the file declared, with what is read from the file itself."""
    declared = collected.exercise
    if declared is None:
        raise DefinitionError("declares neither exercise(...) nor quiz(...)")
    if (path.parent.name, path.stem) != (declared.chapter, declared.id):
        wanted = f"{declared.chapter}/{declared.id}.py"
        raise DefinitionError(
            f"declares the id {declared.id!r} of the chapter {declared.chapter!r}; "
            f"change these, or name the file {wanted}"
        )
    if not module.__doc__:
        raise DefinitionError("has no statement; start the file with a docstring")
    declared = replace(
        declared,
        statement=inspect.cleandoc(module.__doc__),
        source=path.read_text(encoding="utf-8"),
        path=str(path),
    )
    if declared.questions:
        return _complete_quiz(declared)
    return _complete_code(declared, collected, module)


def _complete_quiz(declared: Exercise) -> Exercise:
    return replace(
        declared,
        starter=declared.answer_cell({}),
        solution=declared.answer_cell(declared.answers),
        checks=tuple(question.check() for question in declared.auto_graded),
    )


def _complete_code(declared: Exercise, collected: Collected, module: ModuleType) -> Exercise:
    if not collected.checks:
        raise DefinitionError("has no @check")
    names = [check.name for check in collected.checks]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise DefinitionError(f"two checks are called {twice[0]!r}")
    for name, wrong in dict(getattr(module, "WRONG", {})).items():
        if not isinstance(wrong, Wrong):
            raise DefinitionError(f"WRONG[{name!r}] is {wrong!r}; expected wrong(...)")
    parts = split(declared.source)
    also_right = getattr(module, "ALSO_RIGHT", {})
    return replace(
        declared,
        setup=learner_setup(parts),
        starter=cut_solution(parts.learner_text),
        solution=keep_solution(parts.learner_text),
        checks=tuple(collected.checks),
        wrong=dict(getattr(module, "WRONG", {})),
        also_right={name: dedent(code).strip("\n") + "\n" for name, code in also_right.items()},
    )
