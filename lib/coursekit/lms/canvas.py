"""Read what Canvas writes.

========================================================  =========
file                                                      student
========================================================  =========
``name_USER_ATTACHMENT_file``, also ``name_LATE_USER_…``  USER
``name_USER_text.html``, ``name_USER_link.html``          USER
``anon_CODE_ATTACHMENT_file``, also ``LATE_anon_CODE_…``  anon_CODE
========================================================  =========

Students choose their files' names, and Canvas writes its part in front of them. Persons' names
cannot pose as it: Canvas removes ``_12_`` from them (see `lib/content_zipper.rb` there). One case
remains: a name that ends with ``_12`` gives a wrong id, which a check against the exported
gradebook finds. That has no times; files in a download have the time of the download.
"""

from coursekit.lms.base import Lms, Sample

_MADE = r"(?P<typed>(?:text|link)\.html)"
_FILE = rf"(?:(?P<order>[0-9]+)_(?P<file>.+)|{_MADE})"

CANVAS = Lms(
    name="canvas",
    title="Canvas",
    files=(
        # Codes for anonymous grading have five characters, none that looks like another.
        rf"(?P<late>LATE_)?(?P<student>anon_[1-9A-HJ-NP-Za-km-z]{{5}})_{_FILE}",
        r"(?P<person>.*?)(?P<late>_LATE)?_(?P<student>[0-9]+)_(?P<order>[0-9]+)_(?P<file>.+)",
        rf"(?P<person>.*?)(?P<late>_LATE)?_(?P<student>[0-9]+)_{_MADE}",
    ),
    name_ids=("ID",),
    ids=("SIS Login ID", "SIS User ID", "ID"),
    grade=r"{assignment}(\s*\(\d+\))?",  # with Canvas's own number: "masking (1234)"
    adds_grade=True,
    max_points="Points Possible",
    sample=Sample(
        member="{last}{first}_{number}_9{number}_{file}",
        header=(
            "Student,ID,SIS Login ID,Section,{assignment} (4711)\n    Points Possible,,,,{most:g}"
        ),
        line='"{last}, {first}",{number},{login},A,',
    ),
)
