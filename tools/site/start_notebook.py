"""Write the notebook to begin with: what to install, the routes, the chapters and their times."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from typing import Any

from coursekit.bank.load import Bank, load_bank
from coursekit.command import counted
from coursekit.course import SETTINGS, read_settings
from coursekit.notebooks.nbformat_cells import markdown_cell, notebook
from coursekit.notebooks.references import book_references
from coursekit.routes import Routes, load_routes
from coursekit.times import Time, chapter_time
from tools.site.project import Project

START = "00-start-here.ipynb"
_HOW = (
    "The cell below installs what this Jupyter lacks, says what it takes, and does nothing where "
    "nothing is missing. Every notebook begins with such a cell, so you may also go straight to a "
    "chapter. Without Jupyter, run `python3 install.py` in this folder (on Windows "
    "`py install.py`): in some minutes it makes an environment of its own with JupyterLab."
)
_WORK = (
    "Run a cell with *Shift* + *Enter*. *Run All* stops at the first question that asks you to "
    "predict, until you have answered it. For programs that run notebooks, the environment "
    "variable `COURSEKIT_OPEN_GATES=1` opens them all.",
    "Below each exercise is a cell for your answer, and one that checks it. Run the check as often "
    "as you like: it says what is wrong and never stops the notebook.",
    "After a restart of the kernel a figure may be missing. Choose *Run All Above Selected Cell* "
    "in the menu *Run*, then run the figure's cell.",
    "These notebooks are for practice. What you hand in to a class is a notebook that your teacher "
    "gives you.",
    "The folder `to-read` has every notebook with its outputs, to be read where nothing runs.",
)


def start_notebook(project: Project, extras_of: Mapping[str, list[str]]) -> Any:
    """Return the notebook.

    Parameters
    ----------
    project : Project
        The course.
    extras_of : mapping of str to list of str
        The extras that the notebooks need, by their paths.
    """
    folder = project.root / "exercises"
    bank = load_bank(folder)
    texts = [
        f"# Start here: {project.config()['title']}\n\n{_about(project)}",
        f"## Install\n\n{_HOW}",
        "## How the notebooks work\n\n" + "\n".join(f"- {line}" for line in _WORK),
        *_routes(project, load_routes(folder, bank), bank),
        *_chapters(project, bank, extras_of),
    ]
    return notebook(markdown_cell(text, f"text-{at}") for at, text in enumerate(texts, 1))


def _about(project: Project) -> str:
    about = read_settings(project.root / SETTINGS)["project"].get("description", "")
    now = float(os.environ.get("SOURCE_DATE_EPOCH") or time.time())
    day = (
        time.strftime("%-d %B %Y", time.gmtime(now))
        if os.name != "nt"
        else time.strftime("%d %B %Y")
    )
    return f"{about}\n\nVersion {project.settings.course.version}, built on {day}.".strip()


def _routes(project: Project, routes: Routes, bank: Bank) -> Iterator[str]:
    if not routes:
        return
    lines = ["## Routes\n", "| Route | Afterwards you can | Time | Chapters |", "|:--|:--|:--|:--|"]
    paths = project.notebooks()
    for route in routes.values():
        there = [name for name in route.chapters if name in paths]
        spent = sum((_time(project, name, bank) for name in there), Time())
        numbers = ", ".join(f"[{paths[name][:2]}]({paths[name]})" for name in there)
        lines.append(f"| **{route.title}** | {route.goal} | {_hours(spent)} | {numbers} |")
    first = next(iter(routes.values())).title
    yield "\n".join([*lines, *[f"\nNot sure? Begin with *{first}*."] * (len(routes) > 1)])


def _chapters(project: Project, bank: Bank, extras_of: Mapping[str, list[str]]) -> Iterator[str]:
    """Yield a list of the chapters of each part of the book."""
    places = book_references(project.book).places
    parts: dict[str, list[str]] = {}
    captions = project.parts()
    for name, path in project.notebooks().items():
        size = [] if "/" in path else [f"{_time(project, name, bank).minutes[0]} minutes"]
        if exercises := bank.chapter(name) if name in bank.chapters else ():
            size.append(counted(len(exercises), "exercise"))
        usual = {"notebook"}
        if more := [extra for extra in extras_of.get(path, ()) if extra not in usual]:
            size.append(f"needs {' and '.join(more)}")
        title = f"[{places[name].title}]({path})" if name in places else f"[{name}]({path})"
        number = "" if "/" in path else f"{path[:2]} "
        line = f"- {number}{title}{': ' if size else ''}{', '.join(size)}"
        parts.setdefault(captions.get(name, "Chapters"), []).append(line)
    for caption, lines in parts.items():
        yield f"## {caption}\n\n" + "\n".join(lines)


def _time(project: Project, name: str, bank: Bank) -> Time:
    return chapter_time((project.book / f"{name}.md").read_text(encoding="utf-8"), bank)


def _hours(spent: Time) -> str:
    minutes = spent.minutes[0]
    return f"{minutes} minutes" if minutes < 100 else f"{round(minutes / 30) / 2:g} hours"
