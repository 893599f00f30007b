"""Read what Moodle writes.

========================================================  ===========
entry                                                     student
========================================================  ===========
``Full Name_PARTICIPANT_assignsubmission_file/…``         PARTICIPANT
``Full Name_PARTICIPANT_assignsubmission_file_name``      PARTICIPANT
========================================================  ===========

Moodle removes underscores from persons' names, so none can pose as its mark (see
`mod/assign/classes/downloader.php` there). Files in a download have the time of the download; the
grading worksheet has the times of submission, where Moodle speaks English, and does not name their
zone: it is that of the teacher who exports it.
"""

from coursekit.lms.base import Lms, Sample

_MARK = r"_(?P<student>[0-9]+)_assignsubmission_[a-z0-9]+_"

MOODLE = Lms(
    name="moodle",
    title="Moodle",
    files=(rf"(?P<person>.*?){_MARK}(?P<file>.+)",),
    # All of a folder's name is Moodle's: here the mark is at its end.
    folders=(rf"(?P<person>.*){_MARK}?",),
    name_ids=("Identifier",),
    ids=("Username", "Email address", "ID number", "Identifier"),
    id_prefixes=("Participant ",),
    grade="Grade",
    grade_hint="the assignment's grading worksheet, not an export of the gradebook",
    max_points="Maximum Grade",
    comments="Feedback comments",
    time_column="Last modified (submission)",
    # The last two are of the language pack of the United States.
    time_formats=(
        *("%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M"),
        *("%A, %B %d, %Y, %I:%M %p", "%A, %B %d, %Y, %H:%M"),
    ),
    sample=Sample(
        member="{first} {last}_{number}_assignsubmission_file_/{file}",
        header="Identifier,Full name,Last modified (submission),Grade,Maximum Grade",
        line=(
            'Participant {number},{first} {last},"{time:%A}, {time.day} {time:%B %Y, %I:%M %p}",'
            ",{most:.2f}"
        ),
    ),
)
