"""Read what Brightspace (D2L) writes.

=================================================  ========
entry                                              student
=================================================  ========
``USER-ID - NAME - Nov 2, 2026 600 PM/…``          NAME
``USER-ID - NAME - Nov 2, 2026 600 PM - file``     NAME
=================================================  ========

The zip has one folder a submission, ``index.html`` beside them, and in older versions files
without folders. Scripts that read such downloads agree on these names and on their English dates,
without a zone; the minute has two digits, the hour one or two. USER is the LMS's own number, which
no exported table has. So students are identified by their names, and two of one name end the run.

By D2L's help ("Importing grades"), the table has OrgDefinedId or Username (exports write # before
both), and a column "… Points Grade" for each item, to whose name exports add
``<Numeric MaxPoints:10 …>``; the last column, End-of-Line Indicator, has to stay the last.
"""

from coursekit.lms.base import Lms, Sample

_MARK = (
    r"(?P<person>[0-9]+)-[0-9]+ - (?P<student>.+?) - "
    r"(?P<time>[^ ]+ [0-9]{1,2}, [0-9]{4} [0-9]{1,2})(?P<minute>[0-9]{2} [AP]M)"
)

BRIGHTSPACE = Lms(
    name="brightspace",
    title="Brightspace",
    files=(rf"{_MARK} - (?P<file>.+)",),
    folders=(_MARK,),
    name_ids=("First Name + Last Name",),
    ids=("Username", "OrgDefinedId", "First Name + Last Name"),
    id_prefixes=("#",),
    grade=r"{assignment} Points Grade( <Numeric MaxPoints:(?P<most>[\d.,]+)[^>]*>)?",
    grade_hint="an export of the grades with the assignment's points grade and, as user details, "
    "first and last names",
    time_formats=("%b %d, %Y %I:%M %p",),
    sample=Sample(
        member=("{number}-4711 - {first} {last} - {time:%b} {time.day}, {time:%Y %I%M %p}/{file}"),
        header=(
            "OrgDefinedId,Username,Last Name,First Name,"
            "{assignment} Points Grade <Numeric MaxPoints:{most:g}>,End-of-Line Indicator"
        ),
        line="#{number},#{login},{last},{first},,#",
    ),
)
