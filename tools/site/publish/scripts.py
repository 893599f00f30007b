"""The theme's scripts as the site has them: without comments and spaces."""

from __future__ import annotations

import json
from pathlib import Path

from tools.site.environment import run_node
from tools.site.project import Project, fingerprint


def write_scripts(project: Project, files: dict[Path, Path]) -> None:
    """Write each script of the theme, the keys, to its place in the site, the values."""
    sources = {str(path): path.read_text(encoding="utf-8") for path in files}
    question, tool = json.dumps(sources), Path(__file__).with_name("scripts.mjs")
    cached = project.cache / "scripts" / f"{fingerprint([tool], question)[:16]}.json"
    if not cached.exists():
        cached.parent.mkdir(parents=True, exist_ok=True)
        cached.write_text(run_node(tool, question, "theme's scripts"), encoding="utf-8")
    made = json.loads(cached.read_text(encoding="utf-8"))
    for source, target in files.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(made[str(source)], encoding="utf-8")
