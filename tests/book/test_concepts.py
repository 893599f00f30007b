"""No chapter uses a term of the glossary before it is taught, unless it is linked there."""

from __future__ import annotations

import re

import pytest

from coursekit.bank.load import Bank
from tests.course import BANK
from tools.site.project import Project

from .concepts import Concept, concepts, early_uses

#: Terms that a chapter still uses too early. This list may only become shorter.
TOO_EARLY: set[tuple[str, str]] = set()
#: What two readers looked for and did not find.
WANTED = {
    "ablation", "attention sink", "base (of rotary positions)", "cosine", "dropout",
    "layer normalisation", "logit", "logsumexp", "nn.Module", "one-hot", "padding", "perplexity",
    "rank", "residual connection", "rotary positions", "sliding window", "stable softmax",
    "standard error",
}  # fmt: skip


@pytest.fixture(scope="module")
def bank(project: Project) -> Bank:
    return BANK


def text(project: Project, page: str) -> str:
    return (project.book / f"{page}.md").read_text(encoding="utf-8")


def test_no_term_comes_before_its_time(project: Project, bank: Bank) -> None:
    order = [file.stem for file in project.chapters() if file.stem in bank.chapters]
    texts = {chapter: text(project, chapter) for chapter in order}
    found = {
        (use.chapter, use.term): f"{use.chapter}.md:{use.line} {use.exercise} …{use.words}…"
        for use in early_uses(concepts(text(project, "glossary")), texts, bank)
    }
    assert [found[use] for use in found.keys() - TOO_EARLY] == []
    assert TOO_EARLY - found.keys() == set()  # mended: take it out of the list


def test_every_place_that_the_glossary_names_is_there(project: Project) -> None:
    terms = concepts(text(project, "glossary"))
    assert {term.name for term in terms} >= WANTED
    assert len({name for term in terms for name in term.names}) == sum(len(t.names) for t in terms)
    for term in terms:
        if term.section:
            headings = re.findall(r"(?m)^#+ (.*)$", text(project, term.chapter))
            anchors = {
                re.sub(r"[^\w\s-]", "", h).strip().lower().replace(" ", "-") for h in headings
            }
            assert term.section in anchors, term
        elif term.chapter:
            assert (project.book / f"{term.chapter}.md").exists(), term


GLOSSARY = """# Glossary

```{glossary}
cold start
slow start
    No fuel yet.

    Taught in [](later.md#fuel).

rank (of a matrix)
    Its rows.
```
"""


def uses(**chapters: str) -> list[tuple[str, str, int]]:
    found = early_uses(concepts(GLOSSARY), chapters, {})
    return [(use.chapter, use.term, use.line) for use in found]


def test_a_glossary_says_what_is_taught_where() -> None:
    assert concepts(GLOSSARY) == (
        Concept(("cold start", "slow start"), "later", "fuel"),
        Concept(("rank (of a matrix)",)),
    )


@pytest.mark.parametrize(
    "said",
    [
        "A cold start.",
        "Two slow\nstarts.",
        "Cold-start trouble.",
        "|a|\n|-|\n|cold start|",
        '```{code-cell}\ndraw("What a cold start is")\n```',
        ":::{dropdown} Why a cold start?\nSo.\n:::",
    ],
)
def test_a_use_before_the_chapter_is_found(said: str) -> None:
    (use,) = uses(first=f"# First\n\n{said}\n", later="# Later\n\nA cold start.\n")
    assert use[:2] == ("first", "cold start")
    assert use[2] in (3, 4, 5)


@pytest.mark.parametrize(
    "said",
    [
        "A {term}`cold start`, and another cold start.",
        "{term}`Starting cold <cold start>`. A cold start.",
        "[a cold start](later.md) and a cold start",
        "# A cold start\n\nA {term}`cold start`.",
        "A scold starts, frankly.",
        "```{code-cell}\ncold start\n```",
        "$cold start$ {cite}`cold start`\n\n(cold-start)=",
    ],
)
def test_what_is_linked_or_no_use_is_not_found(said: str) -> None:
    assert uses(first=f"# First\n\n{said}\n", later="# Later\n\nA cold start.\n") == []


def test_a_term_without_a_place_is_linked_by_the_first_chapter() -> None:
    texts = {"first": "By rank.\n", "second": "A rank.\n", "later": ""}
    assert uses(**texts) == [("first", "rank (of a matrix)", 1)]
    assert uses(**texts | {"first": "By {term}`rank <rank (of a matrix)>`.\n"}) == []
