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


def test_every_topic_is_in_its_section_with_its_evidence() -> None:
    """All that is missing, at once: the row, the page, and what is not there."""
    assert [f"{row}: {what}" for row in PROMISES for what in _missing(PROMISES[row])] == []


def _missing(promise: dict[str, Any]) -> Iterator[str]:
    """Yield in words what a topic lacks."""
    assert set(promise) == {"kind", "topic", "at"}
    given = {key for place in promise["at"] for key in place} - {"page", "section"}
    yield from (f"unknown evidence {key}" for key in given - EVIDENCE)
    yield from (f"none of {group}" for group in NEEDED[promise["kind"]] if not group & given)
    for place in promise["at"]:
        for page in CHAPTERS if place["page"] == "*" else [place["page"]]:
            at = place | {"page": page}
            for lacks in (_idle, _unsaid, _unused, _unpractised, _unmeasured):
                yield from (f"{page}: {what}" for what in lacks(at, opened(at)))
    if promise["kind"] == "mechanism":
        yield from _untested(promise["at"])


def _idle(place: dict[str, Any], _: Section) -> Iterator[str]:
    """No section is named for nothing."""
    for heading in listed(place, "section"):
        if not any(_evidence(sections(place["page"], heading), place)):
            yield f"“{heading}” has none of what is named"


def _evidence(section: Section, place: dict[str, Any]) -> Iterator[bool]:
    """Yield for each piece of evidence whether this section has it."""
    yield from (words in section.words for words in listed(place, "says"))
    yield from (has(section.used, name) for key in ("uses", "draws") for name in listed(place, key))
    yield from (name in section.experiments for name in listed(place, "experiment"))
    yield from (id in section.exercises for id in listed(place, "exercise"))
    yield from (_is_shown(name, section) for name in listed(place, "explorable"))
    yield "question" in place and section.asks
    yield "points" in place or "directive" in place


def _unsaid(place: dict[str, Any], section: Section) -> Iterator[str]:
    yield from (
        f"does not say {words!r}" for words in listed(place, "says") if words not in section.words
    )
    directives = {each.name for each in section.directives}
    yield from (f"has no {name}" for name in set(listed(place, "directive")) - directives)
    if "question" in place and not section.asks:
        yield "asks nothing"
    if len(re.findall(r"(?m)^- ", section.text)) < place.get("points", 0):
        yield f"has fewer points than {place['points']}"


def _unused(place: dict[str, Any], section: Section) -> Iterator[str]:
    asked = {name for id in section.exercises for name in _used_by_exercise(id)}
    for key, used in (("uses", section.used | asked), ("draws", section.used)):
        for name in listed(place, key):
            if not callable(_found(name)):
                yield f"{name} is no function"
            if not has(used, name):
                yield f"nothing there {key} {name}"


def _unpractised(place: dict[str, Any], section: Section) -> Iterator[str]:
    for id in listed(place, "exercise"):
        if id not in section.exercises:
            yield f"{id} stands elsewhere"
        if BANK[id].points <= 0:
            yield f"{id} is worth nothing"
        if any(len(q.rubric) < 2 or len(q.examples) < 3 for q in BANK[id].free_text):
            yield f"{id} is too thin to be graded by people"
    for name in listed(place, "explorable"):
        if not callable(_found(f"attnlab.explorables.{name}")) or not _is_shown(name, section):
            yield f"{name} is not shown"


def _unmeasured(place: dict[str, Any], section: Section) -> Iterator[str]:
    for name in listed(place, "experiment"):
        if name not in section.experiments:
            yield f"no cell shows the result of {name}"
        if experiments.verdict(name).level == "not learned":
            yield f"{name} was not learned"
        if experiments.claim(name).chapter not in _chapters_of_claims():
            yield f"{name} is not in the page of evidence"


def _untested(places: list[dict[str, Any]]) -> Iterator[str]:
    """Yield tests that mention no function of the topic, and functions that no test mentions."""
    used = {name.rpartition(".")[2] for place in places for name in listed(place, "uses")}
    tested = [test for place in places for test in listed(place, "tests")]
    reached = {test: _reached_by(*test.split("::")) for test in tested}
    yield from (f"{test} is no test of it" for test in tested if not used & reached[test])
    yield from (f"no test mentions {name}" for name in used - set().union(*reached.values()))


def _is_shown(explorable: str, section: Section) -> bool:
    """Tell whether a cell or an exercise of the section shows the explorable."""
    in_exercises = {BANK[id].explorable for id in section.exercises}
    return explorable in in_exercises or has(section.used, f"attnlab.explorables.{explorable}")


def _found(name: str) -> Any:
    """Import what a full name says; ``None`` if there is no such thing."""
    module, _, attribute = name.rpartition(".")
    try:
        return getattr(importlib.import_module(module), attribute, None)
    except ModuleNotFoundError:
        return getattr(_found(module), attribute, None) if "." in module else None


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
    path = ROOT / "tests" / file
    tree = ast.parse(path.read_text(encoding="utf-8") if path.is_file() else "")
    parts: dict[str, ast.AST] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            parts[node.name] = node
        elif isinstance(node, ast.Assign):
            parts |= {name.id: node for name in node.targets if isinstance(name, ast.Name)}
    if test not in parts:
        return frozenset()
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
