"""List the LMSs: each has a file of its own, with all that concerns it alone."""

from coursekit.lms.base import Entry, Lms, Owner, Sample
from coursekit.lms.blackboard import BLACKBOARD
from coursekit.lms.brightspace import BRIGHTSPACE
from coursekit.lms.canvas import CANVAS
from coursekit.lms.moodle import MOODLE

__all__ = ["LAYOUTS", "LMSS", "NBGRADER", "Entry", "Lms", "Owner", "by_name", "titles"]

LMSS = {lms.name: lms for lms in (CANVAS, MOODLE, BLACKBOARD, BRIGHTSPACE)}
#: Not an LMS: ``STUDENT/CHAPTER/…``, ``STUDENT/…``, ``STUDENT.ipynb``, where STUDENT may be an id
#: of any column.
NBGRADER = Lms(
    name="nbgrader",
    title="nbgrader",
    files=(r"(?P<person>(?P<student>.+)(?i:\.ipynb))",),
    folders=(r"(?P<person>(?P<student>.+))",),
    name_ids=tuple(dict.fromkeys(column for lms in LMSS.values() for column in lms.ids)),
    sample=Sample("{login}/{assignment}/{file}", "Username,Grade", "{login},"),
    id_prefixes=tuple(prefix for lms in LMSS.values() for prefix in lms.id_prefixes),
)
#: All layouts of a class's folder, by the names that options have.
LAYOUTS = {**LMSS, NBGRADER.name: NBGRADER}


def by_name(entry: Entry) -> Lms:
    """Return the layout that an entry's name belongs to, by the leftmost mark in it.

    Students choose their files' names, and an LMS writes its part in front of them.
    """
    owners = [(owner.mark, lms) for lms in LMSS.values() if (owner := lms.owner(entry))]
    return min(owners, key=lambda found: found[0])[1] if owners else NBGRADER


def titles(last: str = "or") -> str:
    """Return the LMSs' titles in a phrase."""
    *most, final = (lms.title for lms in LMSS.values())
    return f"{', '.join(most)} {last} {final}"
