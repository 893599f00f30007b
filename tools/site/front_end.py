"""Bundle the TypeScript: explorables for notebooks, scripts and styles for the page.

The build does it as its first step; ``python -m tools.site.front_end`` does it alone, for an
installation from the sources, such as Binder's.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tools.site.environment import ROOT, BuildError, in_environment, run, with_node
from tools.site.project import COURSEKIT, Project, fingerprint, sources

SCRIPT, EXPLORABLES = (
    Path(__file__).with_name(f"{name}.mjs") for name in ("bundle", "explorables")
)


def bundle(project: Project) -> None:
    """Bundle the front end of a course and of coursekit, if either changed."""
    explorables = project.settings.explorables
    files = {*sources(project.lib, ".ts", ".js", ".css"), *sources(COURSEKIT, ".ts", ".css")}
    prefix = project.settings.element_prefix
    tools = [SCRIPT, EXPLORABLES, ROOT / "package-lock.json"]
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


def main() -> int:
    """Bundle the front end of the course in the current folder."""
    try:
        bundle(Project(Path.cwd()))
    except BuildError as error:
        print(f"✗ {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
