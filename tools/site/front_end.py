"""Bundle the TypeScript: explorables for notebooks, scripts and styles for the page."""

from __future__ import annotations

from pathlib import Path

from tools.site.environment import ROOT, in_environment, run, with_node
from tools.site.project import COURSEKIT, Project, fingerprint, sources

HERE = Path(__file__).parent
SCRIPT, EXPLORABLES = HERE / "bundle.mjs", HERE / "explorables.mjs"


def bundle(project: Project) -> None:
    """Bundle the front end of a course and of coursekit, if either changed."""
    explorables = project.settings.explorables
    files = {*sources(project.lib, ".ts", ".js", ".css"), *sources(COURSEKIT, ".ts", ".css")}
    prefix = project.settings.element_prefix
    own = [f for name in ("offline", "search") for f in sources(HERE / name, ".ts")]
    tools = [SCRIPT, EXPLORABLES, *own, ROOT / "package-lock.json"]
    state = fingerprint([*files, *tools], str(explorables), prefix)
    stamp = project.assets / "bundled-from"
    is_there = explorables is None or (explorables / "_dist").exists()
    if stamp.exists() and stamp.read_text() == state and is_there:
        return
    given = [project.assets, COURSEKIT / "web", *([explorables, prefix] if explorables else [])]
    command = [in_environment("node"), str(SCRIPT), *map(str, given)]
    run("bundling the front end", command, log="bundle.txt", env=with_node(), root=project.root)
    stamp.write_text(state)


def bundled(project: Project) -> list[Path]:
    """Return the modules that notebooks load."""
    explorables = project.settings.explorables
    return sorted((explorables / "_dist").glob("*")) if explorables else []
