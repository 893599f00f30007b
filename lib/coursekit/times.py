"""How long a chapter takes, computed from what is on it: words, figures, questions, code tasks.

A section whose heading begins with "Deeper: " is not needed on a first way through: pages fold it,
and its time is counted apart.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from coursekit.command import counted
from coursekit.model import Choice, Exercise
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
_EXERCISE = re.compile(r"^[`:]{3,}\{exercise\} (\S+)", re.MULTILINE)
_FIGURE = re.compile(
    r"^[`:]{3,}\{explorable\}|\bexplorables\.[A-Z]\w*\(|\.explorables import", re.MULTILINE
)
#: What nobody reads: front matter, hidden cells, and MyST's own signs.
_MARKUP = re.compile(
    r"""
    \A---\n.*?^---$
    | ^(`{3,})\{code-cell\}[^\n]*\n:tags:[^\n]*(?:hide|remove)-(?:input|cell).*?^\1$
    | ^([`:]{3,})\{(?:exercise|explorable)\}.*?^\2$
    | ^[`:]{3,}\{[\w-]+\} | ^:[\w-]+:[^\n]* | ^\([\w-]+\)=$ | ^%[^\n]* | <!--.*?-->
    | \{[\w:.-]+\}(?=`) | \]\([^)\s]*\)
    """,
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)


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
        return int(_to(5, self.core)), int(_to(5, self.deeper))

    @property
    def in_table(self) -> str:
        """``50 + 25``, or ``50`` where nothing goes deeper."""
        return " + ".join(str(each) for each in self.minutes if each)

    def __str__(self) -> str:
        """``about 50 minutes, and 25 for what goes deeper``; from two hours on, in hours."""
        unit, step, size = ("hour", 30, 60) if self.core >= 115 else ("minute", 5, 1)
        core, deeper = (_to(step, each) / size for each in (self.core, self.deeper))
        count = "half an hour" if size == 60 and deeper == 0.5 else f"{deeper:g}"
        more = f", and {count} for what goes deeper" if deeper else ""
        return f"about {counted(core, unit)}{more}"


def chapter_time(text: str, bank: Mapping[str, Exercise]) -> Time:
    """Return how long a chapter takes.

    Parameters
    ----------
    text : str
        Its MyST, front matter included.
    bank : mapping of str to Exercise
        The exercises that it may show. Others that it names take no time.
    """
    core, *deeper = (_minutes(part, bank) for part in _parts(text))
    return Time(core, sum(deeper))


def deeper_minutes(text: str, bank: Mapping[str, Exercise]) -> list[int]:
    """Return the minutes of each section of a chapter that goes deeper, in order."""
    return [int(_to(5, _minutes(part, bank))) for part in _parts(text)[1:]]


def _parts(text: str) -> list[str]:
    """Return the text of what everybody needs, then those of the sections that go deeper."""
    parts = [""]
    at = depth = 0
    fence = ""
    for line in text.splitlines(keepends=True):
        if fence:
            fence = fence if line.rstrip() != fence else ""
        elif opening := re.match(r"`{3,}|:{3,}", line):
            fence = opening[0]
        elif (heading := re.match(r"(#+) +(.*)", line)) and (not depth or len(heading[1]) <= depth):
            depth = len(heading[1]) if heading[2].startswith(DEEPER) else 0
            at = len(parts) if depth else 0
            parts += [""] if depth else []
        parts[at] += line
    return parts


def _minutes(text: str, bank: Mapping[str, Exercise]) -> float:
    tasks = task_minutes(bank[name] for name in _EXERCISE.findall(text) if name in bank)
    read = _MARKUP.sub(" ", NUMBER.sub("0", text))
    return tasks + FIGURE * len(_FIGURE.findall(text)) + _reading([read])


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


def _reading(texts: Iterable[str]) -> float:
    return len(_WORD.findall(" ".join(texts))) / WORDS_A_MINUTE


def _to(step: int, minutes: float) -> float:
    return max(step, step * round(minutes / step)) if minutes else 0
