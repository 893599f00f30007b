"""How long a chapter takes: counted from its words, figures, questions and code tasks."""

from __future__ import annotations

import pytest

from coursekit.bank import Bank
from coursekit.times import Time, chapter_time, deeper_minutes, task_minutes

WORDS = "word " * 130


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        (WORDS, 1),
        (f":::{{dropdown}} Really?\n{WORDS}\n:::", 1 + 1 / 130),
        ("```{explorable} Spread\n```", 6),
        ("```{code-cell}\n:tags: [remove-input]\n\nexplorables.Spread(16)\n```", 6),
        (f"```{{code-cell}}\n:tags: [hide-output]\n\n{WORDS}\n```", 1),
        (f"```{{code-cell}}\n:tags: [hide-input]\n\n{WORDS}\n```", 0),
        (f"```{{note}}\n:class: {WORDS}\nTwo words\n```", 2 / 130),
        ("$a$ and\n\n$$\nb\n$$\n", 3 / 130),
        ("```{exercise} lost\n```", 0),
    ],
)
def test_what_is_counted(text: str, minutes: float) -> None:
    assert chapter_time(text, {}).core == pytest.approx(minutes)


def test_what_goes_deeper_is_counted_apart_with_its_subsections() -> None:
    text = (
        f"# Title\n\n## Deeper: one\n\n{WORDS * 7}\n\n### Below\n\n{WORDS * 6}\n\n"
        f"## After\n\n{WORDS * 8}\n\n### Deeper: two\n\n{WORDS * 4}\n\n# End\n\n{WORDS * 2}\n"
    )
    time = chapter_time(text, {})
    assert time.core == pytest.approx(10, abs=0.1)
    assert time.deeper == pytest.approx(17, abs=0.1)
    assert deeper_minutes(text, {}) == [15, 5]
    assert deeper_minutes("# Title\n", {}) == []


def test_exercises_take_time_by_their_kind(numbers: Bank) -> None:
    shown = "\n\n".join(f"```{{exercise}} {id}\n```" for id in numbers)
    together = chapter_time(shown, numbers).core
    assert together == pytest.approx(task_minutes(numbers.values()))
    code = [e for e in numbers.values() if not e.questions]
    assert 11 * len(code) < task_minutes(code) < 13 * len(code)


@pytest.mark.parametrize(
    ("time", "words", "in_table"),
    [
        (Time(52, 23), "about 50 minutes, and 25 for what goes deeper", "50 + 25"),
        (Time(58), "about 60 minutes", "60"),
        (Time(1, 1), "about 5 minutes, and 5 for what goes deeper", "5 + 5"),
        (Time(70, 60) + Time(70, 10), "about 2.5 hours, and 1 for what goes deeper", "140 + 70"),
        (Time(130, 30), "about 2 hours, and half an hour for what goes deeper", "130 + 30"),
        (Time(60.1, 0) + Time(0.1), "about 60 minutes", "60"),
    ],
)
def test_it_is_said_in_words(time: Time, words: str, in_table: str) -> None:
    assert str(time) == words
    assert time.in_table == in_table
