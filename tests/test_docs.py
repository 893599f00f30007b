"""README, CONTRIBUTING and docs/ cannot drift: what they name exists, and what they show runs."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from coursekit.cli import COMMANDS
from coursekit.cli import _parser as build_parser

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(path.name for path in (ROOT / "docs").glob("*.md"))
DOCS = ("README.md", "CONTRIBUTING.md", *(f"docs/{name}" for name in PAGES))
FOLDERS = "benchmarks|binder|book|docs|exercises|lib|tests|tools|[.]github"
#: In the built site, in a build, or in Pyodide's package.
MADE = {"README.txt", "llms.txt", "offline.html", "publication.json", "pyodide-lock.json", "sw.js"}
MOST = 8_000  # bytes of CONTRIBUTING: read in ten minutes; all else has its page in docs/


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def targets() -> set[str]:
    """Return the targets of the Makefile that `make help` shows."""
    return set(re.findall(r"(?m)^([a-z]+):.*## ", text("Makefile")))


def make_commands(name: str) -> set[str]:
    return set(re.findall(r"\bmake ([a-z]+)\b(?=[`\s]*$|`| [A-Z]+=|\s+#)", text(name), re.M))


def test_make_commands_are_the_targets() -> None:
    assert {command for name in DOCS for command in make_commands(name)} == targets()


def test_contributing_is_short_and_leads_to_every_page() -> None:
    contributing = text("CONTRIBUTING.md")
    assert len(contributing.encode()) <= MOST
    assert [name for name in PAGES if f"(docs/{name})" not in contributing] == []


@pytest.mark.parametrize("name", DOCS)
def test_every_path_exists(name: str) -> None:
    # Up to a placeholder such as <chapter>, or an end of its own.
    paths = re.findall(rf"(?<![\w./<-])(?:{FOLDERS})/[\w./-]*", code(name))
    assert paths
    assert [path for path in paths if not (ROOT / path.rstrip(".")).exists()] == []


@pytest.mark.parametrize("name", DOCS)
def test_every_file_exists(name: str) -> None:
    # A file without its folder is at the top, or in a folder that the page names.
    suffixes = "css|html|js|json|md|mjs|py|toml|ts|txt|yml"
    files = set(re.findall(rf"`((?:[\w-]+/)*[\w.-]+\.(?:{suffixes}))`", text(name)))
    named = [ROOT / p for p in re.findall(r"`([\w./-]+/[\w./-]*)`", text(name))]
    folders = {ROOT, *named, *(path.parent for path in named)}
    missing = {file for file in files - MADE if not any((f / file).exists() for f in folders)}
    assert {file for file in missing if not file.startswith("_build/")} == set()


@pytest.mark.parametrize("name", DOCS)
def test_every_link_leads_somewhere(name: str) -> None:
    for link in re.findall(r"\]\((?!https?://)([^)]+)\)", text(name)):
        file, _, section = link.partition("#")
        path = (ROOT / name).parent / file if file else ROOT / name
        assert path.exists(), link
        if section:
            titles = re.findall(r"(?m)^#+ (.*)$", path.read_text(encoding="utf-8"))
            assert section in {re.sub(r"[^\w ]", "", t).lower().replace(" ", "-") for t in titles}


def test_every_module_that_is_run_exists() -> None:
    shown = "\n".join(map(code, DOCS))
    modules = set(re.findall(r"python -m ([a-z][\w.]*\w)", shown))
    assert "tools.site.build" in modules
    assert {module for module in modules if find_spec(module) is None} == set()


def test_every_coursekit_command_exists() -> None:
    named = {
        m
        for d in DOCS
        for m in re.findall(r"(?<!from )coursekit (list|check|\w+)\b(?=[^\w.]*)", code(d))
    }
    done = subprocess.run(
        [sys.executable, "-m", "coursekit.cli", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert named
    assert {command for command in named if not re.search(rf"\b{command}\b", done.stdout)} == set()


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


@pytest.mark.parametrize("name", ["README.md", "docs/exercises.md"])
def test_python_runs(name: str) -> None:
    blocks = re.findall(r"(?s)```python\n(.*?)```", text(name))
    assert blocks
    for block in blocks:
        exec(compile(block, name, "exec"), {})
