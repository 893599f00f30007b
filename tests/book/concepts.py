"""Find where the course teaches its terms, and which chapters use one before.

The glossary's entries are the terms. One that ends with ``Taught in [](chapter.md).`` is taught
there, and chapters before that one link it, to the glossary or to a chapter, where they first use
it. An entry without a place is taught by the glossary: the first chapter that uses it links it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from coursekit.bank.model import Exercise

_GLOSSARY = re.compile(r"(?ms)^```\{glossary\}\n(.*?)^```$")
_PLACE = re.compile(r"Taught in \[\]\(([\w-]+)\.md(?:#([\w-]+))?\)\.\s*\Z")
#: What is not prose, or what no reader sees.
_NO_PROSE = re.compile(
    "|".join(
        (
            r"\A---\n.*?^---$",
            r"^%[^\n]*$",
            r"<!--.*?-->",
            r"^\([\w-]+\)=$",
            r"^#+ [^\n]*$",
            r"^:[\w-]+:[^\n]*$",
            r"\$\$.*?\$\$",
            r"\$[^$\n]*\$",
            r"\{(?:cite(?::\w+)?|math|download)\}`[^`]*`",
        )
    ),
    re.MULTILINE | re.DOTALL,
)
_CODE = re.compile(
    r"(?ms)^(```+)(?:\{(?:code-cell|literalinclude|code-block)\}|python|bash|text).*?^\1$"
)
_SENTENCE = re.compile(r"\"[^\"\n]*(?: [^\"\n]*){3}\"")
_EXERCISE = re.compile(r"(?m)^```+\{exercise\} ([\w-]+)$")
#: ``{term}`words <entry>` ``, and a link with words of its own.
_LINK = re.compile(r"\{(?:term|ref|doc)\}`([^`]*)`|\[([^\]]+)\]\([^)]*\)")


@dataclass(frozen=True)
class Concept:
    """A term, its other names, and where it is taught: a chapter and a section, each perhaps ""."""

    names: tuple[str, ...]
    chapter: str = ""
    section: str = ""

    @property
    def name(self) -> str:
        """The first of its names."""
        return self.names[0]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What finds it in a text: any of its names, in the singular or the plural."""
        names = (re.sub(r" \(.*\)", "", name) for name in self.names)
        words = (re.escape(name).replace(r"\ ", r"[\s-]+") for name in names)
        return re.compile(rf"(?<![\w-])(?:{'|'.join(words)})(?:e?s)?(?!\w)", re.IGNORECASE)


@dataclass(frozen=True)
class EarlyUse:
    """A chapter uses a term before it is taught: at a line, perhaps in an exercise there."""

    chapter: str
    term: str
    line: int
    exercise: str
    words: str


def concepts(glossary: str) -> tuple[Concept, ...]:
    """Return the terms of a glossary page, in its order."""
    found = _GLOSSARY.search(glossary)
    entries = re.split(r"\n\n(?=\S)", found[1].strip()) if found else []
    made = []
    for entry in entries:
        names = tuple(line for line in entry.splitlines() if line and not line.startswith(" "))
        place = _PLACE.search(entry)
        made.append(Concept(names, *((place[1], place[2] or "") if place else ())))
    return tuple(made)


def early_uses(
    terms: Sequence[Concept], chapters: Mapping[str, str], bank: Mapping[str, Exercise]
) -> Iterator[EarlyUse]:
    """Yield each chapter's first use of a term before it is taught, unless it is linked there.

    Parameters
    ----------
    terms : sequence of Concept
        What is taught.
    chapters : mapping of str to str
        MyST by chapter, in the order of reading.
    bank : mapping of str to Exercise
        The exercises that the chapters show: their words count.
    """
    known = {term for term in terms if term.chapter and term.chapter not in chapters}
    for chapter, text in chapters.items():
        known |= {term for term in terms if term.chapter == chapter}
        parts = list(_parts(text, bank))
        for term in terms:
            if term in known:
                continue
            use = next(_uses(term, parts), None)
            if use is None:
                continue
            line, exercise, is_linked, words = use
            if not term.chapter:
                known.add(term)
            if not is_linked:
                yield EarlyUse(chapter, term.name, line, exercise, words)


def _uses(
    term: Concept, parts: Sequence[tuple[int, str, str]]
) -> Iterator[tuple[int, str, bool, str]]:
    for start, exercise, text in parts:
        linked = [link.span() for link in _LINK.finditer(text)]
        for found in term.pattern.finditer(text):
            line = start if exercise else start + text.count("\n", 0, found.start())
            is_linked = any(a <= found.start() < b for a, b in linked)
            around = text[max(0, found.start() - 50) : found.end() + 50]
            yield line, exercise, is_linked, " ".join(around.split())


def _parts(text: str, bank: Mapping[str, Exercise]) -> Iterator[tuple[int, str, str]]:
    """Yield what a page says, in pieces: the line, the exercise or "", the prose."""
    prose = _NO_PROSE.sub(_blank, _CODE.sub(_sentences, text))
    start = 0
    for found in _EXERCISE.finditer(prose):
        line = prose.count("\n", 0, start) + 1
        yield line, "", prose[start : found.start()]
        start = found.end()
        if found[1] in bank:
            exercise = bank[found[1]]
            said = _NO_PROSE.sub(_blank, _CODE.sub(_blank, exercise_text(exercise)))
            yield prose.count("\n", 0, start) + 1, exercise.id, said
    yield prose.count("\n", 0, start) + 1, "", prose[start:]


def exercise_text(exercise: Exercise) -> str:
    """Return what an exercise says before it is answered: statement, starter, hints, options."""
    asked = [each.statement for each in exercise.questions]
    options = [
        option.text
        for question in exercise.questions
        for option in getattr(question, "options", {}).values()
    ]
    said = (exercise.title, exercise.statement, *asked, *options, exercise.starter, *exercise.hints)
    return "\n\n".join(said)


def _blank(found: re.Match[str]) -> str:
    """Return as many lines, without their words."""
    return "\n" * found[0].count("\n")


def _sentences(found: re.Match[str]) -> str:
    """Return as many lines, with the sentences that code shows to readers."""
    if "{code-cell}" not in found[0] or "remove-cell" in found[0]:
        return _blank(found)
    lines = found[0].splitlines()
    return "\n".join(" ".join(_SENTENCE.findall(line)) for line in lines)
