"""What can be wrong between the exercises of one chapter."""

from __future__ import annotations

import ast

from coursekit.model import Exercise
from coursekit.source import check_source, top_level_names


def collisions(exercises: tuple[Exercise, ...]) -> list[str]:
    """Return the names by which the exercises of one chapter would disturb each other.

    A chapter is one notebook: all its cells share their names.
    """
    found = []
    owner: dict[str, str] = {}
    for exercise in exercises:
        for name in exercise.names:
            if name in owner:
                found.append(f"{exercise.id} and {owner[name]} both ask for {name!r}")
            owner.setdefault(name, exercise.id)
    for exercise in (e for e in exercises if not e.questions):
        checks = check_source(exercise, *(check.name for check in exercise.checks))
        bound = top_level_names(exercise.setup + "\n" + checks)
        found += [
            f"{exercise.id}: its check code redefines {name!r}, which {owner[name]} asks for"
            for name in sorted(bound & set(owner))
        ]
    return [*found, *_withheld_tools(exercises)]


def _withheld_tools(exercises: tuple[Exercise, ...]) -> list[str]:
    """Return which exercise takes away what another one gives its learner to work with."""
    return [
        f"{exercise.id}: its learner's part imports {name}, which {other.id} withholds"
        for exercise in exercises
        for other in exercises
        for name in sorted(_imported(exercise.setup) & set(other.withhold))
    ]


def _imported(source: str) -> set[str]:
    nodes = (node for node in ast.parse(source).body if isinstance(node, ast.ImportFrom))
    return {f"{node.module}.{alias.name}" for node in nodes for alias in node.names}
