"""``coursekit feedback``: one page a student, with everything escaped."""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from html import escape
from pathlib import Path
from urllib.parse import quote

from coursekit.colours import css
from coursekit.command import (
    Subparsers,
    add_bank_option,
    add_command,
    counted,
    decimal,
    open_bank,
)
from coursekit.errors import MissingExtraError
from coursekit.marked import message_html
from coursekit.model import Exercise
from coursekit.notebook.commonmark import to_commonmark
from coursekit.private_files import make_private_folder, write_private
from coursekit.results.inline_html import course_html
from coursekit.results.mark import Mark
from coursekit.results.marks import add_marks_options, names, read_marks
from coursekit.row import NOT_SUBMITTED, Former
from coursekit.verdict import Status, Verdict

#: The sign before a check, and its class in the style sheet.
_MARKS = {
    Status.PASSED: ("✓", "good"),
    Status.FAILED: ("✗", "bad"),
    Status.MANUAL: ("…", "open"),
    Status.NOT_RUN: ("–", "bad"),
}
_PARTLY = ("~", "open")
_STATUS = {
    "graded": "",
    "needs_review": "A person will look at this result.",
    "timeout": "Your code took too long and was stopped.",
    "memory": "Your code needed too much memory and was stopped.",
    "crashed": "Your code ended the program that ran it.",
    "unreadable": "Your notebook could not be read.",
    NOT_SUBMITTED: "No notebook was handed in.",
}
_ANOTHER = "This was graded as version {} of the exercise; the course has version {} now."
#: What Windows takes for a device, whatever follows the point.
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|\Z)", re.IGNORECASE)
_STYLE = (
    css()
    + """
:root { color-scheme: light dark; background: var(--ck-paper); color: var(--ck-ink) }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 42rem; margin: 2rem auto; padding: 0 1rem }
h2 { margin-top: 2.5rem } h3 { margin-bottom: .3rem }
ul { list-style: none; padding: 0 } li { padding: .4rem 0 .4rem 1.6rem; text-indent: -1.6rem }
li > * { text-indent: 0 } p { margin: .3rem 0 }
.mark { display: inline-block; width: 1.6rem; font-weight: bold }
.points { float: right; font-variant-numeric: tabular-nums }
.message { white-space: pre-wrap; overflow-wrap: anywhere }
"""
)


def add_parser(subparsers: Subparsers) -> None:
    """Add the subcommand."""
    parser = add_command(
        subparsers,
        "feedback",
        run,
        """
        Write a page for each student: what was checked, what was seen, which misconception it
        points to, and the hints. Of a hidden check the page shows the verdict and the
        misconception, but not the inputs. --gradebook adds manual scores and comments, --policy
        what late work loses. The page of a student whose work was withdrawn is removed.
        """,
        "coursekit feedback results.jsonl -o feedback --gradebook sqlite:///gradebook.db",
    )
    add_marks_options(parser)
    parser.add_argument(
        "-o", "--output", metavar="DIR", type=Path, required=True, help="write DIR/STUDENT.html"
    )
    add_bank_option(parser)


def run(args: argparse.Namespace) -> int:
    """Write the pages, and print where they are."""
    read = read_marks(args)
    bank = open_bank(args)
    make_private_folder(args.output)
    by_student: dict[str, list[Mark]] = {}
    for mark in read.marks:
        by_student.setdefault(mark.student, []).append(mark)
    withdrawn = {row.student for row in read.withdrawn} - by_student.keys()
    files = file_names([*by_student, *withdrawn])
    for student, own in by_student.items():
        write_private(args.output / files[student], page(student, own, bank))
    _remove_pages(args.output, {student: files[student] for student in sorted(withdrawn)})
    print(f"{args.output}: {counted(len(by_student), 'page')}")
    return 0


def _remove_pages(folder: Path, files: Mapping[str, str]) -> None:
    """Remove pages that an earlier run wrote."""
    stale = [student for student, file in files.items() if (folder / file).is_file()]
    for student in stale:
        (folder / files[student]).unlink()
    if stale:
        print(f"{folder}: removed the pages of {names(stale)}", file=sys.stderr)


def file_names(students: Iterable[str]) -> dict[str, str]:
    """Return a file name for each student's page; no two differ only in case."""
    students = set(students)
    folded = Counter(student.casefold() for student in students)
    return {student: _file_name(student, folded[student.casefold()] > 1) for student in students}


def _file_name(student: str, is_shared: bool) -> str:
    """Return a name that cannot lead out of its folder and that Windows accepts."""
    name = quote(student, safe="@+ ")
    is_device = bool(_DEVICE.match(name))
    if is_device or name.startswith(".") or name.endswith((".", " ")):
        name = name.replace(".", "%2E").replace(" ", "%20")
    if is_shared or len(name) > 120 or is_device:
        name = f"{name[:100]}-{hashlib.sha256(student.encode()).hexdigest()[:16]}"
    return f"{name}.html"


def page(student: str, marks: Iterable[Mark], bank: Mapping[str, Exercise]) -> str:
    """Return the HTML page of one student's marks."""
    body = "\n".join(_assignment(mark, bank) for mark in marks)
    title = f"Feedback for {escape(student)}"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # The page runs and fetches nothing, whatever a submission put into it.
        f'<meta http-equiv="Content-Security-Policy" content="{_policy()}">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{title}</h1>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _policy() -> str:
    digest = b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _assignment(mark: Mark, bank: Mapping[str, Exercise]) -> str:
    parts = [f"<h2>{escape(mark.assignment)}: {_score(mark)}</h2>"]
    parts += [f'<p class="message">{escape(note)}</p>' for note in _notes(mark)]
    graded = () if mark.is_missing else mark.checks
    for exercise in dict.fromkeys(check.exercise for check in graded):
        checks = [check for check in mark.checks if check.exercise == exercise]
        parts.append(_exercise(checks, bank.get(exercise), mark))
    if mark.course:
        parts.append(f"<p><small>Graded by {escape(mark.course)}.</small></p>")
    return "\n".join(parts)


def _notes(mark: Mark) -> Iterator[str]:
    """Yield what concerns the whole assignment."""
    if mark.is_earlier:
        yield f"An earlier attempt counts{_when(mark)}: it has earned more than the last."
    if mark.lateness:
        yield mark.lateness
    if mark.time_note:
        yield mark.time_note
    status = _STATUS.get(mark.status, mark.status)
    if note := " ".join(filter(None, [status, mark.reason])):
        yield note
    if mark.is_ungraded:
        yield "Prose answers are still to be graded."
    if mark.outdated:
        yield (
            "Some points were given by a person for an earlier version of your work. They count "
            "until that person has looked again."
        )


def _when(mark: Mark) -> str:
    if mark.timestamp is None:
        return ""
    time = mark.timestamp.astimezone(mark.duedate.tzinfo if mark.duedate else None)
    return f", handed in on {time:%Y-%m-%d at %H:%M %Z}"


def _score(mark: Mark) -> str:
    return "not handed in" if mark.is_missing else mark.points_text


def _exercise(checks: list[Verdict], exercise: Exercise | None, mark: Mark) -> str:
    title = exercise.title if exercise else checks[0].exercise
    version = mark.version_of(checks[0].exercise)
    shown = f" <small>version {version}</small>" if version > 1 else ""
    parts = [f"<section>\n<h3>{escape(title)}{shown}</h3>"]
    if exercise and exercise.version != version:
        parts.append(f"<p>{_ANOTHER.format(version, exercise.version)}</p>")
        exercise = None  # its hints and its checks' titles may speak of something else
    if former := mark.former.get(checks[0].exercise):
        parts.append(f"<p>{_graded_again(former)}</p>")
    parts.append("<ul>")
    parts += [_check(check, exercise, mark) for check in checks]
    parts.append("</ul>")
    parts.append(_comment(mark.comments.get((checks[0].exercise, ""), "")))
    if exercise and exercise.hints and not all(check.passed for check in checks):
        hints = "".join(f"<li>{_hint(hint)}</li>" for hint in exercise.hints)
        parts.append(f"<details><summary>Hints</summary><ul>{hints}</ul></details>")
    return "\n".join([*parts, "</section>"])


def _graded_again(former: Former) -> str:
    """Return what other checks gave the same work."""
    points = f"{decimal(former.points)} of {decimal(former.max_points)} points"
    if former.is_newer:
        return f"This was graded again, with {points}. The earlier, higher result counts."
    return f"This was graded again. Before, it had {points}."


def _hint(text: str) -> str:
    with suppress(MissingExtraError):  # without the parser, MyST's links stay as they are written
        text = to_commonmark(text)
    return course_html(text)


def _comment(text: str) -> str:
    return f'<p class="message"><b>Comment:</b> {escape(text)}</p>' if text else ""


def _check(check: Verdict, exercise: Exercise | None, mark: Mark) -> str:
    sign, kind = _MARKS[check.status]
    if check.status is Status.FAILED and check.points > 0:
        sign, kind = _PARTLY
    text = " ".join(check.lines())
    message = f'<p class="message">{message_html(text, with_strong=False)}</p>' if text else ""
    comment = _comment(mark.comments.get((check.exercise, check.check), ""))
    return (
        f'<li class="{kind}"><span class="mark">{sign}</span>'
        f"{message_html(_title(check, exercise))} "
        f'<span class="points">{_points(check, mark)}</span>{message}{comment}</li>'
    )


def _points(check: Verdict, mark: Mark) -> str:
    extra = " extra" if mark.is_extra(check) else ""
    return f"{decimal(check.points)} / {decimal(check.max_points)}{extra}"


def _title(check: Verdict, exercise: Exercise | None) -> str:
    if check.hidden:
        return "A hidden check"
    titles = {known.name: known.title for known in exercise.checks} if exercise else {}
    return titles.get(check.check) or check.check.replace("_", " ")
