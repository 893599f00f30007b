"""The words of the book and of the code: spelled right, and in plain English."""

from __future__ import annotations

import ast
import json
import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from .prose_rules import RULES

ROOT = Path(__file__).resolve().parents[2]
CSPELL = ROOT / "node_modules" / ".bin" / "cspell"
FOLDERS = ("book", "docs")
PAGES = sorted(path for folder in FOLDERS for path in (ROOT / folder).glob("*.md"))
PAGES += [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
EXERCISES = sorted((ROOT / "exercises").rglob("*.py"))
CODE = sorted(path for folder in ("lib", "tools") for path in (ROOT / folder).rglob("*.py"))
_NOUN_CLAUSE = re.compile(r"(?:How|What|When|Where|Whether|Which|Who|Whose|Why)\b")


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


def _docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the first line number and the words of each docstring, the module's first."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            words = re.sub(r"`[^`]*`|\$[^$]*\$", "…", ast.get_docstring(node) or "")
            yield getattr(node, "lineno", 1), " ".join(words.split())


@pytest.mark.parametrize("path", [*PAGES, *EXERCISES], ids=lambda path: str(path.relative_to(ROOT)))
def test_plain_english(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    prose = _prose_of_page(text) if path.suffix == ".md" else _prose_of_exercise(text)
    assert list(_problems(path, prose)) == []


def test_docstrings_are_in_plain_english() -> None:
    assert [problem for path in CODE for problem in _problems(path, _docstrings(path))] == []


def test_docstrings_of_modules_begin_with_no_noun_clause() -> None:
    # "Map entries to students.", not "Whose each entry is".
    first = {str(path.relative_to(ROOT)): next(_docstrings(path))[1] for path in CODE}
    assert {name: words for name, words in first.items() if _NOUN_CLAUSE.match(words)} == {}


def _problems(path: Path, prose: Iterable[tuple[int, str]]) -> Iterator[str]:
    for line, words in prose:
        for rule in RULES:
            for match in rule.pattern.finditer(words):
                yield f"{path.relative_to(ROOT)}:{line}: {match[0]!r}: {rule.advice}"


def test_the_rules_find_what_they_are_for() -> None:
    page = "A heading\n=========\n\nThat is no verdict. It is no longer so.\n\n`is no code`\n"
    found = [
        m[0] for _, words in _prose_of_page(page) for r in RULES for m in r.pattern.finditer(words)
    ]
    assert found == ["is no verdict"]


def test_spelling() -> None:
    settings = Path(__file__).with_name("cspell.json")
    files = ["book/*.md", "docs/*.md", "exercises/**/*.py", "README.md", "CONTRIBUTING.md"]
    command = [str(CSPELL), "lint", "--config", str(settings), "--root", str(ROOT)]
    command += ["--no-progress", "--no-summary", "--unique", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, f"unknown words; real ones go into {settings}:\n{done.stdout}"


def test_every_word_of_the_list_is_used() -> None:
    settings = json.loads(Path(__file__).with_name("cspell.json").read_text(encoding="utf-8"))
    text = "\n".join(path.read_text(encoding="utf-8") for path in [*PAGES, *EXERCISES]).lower()
    assert [word for word in settings["words"] if word.lower() not in text] == []
