"""Every topic that the course promised is in its section, with the evidence of its kind.

`promises.toml` says where. Here the pages are opened, and the evidence is looked for in them.
"""

from __future__ import annotations

import ast
import importlib
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from attnlab import experiments
from coursekit.routes import load_routes
from tests.course import BANK

from .sections import BOOK, Section, full_name, imported, sections, used_names

ROOT = BOOK.parent
CHAPTERS = tuple(load_routes(ROOT / "exercises", BANK)["whole"].chapters)
PROMISES = tomllib.loads((Path(__file__).parent / "promises.toml").read_text(encoding="utf-8"))
#: For each kind, groups of evidence: its places together have at least one of each group.
NEEDED = {
    "mechanism": ({"uses"}, {"tests"}, {"exercise", "explorable"}),
    "claim": ({"experiment"},),
    "text": ({"says", "points"}, {"exercise", "question", "directive"}),
    "figure": ({"draws"},),
    "assessment": ({"exercise"},),
}
EVIDENCE = {
    *("says", "uses", "tests", "exercise", "explorable", "experiment", "draws", "directive"),
    *("points", "question"),
}
PLACES = [
    pytest.param(row, place | {"page": page}, id=f"{row}-{page}-{number}")
    for row, promise in PROMISES.items()
    for number, place in enumerate(promise["at"])
    for page in (CHAPTERS if place["page"] == "*" else [place["page"]])
]


def listed(place: dict[str, Any], key: str) -> list[Any]:
    """Return what a place says under a key: one thing, several or none."""
    value = place.get(key, [])
    return value if isinstance(value, list) else [value]


def opened(place: dict[str, Any]) -> Section:
    return sections(place["page"], *listed(place, "section"))


def has(names: set[str], wanted: str) -> bool:
    """Tell whether a name or an attribute of it is among ``names``."""
    return any(f"{name}.".startswith(f"{wanted}.") for name in names)


def test_all_fifty_are_there() -> None:
    assert list(PROMISES) == [f"R{number:02}" for number in range(1, 51)]
    topics = [promise["topic"] for promise in PROMISES.values()]
    assert len(set(topics)) == len(topics)


@pytest.mark.parametrize("row", PROMISES)
def test_the_evidence_of_its_kind(row: str) -> None:
    promise = PROMISES[row]
    assert set(promise) == {"kind", "topic", "at"}
    assert all(set(place) <= {"page", "section"} | EVIDENCE for place in promise["at"])
    given = {key for place in promise["at"] for key in place}
    missing = [group for group in NEEDED[promise["kind"]] if not group & given]
    assert missing == []


@pytest.mark.parametrize(("row", "place"), PLACES)
def test_each_section_has_evidence_of_its_own(row: str, place: dict[str, Any]) -> None:
    """No section is named for nothing."""
    for heading in listed(place, "section"):
        section = sections(place["page"], heading)
        assert any(_evidence(section, place)), f"{row}: “{heading}” has none of what is named"


def _evidence(section: Section, place: dict[str, Any]) -> Iterator[bool]:
    """Yield for each piece of evidence whether this section has it."""
    yield from (words in section.words for words in listed(place, "says"))
    yield from (has(section.used, name) for key in ("uses", "draws") for name in listed(place, key))
    yield from (name in section.experiments for name in listed(place, "experiment"))
    yield from (id in section.exercises for id in listed(place, "exercise"))
    yield from (_is_shown(name, section) for name in listed(place, "explorable"))
    yield "question" in place and section.asks
    yield "points" in place or "directive" in place


@pytest.mark.parametrize(("row", "place"), PLACES)
def test_the_section_says_and_asks_it(row: str, place: dict[str, Any]) -> None:
    section = opened(place)
    assert [words for words in listed(place, "says") if words not in section.words] == []
    directives = {each.name for each in section.directives}
    assert set(listed(place, "directive")) <= directives
    assert section.asks or "question" not in place
    points = len(re.findall(r"(?m)^- ", section.text))
    assert points >= place.get("points", 0)


@pytest.mark.parametrize(("row", "place"), PLACES)
def test_the_section_uses_and_draws_it(row: str, place: dict[str, Any]) -> None:
    section = opened(place)
    asked = {name for id in section.exercises for name in _used_by_exercise(id)}
    for name in listed(place, "uses"):
        assert callable(_found(name))
        assert has(section.used | asked, name), f"{row}: neither cells nor exercises use {name}"
    for name in listed(place, "draws"):
        assert callable(_found(name))
        assert has(section.used, name), f"{row}: no cell draws with {name}"


@pytest.mark.parametrize(("row", "place"), PLACES)
def test_the_section_has_its_exercises(row: str, place: dict[str, Any]) -> None:
    section = opened(place)
    for id in listed(place, "exercise"):
        assert id in section.exercises, f"{row}: {id} stands elsewhere"
        assert BANK[id].points > 0
        assert all(len(q.rubric) >= 2 and len(q.examples) >= 3 for q in BANK[id].free_text)
    for name in listed(place, "explorable"):
        assert callable(_found(f"attnlab.explorables.{name}"))
        assert _is_shown(name, section), f"{row}: {name} is not shown"


@pytest.mark.parametrize(("row", "place"), PLACES)
def test_the_section_shows_its_experiments(row: str, place: dict[str, Any]) -> None:
    section = opened(place)
    for name in listed(place, "experiment"):
        assert name in section.experiments, f"{row}: no cell shows the result of {name}"
        assert experiments.verdict(name).level != "not learned"
        assert experiments.claim(name).chapter in _chapters_of_claims(), "not in the evidence page"


@pytest.mark.parametrize("row", [row for row in PROMISES if PROMISES[row]["kind"] == "mechanism"])
def test_mechanisms_are_compared_and_practised(row: str) -> None:
    places = PROMISES[row]["at"]
    used = {name.rpartition(".")[2] for place in places for name in listed(place, "uses")}
    tested = [test for place in places for test in listed(place, "tests")]
    reached = {test: _reached_by(*test.split("::")) for test in tested}
    assert [test for test, names in reached.items() if not used & names] == []
    assert used - set().union(*reached.values()) == set(), "no test mentions it"


def _is_shown(explorable: str, section: Section) -> bool:
    """Tell whether a cell or an exercise of the section shows the explorable."""
    in_exercises = {BANK[id].explorable for id in section.exercises}
    return explorable in in_exercises or has(section.used, f"attnlab.explorables.{explorable}")


def _found(name: str) -> Any:
    """Import what a full name says."""
    module, _, attribute = name.rpartition(".")
    try:
        return getattr(importlib.import_module(module), attribute)
    except ModuleNotFoundError:
        return getattr(_found(module), attribute)


@cache
def _used_by_exercise(id: str) -> frozenset[str]:
    """Return full names that an exercise uses, or takes away because they are its answer."""
    tree = ast.parse((ROOT / "exercises" / BANK[id].path).read_text(encoding="utf-8"))
    return frozenset(used_names(tree, imported(tree)) | set(BANK[id].withhold))


@cache
def _chapters_of_claims() -> frozenset[str]:
    """Return the chapters whose claims the page of evidence lists."""
    pages = (BOOK / f"{name}.md" for name in ("evidence", "evidence-in-use"))
    calls = (
        call
        for page in pages
        for cell in Section(page.read_text(encoding="utf-8"), {}).cells
        for call in ast.walk(cell)
        if isinstance(call, ast.Call)
        and full_name(call.func, {"evidence": "evidence"}) == "evidence.claims"
    )
    return frozenset(
        str(arg.value) for call in calls for arg in call.args if isinstance(arg, ast.Constant)
    )


@cache
def _reached_by(file: str, test: str) -> frozenset[str]:
    """Return the names that a test mentions, itself or in what it uses of its own module."""
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    parts: dict[str, ast.AST] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            parts[node.name] = node
        elif isinstance(node, ast.Assign):
            parts |= {name.id: node for name in node.targets if isinstance(name, ast.Name)}
    assert test in parts, f"{file} has no {test}"
    renamed = {name: full.rpartition(".")[2] for name, full in imported(tree).items()}
    reached, waiting = set(), [test]
    while waiting:
        for node in ast.walk(parts[waiting.pop()]):
            name = getattr(node, "attr", None) or getattr(node, "id", None)
            name = getattr(node, "arg", None) or name  # a fixture
            if name and name not in reached:
                reached |= {name, renamed.get(name, name)}
                waiting += [name] if name in parts else []
    return frozenset(reached)
