"""Keep what a notebook has of its exercises, and how each stood when it was last checked.

That is in a file for each exercise, in a folder beside the notebook, so that it outlasts the
kernel. The progress at a chapter's end reads it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from coursekit.judge.own_cells import digest
from coursekit.judge.verdict import Verdict

#: Beside the notebook.
FOLDER = ".coursekit"


@dataclass(frozen=True, kw_only=True)
class Standing:
    """How an exercise stood when it was last checked.

    Attributes
    ----------
    points : float
        Points earned, of those that the notebook's checks give.
    answered, of : int
        How many checks pass, or answers have the right form, and how many there are.
    is_started : bool
        Whether there is an answer.
    is_graded : bool
        Whether the notebook can tell what is right.
    verdicts : sequence of dict
        What the checks found, as `Verdict.as_json` has it.
    version : int
        That of the exercise.
    digest : str
        Tells whether the answer's cells are as they were.
    """

    points: float = 0.0
    answered: int = 0
    of: int = 0
    is_started: bool = True
    is_graded: bool = True
    verdicts: Sequence[Mapping[str, Any]] = ()
    version: int = 1
    digest: str = ""

    @classmethod
    def of_verdicts(cls, verdicts: Sequence[Verdict], is_untouched: bool) -> Standing:
        """Return the standing after a check."""
        return cls(
            points=sum(verdict.points for verdict in verdicts),
            answered=sum(verdict.passed for verdict in verdicts),
            of=len(verdicts),
            is_started=not is_untouched,
            verdicts=[verdict.as_json() for verdict in verdicts],
        )


#: What the notebook has of its exercises, by id.
known: dict[str, dict[str, Any]] = {}
standings: dict[str, Standing] = {}
#: Whose answers another kernel has checked, and this one has not run yet.
recalled: set[str] = set()
_folder = Path(FOLDER)


def take(exercises: Mapping[str, dict[str, Any]]) -> None:
    """Take what a notebook has of its exercises; recall how they stood."""
    global _folder
    _folder = Path.cwd() / FOLDER  # a learner's cell may change the working folder
    known.update(exercises)
    for id, about in exercises.items():
        with suppress(OSError, ValueError, TypeError):
            standing = Standing(**json.loads(_file(id).read_text(encoding="utf-8")))
            if standing.version == about["version"] and id not in standings:
                standings[id] = standing
                recalled.update([id] * standing.is_started)


def remember(about: Mapping[str, Any], standing: Standing, cells: Sequence[str]) -> None:
    """Note how an exercise stands, and of which cells that is said."""
    id = about["exercise"]
    if not (cells or standing.is_started) and id in standings:
        return  # after a restart: the answer, checked before, has not been run yet
    own = replace(standing, version=about["version"], digest=digest_of(cells))
    standings[id] = own
    recalled.discard(id)
    if not own.is_started and not _file(id).exists():
        return
    with suppress(OSError):  # a folder that is only to be read
        _folder.mkdir(exist_ok=True)
        part = _file(id).with_suffix(".part")
        part.write_text(json.dumps(asdict(own), indent=1), encoding="utf-8")
        os.replace(part, _file(id))


def digest_of(cells: Sequence[str]) -> str:
    """Return what tells whether an answer's cells are as they were."""
    return digest("\n".join(cells))


def _file(id: str) -> Path:
    return _folder / f"{id}.json"
