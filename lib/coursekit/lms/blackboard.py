"""Read what Blackboard Learn writes.

========================================================  ========
file                                                      student
========================================================  ========
``Assignment_USERNAME_attempt_2026-11-02-18-00-00_file``  USERNAME
``Assignment_USERNAME_attempt_2026-11-02-18-00-00.txt``   USERNAME
========================================================  ========

The zip is of *Assignment File Download*. The text file is Blackboard's own, with the student's
comments. Tools that tidy such downloads read these names
(github.com/kwurst/bb-file-cleanup, BBGradebookOrganiser). The time in them names no zone. A
user name with an underscore is cut at it, which a check against the exported table finds.

By Blackboard's help, the table (*Work Offline*, as CSV) has the column Username, which identifies
students, and a number in each column's name, which must stay; columns added to it would hold text
without points. Exports name columns ``Assignment [Total Pts: 100 Score] |403340``.
"""

from coursekit.lms.base import Lms, Sample

BLACKBOARD = Lms(
    name="blackboard",
    title="Blackboard",
    files=(
        r"(?P<person>.*?)_(?P<student>[^_]+)_attempt_(?P<time>[0-9]{4}(?:-[0-9]{2}){5})"
        r"(?:_(?P<file>.+)|(?P<typed>\.txt))",
    ),
    name_ids=("Username",),
    ids=("Username", "Student ID"),
    grade=r"{assignment}( \[Total Pts: (up to )?(?P<most>[\d.,]+)[^]]*\])?( ?\|\d+)?",
    grade_hint="a download of the Grade Center that has the assignment's column",
    time_formats=("%Y-%m-%d-%H-%M-%S",),
    sample=Sample(
        member="{assignment}_{login}_attempt_{time:%Y-%m-%d-%H-%M-%S}_{file}",
        header=(
            "Last Name,First Name,Username,Student ID,"
            "{assignment} [Total Pts: {most:g} Score] |4711"
        ),
        line="{last},{first},{login},{number},",
    ),
)
