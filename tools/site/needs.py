"""What a chapter's notebook installs: extras of the course's wheel, and the modules they bring.

A chapter needs those that the setting ``notebook-extras`` names, unless its front matter names
others, as in ``extras: [notebook]``.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from coursekit.errors import carrier
from coursekit.notebook.install import imported_by
from tools.site.environment import BuildError
from tools.site.project import Project, front_matter

#: What comes with every kernel, and so is never asked for.
_WITH_THE_KERNEL = {"IPython", "matplotlib_inline", "traitlets"}


def requirements(project: Project) -> dict[str, dict[str, str]]:
    """Return pip's requirements by extra and distribution; "" is no extra."""
    optional = project.package.get("optional-dependencies", {})
    by_extra = {"": project.package.get("dependencies", []), **optional}
    return {
        extra: {canonicalize_name(Requirement(need).name): need for need in needs}
        for extra, needs in by_extra.items()
    }


def needs(project: Project, chapter: Path, cells: Iterable[Any]) -> tuple[set[str], list[str]]:
    """Return the modules that a chapter needs, directly or not, and its extras.

    A module that only some systems have comes with its extra and is left out.

    Raises
    ------
    BuildError
        If the course has no such extra, or ``cells`` import what none of the extras brings.
    """
    known = requirements(project)
    head = yaml.safe_load(front_matter(chapter))
    extras = list(head.get("extras", project.notebook_extras))
    if unknown := set(extras) - known.keys():
        raise BuildError(f"{chapter.stem}: extras has {min(unknown)}, which pyproject.toml has not")
    brought = {name: need for extra in ("", *extras) for name, need in known[extra].items()}
    for module in sorted(imported_by(cells) - _WITH_THE_KERNEL - {*project.packages}):
        if not _distributions().get(module, {module}) & brought.keys():
            raise BuildError(
                f"{chapter.stem} imports {module}, which none of its extras in pyproject.toml "
                f"brings ({', '.join(extras) or 'it has none'}); name one that does in the front "
                "matter, as in `extras: [notebook, torch]`"
            )
    brought.pop(canonicalize_name(carrier()), None)
    others = {_module(name) for name, need in brought.items() if ";" not in need}
    return {*project.packages} | others, extras


@cache
def _distributions() -> dict[str, set[str]]:
    """Return which distributions bring a module."""
    return {name: {*map(canonicalize_name, of)} for name, of in packages_distributions().items()}


def _module(distribution: str) -> str:
    """Return the module that a distribution brings: that of its name, if there is one."""
    own = distribution.replace("-", "_")
    brought = [name for name, of in _distributions().items() if distribution in of]
    return own if own in brought or not brought else min(brought, key=lambda name: name[:1] == "_")
