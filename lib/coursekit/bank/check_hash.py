"""Hash what grades an exercise, so that a change shows although its version stayed."""

from __future__ import annotations

import ast
import hashlib
import json
from typing import Any

from coursekit.bank.model import Exercise
from coursekit.bank.source import PRIVATE, declares_mistake, split


def check_hash(exercise: Exercise) -> str:
    """Return the hash of an exercise's checks, or of its questions' answers.

    Sentences, comments, imports and the form of the code have no part in it: a check that is worded
    better stays the same check.
    """
    if exercise.questions:
        graded = json.dumps([_without_messages(q.as_json()) for q in exercise.questions])
    else:
        sections = split(exercise.source)
        code = [
            s
            for s in (*sections.head, *sections.tail)
            if not (s.binds & PRIVATE or declares_mistake(s.node))
        ]
        imports = (ast.Import, ast.ImportFrom)
        graded = "\n".join(_values(s.text) for s in code if not isinstance(s.node, imports))
    return hashlib.sha256(graded.encode()).hexdigest()[:12]


def _values(code: str) -> str:
    """Return code in one form and without sentences, which are strings with a space."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            node.values = []
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            node.value = ""
    return ast.unparse(tree)


def _without_messages(data: Any) -> Any:
    """Return a question's data without its messages."""
    if isinstance(data, dict):
        return {k: _without_messages(v) for k, v in data.items() if not k.endswith("_message")}
    return [_without_messages(each) for each in data] if isinstance(data, list) else data
