"""Record what was built, for those who publish it: version, commit and repository of a site.

The build stores them in ``_build/publication.json``, beside the site and not in it: a commit that
changes no page leaves the published site as it is. A preview removes the file, because it leaves
out the last step of a build. Reading them needs Python and Git only.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tools.site.environment import BuildError

if TYPE_CHECKING:
    from tools.site.project import Project

#: Below the folder of what is made.
FILE = "publication.json"


@dataclass(frozen=True)
class Publication:
    """What the site in ``_build/html`` was made of.

    Attributes
    ----------
    course, version : str
        What pip calls the course, and its version.
    commit : str
        The commit, ``-dirty`` where files of it had changed; "" outside of a repository.
    repository : str
        The address of the repository, which buttons, links and first cells lead to; "" for none.
    """

    course: str
    version: str
    commit: str
    repository: str

    @property
    def message(self) -> str:
        """What the commit of the published site says."""
        source = f", built from {self.commit}" if self.commit else ""
        return f"Site of {self.course} {self.version}{source}"


def present(project: Project) -> Publication:
    """Return what a site that is built now is made of."""
    course, commit = project.settings.course, commit_of(project.root)
    return Publication(course.distribution, course.version, commit, project.repository())


def record(project: Project) -> None:
    """Store what the site of a project was made of."""
    made = json.dumps(asdict(present(project)))
    (project.build / FILE).write_text(made, encoding="utf-8")


def forget(project: Project) -> None:
    """Remove what is stored, because the site is about to change."""
    (project.build / FILE).unlink(missing_ok=True)


def stored(build: Path) -> Publication:
    """Return what the site in the folder ``build`` was made of.

    Raises
    ------
    BuildError
        No finished build has stored it.
    """
    try:
        return Publication(**json.loads((build / FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        raise BuildError(
            f"{build} has no {FILE} of a finished build; expected a built site: run `make book`"
        ) from None


def commit_of(root: Path) -> str:
    """Return the commit of a checkout, as in ``1a2b3c4`` or ``1a2b3c4-dirty``; "" without Git."""
    command = ["git", "-C", str(root), "describe", "--always", "--exclude=*", "--dirty"]
    try:
        shown = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:  # there is no git
        return ""
    return shown.stdout.strip() if shown.returncode == 0 else ""
