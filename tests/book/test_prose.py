"""The words of the book: spelled right, and in plain English."""

from __future__ import annotations

import ast
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[2]
CSPELL = ROOT / "node_modules" / ".bin" / "cspell"
PAGES = sorted([*(ROOT / "book").glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])
EXERCISES = sorted((ROOT / "exercises").rglob("*.py"))


class Rule(NamedTuple):
    """A pattern of mannered English, good uses beside it excepted, and what to write instead."""

    pattern: re.Pattern[str]
    advice: str


def _rule(pattern: str, advice: str) -> Rule:
    return Rule(re.compile(pattern, re.IGNORECASE), advice)


_IDIOMS = "longer|more|better|worse|less|fewer|such|doubt|need|way|reason|exception|use|one|point"
RULES = (
    _rule(
        rf"(?<!\bthere )\b(?:is|are|was|were|be) no (?!(?:{_IDIOMS})\b)\w+",
        "“X is no Y” reads as translated: say what X is not, or what there is not",
    ),
    _rule(r"\b(?:whoever|whomever|whosoever)\b", "say who: a reader, an instructor, anyone who …"),
    _rule(r"\bfor whom\b", "say what it is for, with the person as the subject"),
    _rule(r"\bby lot\b", "at random"),
    _rule(r"\bdearer\b", "more expensive, slower, larger: say which"),
    _rule(r"\b(?:bring|brings|brought|bringing) (?:it |them )?home\b", "return, give, compute"),
    _rule(r"\b(?:hand|hands|handed|handing) (?:it |them )?over\b", "pass, give, send, return"),
    _rule(
        r"\b(?:share|shares|shared|sharing) (?:it |them )?out\b", "distribute, normalise, weight"
    ),
    _rule(r"(?-i:\bOne) (?:says|sees|calls|asks|takes)\b", "name the subject"),
    _rule(r"\b(?:nobody|no one)'s\b", "say it of the thing"),
    _rule(r"\bhas a mind of its own\b", "say what it does"),
    _rule(r"\bdoes not stand\b|\bstands? no\b", "is missing, is not there"),
    _rule(r"\b(?:simply|obviously|of course|needless to say|as we all know)\b", "leave it out"),
    _rule(r"\b(?:so to speak|as it were)\b", "leave it out, or say the thing itself"),
    _rule(r"\bheld? (?:\w+ ){1,3}against\b", "compare with, check against"),
)


def _prose_of_page(text: str) -> Iterator[tuple[int, str]]:
    """Yield the first line number and the words of each paragraph, heading and table cell."""
    body = re.sub(r"\A---\n.*?\n---\n", lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
    for token in MarkdownIt("commonmark").enable("table").parse(body):
        if token.type != "inline" or token.map is None:
            continue
        words = [child.content for child in token.children or () if child.type == "text"]
        yield token.map[0] + 1, " ".join(words)
    # A directive's body is prose too, fenced like code.
    for token in MarkdownIt("commonmark").parse(body):
        if token.type == "fence" and re.match(r"\{(?!code-cell|math|exercise)", token.info):
            start = (token.map or [0])[0] + 1
            yield from ((start + line, words) for line, words in _prose_of_page(token.content))


def _prose_of_exercise(text: str) -> Iterator[tuple[int, str]]:
    """Yield the strings of an exercise file that hold a sentence: statement, hints, messages."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, re.sub(r"`[^`]*`|\$[^$]*\$", "…", node.value)


@pytest.mark.parametrize("path", [*PAGES, *EXERCISES], ids=lambda path: str(path.relative_to(ROOT)))
def test_plain_english(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    prose = _prose_of_page(text) if path.suffix == ".md" else _prose_of_exercise(text)
    problems = [
        f"{path.name}:{line}: {match[0]!r}: {rule.advice}"
        for line, words in prose
        for rule in RULES
        for match in rule.pattern.finditer(words)
    ]
    assert problems == []


def test_spelling() -> None:
    settings = Path(__file__).with_name("cspell.json")
    files = ["book/*.md", "exercises/**/*.py", "README.md", "CONTRIBUTING.md"]
    command = [str(CSPELL), "lint", "--config", str(settings), "--root", str(ROOT)]
    command += ["--no-progress", "--no-summary", "--unique", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, f"unknown words; real ones go into {settings}:\n{done.stdout}"


def test_every_word_of_the_list_is_used() -> None:
    settings = json.loads(Path(__file__).with_name("cspell.json").read_text(encoding="utf-8"))
    text = "\n".join(path.read_text(encoding="utf-8") for path in [*PAGES, *EXERCISES]).lower()
    assert [word for word in settings["words"] if word.lower() not in text] == []
