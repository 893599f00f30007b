"""README and CONTRIBUTING cannot drift: what they name exists."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from coursekit.cli import COMMANDS
from coursekit.cli import _parser as build_parser

ROOT = Path(__file__).resolve().parents[1]
DOCS = ("README.md", "CONTRIBUTING.md")


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def targets() -> set[str]:
    """Return the targets of the Makefile that `make help` shows."""
    return set(re.findall(r"(?m)^([a-z]+):.*## ", text("Makefile")))


@pytest.mark.parametrize("name", DOCS)
def test_every_make_command_is_a_target(name: str) -> None:
    named = set(re.findall(r"\bmake ([a-z]+)\b(?=[`\s]*$|`| [A-Z]+=|\s+#)", text(name), re.M))
    assert named, "names no make command"
    assert named - targets() == set()


def test_every_target_is_documented() -> None:
    described = text("README.md") + text("CONTRIBUTING.md")
    assert {t for t in targets() if f"make {t}" not in described} == set()


@pytest.mark.parametrize("name", DOCS)
def test_every_path_exists(name: str) -> None:
    # A path is code with a slash that ends in one or in a suffix, without placeholders.
    named = re.findall(
        r"`([\w.-]+/(?:[\w./-]+)?(?:/|\.(?:py|md|ts|css|mjs|txt))|\w+/)`", text(name)
    )
    named += re.findall(r"`(_\w+\.yml|[a-z-]+\.(?:toml|json|txt))`", text(name))
    assert named
    made = ("_build/", ".venv/", "node_modules/", "lib/attnlab/explorables/_dist/")
    made += ("pyodide-lock.json",)  # in Pyodide's package
    missing = [p for p in named if not p.startswith(made) and not (ROOT / p).exists()]
    assert missing == []


@pytest.mark.parametrize("name", DOCS)
def test_every_link_to_a_file_leads_there(name: str) -> None:
    links = re.findall(r"\]\((?!https?://|#)([^)#]+)", text(name))
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_every_coursekit_command_exists() -> None:
    named = {command for doc in DOCS for command in re.findall(r"coursekit (\w+)", code(doc))}
    assert named
    assert named - set(COMMANDS) == set()


def arguments(command: str) -> tuple[str, list[argparse.Action]]:
    """Return the examples in a command's help, and its arguments."""
    parser = build_parser([command])
    (subparsers,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    command_parser = subparsers.choices[command]
    return command_parser.epilog, [a for a in command_parser._actions if a.dest != "help"]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_and_option_has_an_example(command: str) -> None:
    # In the README, in the chapters for those who teach, or in the command's own help.
    examples, known = arguments(command)
    pages = ("README.md", "book/instructors.md", "book/instructors-marks.md")
    shown = "".join(map(code, pages)) + examples
    assert f"coursekit {command} " in shown
    options = [action.option_strings for action in known if action.option_strings]
    missing = [
        names
        for names in options
        if not any(re.search(rf"(?<![\w-]){name}(?![\w-])", shown) for name in names)
    ]
    assert missing == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_argument_has_help_that_tells_its_default(command: str) -> None:
    _, known = arguments(command)
    assert [action.dest for action in known if not action.help] == []
    implicit = (None, False, [], argparse.SUPPRESS)
    untold = [a.dest for a in known if a.default not in implicit and "default" not in a.help]
    assert untold == []


def code(name: str) -> str:
    """Return what a document shows as code."""
    return "\n".join(re.findall(r"(?s)```.*?```|`[^`\n]+`", text(name)))


def test_python_of_the_readme_runs() -> None:
    blocks = re.findall(r"(?s)```python\n(.*?)```", text("README.md"))
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})
