"""No chapter uses a term of the glossary before it is taught, unless it is linked there.

An entry that ends with ``Taught in [](chapter.md).`` is taught there, and chapters before that one
link it where they first use it. An entry without a place is taught by the glossary: the first
chapter that uses it links it. A link carries the definition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from coursekit.model import Exercise
from tests.course import BANK
from tools.site.project import Project

PLACE = re.compile(r"Taught in \[\]\(([\w-]+)\.md(?:#([\w-]+))?\)\.\s*\Z")
#: What is no prose, or what no reader sees.
NO_PROSE = re.compile(
    r"\A---\n.*?^---$|^%[^\n]*$|<!--.*?-->|^\([\w-]+\)=$|^#+ [^\n]*$|^:[\w-]+:[^\n]*$|\$\$.*?\$\$"
    r"|\$[^$\n]*\$|\{(?:cite(?::\w+)?|math|download)\}`[^`]*`",
    re.MULTILINE | re.DOTALL,
)
CODE = re.compile(
    r"(?ms)^(```+)(?:\{(?:code-cell|literalinclude|code-block)\}|python|bash|text).*?^\1$"
)
#: What code shows to readers.
SENTENCE = re.compile(r"\"[^\"\n]*(?: [^\"\n]*){3}\"")
EXERCISE = re.compile(r"(?m)^```+\{exercise\} ([\w-]+)$")
#: ``{term}`words <entry>` ``, and a link with words of its own.
LINK = re.compile(r"\{(?:term|ref|doc)\}`([^`]*)`|\[([^\]]+)\]\([^)]*\)")

Terms = dict[tuple[str, ...], tuple[str, str]]


def terms_of(glossary: str) -> Terms:
    """Return the names of each term, with the chapter and the section that teach it, or ""."""
    found = re.search(r"(?ms)^```\{glossary\}\n(.*?)^```$", glossary)
    terms = {}
    for entry in re.split(r"\n\n(?=\S)", found[1].strip()) if found else []:
        names = tuple(line for line in entry.splitlines() if line and not line.startswith(" "))
        place = PLACE.search(entry)
        terms[names] = (place[1], place[2] or "") if place else ("", "")
    return terms


def pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return what finds a term in a text: any of its names, in the singular or the plural."""
    bare = (re.escape(re.sub(r" \(.*\)", "", name)).replace(r"\ ", r"[\s-]+") for name in names)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(bare)})(?:e?s)?(?!\w)", re.IGNORECASE)


def exercise_text(exercise: Exercise) -> str:
    """Return what an exercise says before it is answered: statement, starter, hints, options."""
    asked = [each.statement for each in exercise.questions]
    for question in exercise.questions:
        asked += [option.text for option in getattr(question, "options", {}).values()]
    said = (exercise.title, exercise.statement, *asked, exercise.starter, *exercise.hints)
    return CODE.sub("", "\n\n".join(said))


def prose(text: str) -> str:
    """Return what a page says to its readers, with its exercises."""

    def shown(code: re.Match[str]) -> str:
        is_seen = "{code-cell}" in code[0] and "remove-cell" not in code[0]
        return "\n".join(SENTENCE.findall(code[0])) if is_seen else ""

    def asked(found: re.Match[str]) -> str:
        return exercise_text(BANK[found[1]]) if found[1] in BANK else ""

    return NO_PROSE.sub("", EXERCISE.sub(asked, CODE.sub(shown, text)))


def early_uses(terms: Terms, chapters: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yield chapter, term and words of each first use before its time that is not linked."""
    known = {names for names, (taught, _) in terms.items() if taught and taught not in chapters}
    for chapter, text in chapters.items():
        known |= {names for names, (taught, _) in terms.items() if taught == chapter}
        said = prose(text)
        linked = [link.span() for link in LINK.finditer(said)]
        for names in [each for each in terms if each not in known]:
            if not (use := pattern(names).search(said)):
                continue
            if not terms[names][0]:
                known.add(names)
            if not any(a <= use.start() < b for a, b in linked):
                yield chapter, names[0], said[max(0, use.start() - 50) : use.end() + 50]


def text(project: Project, page: str) -> str:
    return (project.book / f"{page}.md").read_text(encoding="utf-8")


def test_no_term_comes_before_its_time(project: Project) -> None:
    order = [file.stem for file in project.chapters() if file.stem in BANK.chapters]
    texts = {chapter: text(project, chapter) for chapter in order}
    assert list(early_uses(terms_of(text(project, "glossary")), texts)) == []


def test_every_place_that_the_glossary_names_is_there(project: Project) -> None:
    terms = terms_of(text(project, "glossary"))
    assert len({name for names in terms for name in names}) == sum(map(len, terms))
    for names, (chapter, section) in terms.items():
        headings = re.findall(r"(?m)^#+ (.*)$", text(project, chapter)) if chapter else []
        anchors = {re.sub(r"[^\w\s-]", "", h).strip().lower().replace(" ", "-") for h in headings}
        assert not section or section in anchors, names


@pytest.mark.heavy
def test_every_link_to_a_term_has_the_first_paragraph_of_its_entry(site: Path) -> None:
    def read(path: Path) -> BeautifulSoup:
        return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")

    glossary, found = read(site / "glossary.html"), 0
    for path in site.glob("*.html"):
        for link in read(path).select("article a.internal[href*='#term-']:not(.headerlink)"):
            entry = glossary.find(id=link["href"].partition("#")[2]).find_next("dd")
            assert link["title"] == " ".join(entry.p.get_text().split()), (path.name, link)
            assert "term" in link["class"]
            found += 1
    assert found > 20
