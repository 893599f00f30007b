"""A kind of question is one folder: no other code asks which kind a question is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import coursekit
from coursekit.kinds.registry import KINDS

LIB = Path(coursekit.__file__).parent
#: Without prose, which the model tells from what is graded without a person.
CLASSES = {kind.__name__ for kind in KINDS} - {"FreeText"}
NAMES = {kind.kind for kind in KINDS}
#: Their own folders; parts of drawings, which have kinds of their own; and columns of Brightspace's
#: tables, one of which is called Numeric.
ELSEWHERE = (LIB / "kinds", LIB / "in_page" / "figures", LIB / "lms" / "brightspace.py")


def switches(source: str) -> Iterator[str]:
    """Yield the kinds that a file names: as a class, in a comparison, or in a selector of CSS."""
    yield from CLASSES & set(re.findall(r"(?<!re\.)\b[A-Z]\w+", source))
    yield from NAMES & set(re.findall(r"kind\b\s*[=!]==?\s*['\"](\w+)", source))
    yield from NAMES & set(re.findall(r"\.ck-([\w-]+)\b", source))


def test_no_kind_is_named_outside_of_its_folder() -> None:
    files = [
        path
        for path in LIB.rglob("*.*")
        if path.suffix in (".py", ".ts", ".css") and not any(map(path.is_relative_to, ELSEWHERE))
    ]
    assert len(files) > 200
    named = {path.name: set(switches(path.read_text(encoding="utf-8"))) for path in files}
    assert {name: kinds for name, kinds in named.items() if kinds} == {}


@pytest.mark.parametrize(
    "code",
    ["isinstance(q, Choice)", 'if (q.kind === "parsons")', "kind == 'match'", ".ck-match > p {"],
)
def test_a_switch_would_be_seen(code: str) -> None:
    assert list(switches(code))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.kind)
def test_a_kind_has_its_folder_and_its_words(kind) -> None:
    assert (LIB / "kinds" / kind.kind / "__init__.py").is_file()
    assert (LIB / "kinds" / kind.kind / f"{kind.kind}.ts").is_file()
    assert all(hasattr(coursekit, name) for name in (kind.__name__, *kind.declared_with))
