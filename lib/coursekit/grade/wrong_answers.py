"""The code of wrong answers, in a form in which equal mistakes are equal. It is never run."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import lru_cache

from coursekit.judge.verdict import Verdict

#: Longest source that is parsed, and the most of it that a row keeps (characters).
_LONGEST, _KEPT = 20_000, 800


def wrong_answers(
    verdicts: Iterable[Verdict], source_of: Callable[[str], str | None]
) -> dict[str, str]:
    """Return the code of each exercise of which a check has failed, where there is an answer.

    ``source_of`` gives the source of an exercise's answer cell; None where it is missing.
    """
    failed = dict.fromkeys(verdict.exercise for verdict in verdicts if verdict.is_wrong)
    sources = {exercise: source_of(exercise) for exercise in failed}
    return {exercise: plain_code(source) for exercise, source in sources.items() if source}


@lru_cache(maxsize=512)
def plain_code(source: str) -> str:
    """Return code without comments, docstrings and differences of form, cut to a length.

    What is not Python loses the blanks at its lines' ends alone.
    """
    try:
        tree = ast.parse(source if len(source) <= _LONGEST else "?")
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node):
                node.body = node.body[1:] or [ast.Pass()]
        text = ast.unparse(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        text = "\n".join(
            line.rstrip() for line in source[:_LONGEST].expandtabs().strip().splitlines()
        )
    return text if len(text) <= _KEPT else f"{text[:_KEPT]}…"


def answer_to(check: str, code: str) -> str:
    """Return the part of a quiz's answer that sets the check's variable, or else all of it."""
    lines = [line for line in code.splitlines() if line.startswith(f"{check} = ")]
    return lines[-1] if lines else code
