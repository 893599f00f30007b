"""How long a chapter takes, computed from what is on it: words, figures, questions, code tasks.

A section whose heading begins with "Deeper: " is not needed on a first way through: pages fold it,
and its time is counted apart.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from coursekit.command import counted
from coursekit.model import Choice, Exercise
from coursekit.notebook.myst import Directive, parse, read_directive
from coursekit.quoted import NUMBER

#: How the heading of a section begins that goes deeper.
DEEPER = "Deeper: "

WORDS_A_MINUTE = 130
#: Minutes for each.
CODE_TASK, FREE_TEXT, FIGURE, QUESTION = 11.0, 8.0, 6.0, 1.5
#: Exercises that ask for more are more than one task.
FUNCTIONS_A_TASK = 3
RULE = (
    f"{WORDS_A_MINUTE} words a minute, formulas and shown code included; {CODE_TASK:g} minutes for "
    f"a code task of up to {FUNCTIONS_A_TASK} functions, {FREE_TEXT:g} for an answer in your own "
    f"words, {FIGURE:g} for a figure to touch or lines to order, {QUESTION:g} for another question"
)

_WORD = re.compile(r"[^\W_]+(?:[’'-][^\W_]+)*")
_EXPLORABLE = re.compile(r"\bexplorables\.[A-Z]\w*\(|\.explorables import")
_HIDDEN = re.compile(r"hide-(?:input|cell)|remove-(?:input|cell)")
_READ = frozenset({"text", "code_inline", "math_inline", "math_inline_double"})


@dataclass(frozen=True)
class Time:
    """Minutes: what everybody needs, and what goes deeper."""

    core: float = 0.0
    deeper: float = 0.0

    def __add__(self, other: Time) -> Time:
        return Time(self.core + other.core, self.deeper + other.deeper)

    @property
    def minutes(self) -> tuple[int, int]:
        """Both to five minutes; what there is takes five at least."""
        return _to_five(self.core), _to_five(self.deeper)

    @property
    def in_table(self) -> str:
        """``50 + 25``, or ``50`` where nothing goes deeper."""
        return " + ".join(str(each) for each in self.minutes if each)

    def __str__(self) -> str:
        """``about 50 minutes, and 25 for what goes deeper``; from two hours on, in hours."""
        if self.core >= 115:
            core, deeper = (_to_half_an_hour(each) for each in (self.core, self.deeper))
            said = f"about {counted(core, 'hour')}"
        else:
            core, deeper = self.minutes
            said = f"about {counted(core, 'minute')}"
        return f"{said}, and {deeper:g} for what goes deeper" if deeper else said


def chapter_time(text: str, bank: Mapping[str, Exercise]) -> Time:
    """Return how long a chapter takes.

    Parameters
    ----------
    text : str
        Its MyST, front matter included.
    bank : mapping of str to Exercise
        The exercises that it may show. Others that it names take no time.
    """
    core = deeper = depth = 0.0
    for level, title, minutes in _sections(text, bank):
        if not depth or level <= depth:
            depth = level if title.startswith(DEEPER) else 0
        if depth:
            deeper += minutes
        else:
            core += minutes
    return Time(core, deeper)


def deeper_minutes(text: str, bank: Mapping[str, Exercise]) -> list[int]:
    """Return the minutes of each section of a chapter that goes deeper, in order."""
    found, sections = [], list(_sections(text, bank))
    for at, (depth, title, _) in enumerate(sections):
        if title.startswith(DEEPER):
            after = (n for n, (level, *_) in enumerate(sections) if n > at and level <= depth)
            found.append(_to_five(sum(s[2] for s in sections[at : next(after, None)])))
    return found


def _sections(text: str, bank: Mapping[str, Exercise]) -> Iterator[tuple[int, str, float]]:
    """Yield level, title and minutes of each section, those below it apart."""
    lines, tokens = text.splitlines(), parse(text, is_page=True)
    found = [
        (int(token.tag[1]), title.content, token.map[0])
        for token, title in pairwise(tokens)
        if token.type == "heading_open" and token.map and token.level == 0
    ]
    for (level, title, start), (_, _, end) in pairwise([(1, "", 0), *found, (1, "", len(lines))]):
        yield level, title, _minutes("\n".join(lines[start:end]), bank, is_page=start == 0)


def task_minutes(exercises: Iterable[Exercise]) -> float:
    """Return how long it takes to read exercises and to do them."""
    return sum(map(_task, exercises), 0.0)


def _task(exercise: Exercise) -> float:
    read, done = [exercise.statement], 0.0
    for question in exercise.questions:
        options = question.options.values() if isinstance(question, Choice) else ()
        read += [question.statement, *(option.text for option in options)]
        done += {"text": FREE_TEXT, "parsons": FIGURE}.get(question.kind, QUESTION)
    if not done:
        tasks = math.ceil(len(exercise.names) / FUNCTIONS_A_TASK)
        done = FIGURE if exercise.explorable else CODE_TASK * tasks
    return _reading(read) + done


def _minutes(text: str, bank: Mapping[str, Exercise], *, is_page: bool = False) -> float:
    minutes, read = 0.0, []
    for token in parse(NUMBER.sub("0.5", text), is_page=is_page):
        if token.type in ("math_block", "amsmath"):
            read.append(token.content)
        elif directive := read_directive(token):
            minutes += _of_directive(directive, bank)
        read += [part.content for part in token.children or () if part.type in _READ]
    return minutes + _reading(read)


def _of_directive(directive: Directive, bank: Mapping[str, Exercise]) -> float:
    if directive.name == "exercise":
        return task_minutes([bank[directive.argument]] if directive.argument in bank else [])
    if directive.name == "explorable":
        return FIGURE
    if "code" in directive.name:
        is_hidden = _HIDDEN.search(directive.options.get("tags", ""))
        figures = FIGURE * len(_EXPLORABLE.findall(directive.body))
        return figures + (0 if is_hidden else _reading([directive.body]))
    return _reading([directive.argument]) + _minutes(directive.body, bank)


def _reading(texts: Iterable[str]) -> float:
    return len(_WORD.findall(" ".join(texts))) / WORDS_A_MINUTE


def _to_five(minutes: float) -> int:
    return max(5, 5 * round(minutes / 5)) if minutes else 0


def _to_half_an_hour(minutes: float) -> float:
    return max(0.5, round(minutes / 30) / 2) if minutes else 0
