"""Find conflicts between the exercises of one chapter."""

from __future__ import annotations

import ast

from coursekit.bank.model import Exercise
from coursekit.bank.source import top_level_names


def collisions(exercises: tuple[Exercise, ...]) -> list[str]:
    """Return the conflicts between the names of one chapter's exercises, a sentence each.

    A chapter is one notebook, whose cells share one namespace.
    """
    conflicts = []
    owner: dict[str, str] = {}
    for exercise in exercises:
        # A check may ask for what an earlier step defines as well.
        earlier = {name for used in exercise.used for name in used.names}
        for name in exercise.names:
            if name in owner and name not in earlier:
                conflicts.append(f"{exercise.id} and {owner[name]} both ask for {name!r}")
            owner.setdefault(name, exercise.id)
    for exercise in (e for e in exercises if not e.questions):
        conflicts += [
            f"{exercise.id}: its setup redefines {name!r}, which {owner[name]} asks for"
            for name in sorted(top_level_names(exercise.setup) & set(owner))
        ]
    return [*conflicts, *_withheld_tools(exercises)]


def _withheld_tools(exercises: tuple[Exercise, ...]) -> list[str]:
    """Return which exercises withhold a function that another one lets its learner import."""
    return [
        f"{exercise.id}: its learner's part imports {name}, which {other.id} withholds"
        for exercise in exercises
        for other in exercises
        for name in sorted(_imported(exercise.setup) & set(other.withhold))
    ]


def _imported(source: str) -> set[str]:
    nodes = (node for node in ast.parse(source).body if isinstance(node, ast.ImportFrom))
    return {f"{node.module}.{alias.name}" for node in nodes for alias in node.names}
