"""Build the site: ``python -m tools.site.build``, which is what `make book` runs.

Each step does only what changed. The order: front end, wheel, Python for the page, outputs of
the chapters, pages, notebooks, the site, which is the pages made light and accessible, and last
what readers keep: the list for reading offline, and the site as a zip.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
from functools import partial
from pathlib import Path

from coursekit.bank import load_bank
from coursekit.errors import CoursekitError
from tools.site import page_data
from tools.site.environment import (
    ROOT,
    BuildError,
    in_environment,
    report,
    run,
    say,
    together,
    with_node,
)
from tools.site.offline import package
from tools.site.project import COURSEKIT, TOOLS, Project, fingerprint, sources
from tools.site.theme import book_file

#: What a site is made of, below the course's folder.
FOLDERS = ("book", "lib", "exercises", "binder", "benchmarks")
FILES = (
    "CHANGELOG.md",
    "CITATION.cff",
    "_config.yml",
    "_toc.yml",
    "pyproject.toml",
    "requirements.txt",
    "package-lock.json",
)


def build(project: Project) -> bool:
    """Build what changed; return False where nothing had."""
    from tools.site.execute import execute
    from tools.site.notebooks import write_notebooks
    from tools.site.publish import publish
    from tools.site.pyodide import find_numpy, gather

    stamp = project.build / "built-from"
    import_from(project.lib, ROOT)
    wheels_in = os.environ.get("PYODIDE_WHEELS", "")
    state = fingerprint(inputs(project), wheels_in, page_data.state(project))
    if stamp.exists() and stamp.read_text() == state and (project.html / "index.html").exists():
        return False
    stamp.unlink(missing_ok=True)
    check(project)
    steps = (partial(each, project) for each in (bundle, page_data.write, find_numpy))
    *_, numpy = together(*steps)
    wheels = make_wheels(project)
    gather(project, wheels, numpy)
    execute(project)
    write_pages(project)
    say("→ finishing the site: formulas, styles, fonts, accessibility")
    publish(project)
    write_notebooks(project, wheels)
    stamp.write_text(state)
    return True


def has_pdfs(project: Project) -> bool:
    """Whether the PDFs of this site are there; remove them if they are those of an earlier one."""
    built, printed = (project.build / name for name in ("built-from", "printed-from"))
    if printed.exists() and printed.read_text() == built.read_text():
        return (project.html / book_file(project)).exists()
    for folder in (project.html, project.html / "pdf"):
        for file in folder.glob("*.pdf"):
            file.unlink()
    return False


def check(project: Project) -> None:
    """Raise `BuildError` for what is wrong with settings or exercises, before anything is done."""
    project.chapters()
    project.read_settings()
    where = ""
    try:
        project.address()
        where = "exercises: "
        load_bank(project.root / "exercises")
    except CoursekitError as error:
        raise BuildError(f"{where}{error}") from None


def inputs(project: Project) -> list[Path]:
    """Return every file that the site is made of."""
    folders = {project.root / name for name in FOLDERS}
    files = [path for name in FILES if (path := project.root / name).exists()]
    return files + [f for folder in (*folders, TOOLS, COURSEKIT) for f in sources(folder)]


def import_from(*folders: Path) -> None:
    """Have this process and all that it starts import the packages in some folders."""
    new = [path for path in map(str, folders) if path not in sys.path]
    sys.path[:0] = new
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([*map(str, folders), *([before] if before else [])])


def bundle(project: Project) -> None:
    """Bundle the TypeScript for notebooks and pages, if it changed."""
    explorables, prefix = project.explorables, project.element_prefix
    files = {*sources(project.lib, ".ts", ".js", ".css"), *sources(COURSEKIT, ".ts", ".css")}
    tools = [*sources(TOOLS, ".ts", ".mjs"), ROOT / "package-lock.json"]
    state = fingerprint([*files, *tools], str(explorables), prefix)
    stamp = project.assets / "bundled-from"
    is_there = explorables is None or (explorables / "_dist").exists()
    if stamp.exists() and stamp.read_text() == state and is_there:
        return
    given = [project.assets, COURSEKIT / "web", *([explorables, prefix] if explorables else [])]
    command = [in_environment("node"), str(TOOLS / "bundle.mjs"), *map(str, given)]
    run("bundling the front end", command, log="bundle.txt", env=with_node(), root=project.root)
    stamp.write_text(state)


def make_wheels(project: Project) -> list[Path]:
    """Return the course's wheel and, if coursekit is not in it, the wheel that brings coursekit."""
    wheels = [make_wheel(project)]
    if not COURSEKIT.is_relative_to(project.root):
        wheels.append(make_wheel(Project(ROOT)))
    return wheels


def make_wheel(project: Project) -> Path:
    """Return a course's own wheel, built again only if the library changed."""
    folder = project.build / "wheel"
    files = [f for name in ("lib", "exercises") for f in sources(project.root / name)]
    explorables = project.explorables
    files += sorted((explorables / "_dist").glob("*")) if explorables else []
    files += [project.root / "pyproject.toml"]
    state, stamp = fingerprint(files), folder / "built-from"
    if stamp.exists() and stamp.read_text() == state:
        return next(folder.glob("*.whl"))
    shutil.rmtree(folder, ignore_errors=True)
    command = [in_environment("hatchling"), "build", "-t", "wheel", "-d", str(folder)]
    # The same sources make the same bytes, whatever the clock says.
    env = {**os.environ, "SOURCE_DATE_EPOCH": "1577836800"}
    name = project.course.distribution
    run(f"building the wheel of {name}", command, log="wheel.txt", env=env, root=project.root)
    stamp.write_text(state)
    return next(folder.glob("*.whl"))


def write_pages(project: Project) -> None:
    """Run Jupyter Book, strictly: a warning is an error, after all of them were seen."""
    output = project.build / "stage"
    config, toc = (str(project.root / name) for name in ("_config.yml", "_toc.yml"))
    command = [in_environment("jupyter-book"), "build", str(project.book)]
    command += ["--config", config, "--toc", toc]
    command += ["--path-output", str(output), "-W", "-n", "--keep-going"]
    try:
        run("building the pages", command, log="jupyter-book.txt", root=project.root)
    except BuildError as error:
        # Sphinx does not repeat the warnings of pages that it keeps: read them all next time.
        shutil.rmtree(output, ignore_errors=True)
        log = (project.build / "log" / "jupyter-book.txt").read_text(encoding="utf-8")
        plain = re.sub(r"\x1b\[[0-9;]*m", "", log).replace(f"{project.root}{os.sep}", "")
        faults = re.findall(r"(?m)^.*\b(?:WARNING|ERROR|CRITICAL)\b.*$", plain)
        raise BuildError("\n".join(faults) or str(error)) from None


def main() -> int:
    """Build the site of the course in the current folder (or ``--root``)."""
    parser = argparse.ArgumentParser(description="Build the site of the course.")
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="folder of the course")
    parser.add_argument("--preview", action="store_true", help="leave out what readers keep")
    args = parser.parse_args()
    project = Project(args.root.resolve())
    status = report(lambda: "built" if build(project) else "nothing changed")
    if status or args.preview:
        return status
    has_pdfs(project)
    package(project)
    where = os.path.relpath(project.html)
    say(f"  the site is in {where}: open {where}/index.html, or `make serve` to serve it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
