"""``coursekit feedback``: one page a student, with everything escaped."""

from __future__ import annotations

import argparse
import hashlib
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from urllib.parse import quote

from coursekit.command import (
    Subparsers,
    add_bank_option,
    add_command,
    counted,
    open_bank,
)
from coursekit.model import Exercise
from coursekit.private_files import make_private_folder, write_private
from coursekit.results.marks import add_marks_options, lateness, read_marks
from coursekit.results.read import CheckRow, Result
from coursekit.verdict import Status

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
}
_BUILT_IN = {
    "not-started": "Not started.",
    "not-defined": "The name that the exercise gives is not defined.",
    "returns-nothing": "Nothing was returned.",
    "raises": "Your code raised an error for other inputs.",
    "check-error": "This check could not be completed on your answer. Please tell your teacher.",
}
#: What Windows takes for a device, whatever follows the point.
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|\Z)", re.IGNORECASE)
_STYLE = """
:root { color-scheme: light dark }
:root { --good: light-dark(#00704f, #4cc79c); --bad: light-dark(#a84300, #f0a04b) }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 42rem; margin: 2rem auto; padding: 0 1rem }
h2 { margin-top: 2.5rem } h3 { margin-bottom: .3rem }
ul { list-style: none; padding: 0 } li { padding: .4rem 0 .4rem 1.6rem; text-indent: -1.6rem }
li > * { text-indent: 0 } p { margin: .3rem 0 }
.mark { display: inline-block; width: 1.6rem; font-weight: bold }
.good .mark { color: var(--good) } .bad .mark { color: var(--bad) }
.points { float: right; font-variant-numeric: tabular-nums }
.message { white-space: pre-wrap; overflow-wrap: anywhere }
"""


def add_parser(subparsers: Subparsers) -> None:
    """Add the subcommand."""
    parser = add_command(
        subparsers,
        "feedback",
        run,
        """
        Write a page for each student: what was checked, what was seen, which misconception it
        points to, and the hints. Of a hidden check the page tells the verdict and the
        misconception, and not what it was tried with. --gradebook adds the points and comments that
        a person gave, --policy what late work loses.
        """,
        "coursekit feedback results.jsonl -o feedback --gradebook sqlite:///gradebook.db",
    )
    add_marks_options(parser)
    parser.add_argument(
        "-o", "--output", metavar="DIR", type=Path, required=True, help="write DIR/STUDENT.html"
    )
    add_bank_option(parser)


def run(args: argparse.Namespace) -> int:
    """Write the pages and say where they are."""
    results, _ = read_marks(args)
    bank = open_bank(args)
    make_private_folder(args.output)
    by_student: dict[str, list[Result]] = {}
    for result in results:
        by_student.setdefault(result.student, []).append(result)
    names = file_names(by_student)
    for student, own in by_student.items():
        write_private(args.output / names[student], page(student, own, bank))
    print(f"{args.output}: {counted(len(by_student), 'page')}")
    return 0


def file_names(students: Iterable[str]) -> dict[str, str]:
    """Return a name for each student's page, all different also where case does not count."""
    students = set(students)
    folded = Counter(student.casefold() for student in students)
    return {student: _file_name(student, folded[student.casefold()] > 1) for student in students}


def _file_name(student: str, is_shared: bool) -> str:
    """Return a name that stays inside its folder, and that Windows takes as well."""
    name = quote(student, safe="@+ ")
    is_device = bool(_DEVICE.match(name))
    if is_device or name.startswith(".") or name.endswith((".", " ")):
        name = name.replace(".", "%2E").replace(" ", "%20")
    if is_shared or len(name) > 120 or is_device:
        name = f"{name[:100]}-{hashlib.sha256(student.encode()).hexdigest()[:16]}"
    return f"{name}.html"


def page(student: str, results: Iterable[Result], bank: Mapping[str, Exercise]) -> str:
    """Return the HTML page of one student's results."""
    body = "\n".join(_assignment(result, bank) for result in results)
    title = f"Feedback for {escape(student)}"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # Nothing on this page runs or is fetched, whatever a submission put into it.
        f'<meta http-equiv="Content-Security-Policy" content="{_policy()}">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{title}</h1>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _policy() -> str:
    digest = b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _assignment(result: Result, bank: Mapping[str, Exercise]) -> str:
    told = " ".join(filter(None, [_STATUS.get(result.status, result.status), result.reason]))
    parts = [f"<h2>{escape(result.assignment)}: {_score(result)}</h2>"]
    parts += [f"<p>{escape(late)}</p>" for late in [lateness(result)] if late]
    parts += [f'<p class="message">{escape(told)}</p>'] if told else []
    parts += ["<p>Prose answers are still to be graded.</p>"] if result.needs_manual else []
    for exercise in dict.fromkeys(check.exercise for check in result.checks):
        checks = [check for check in result.checks if check.exercise == exercise]
        parts.append(_exercise(checks, bank.get(exercise), result.comments))
    return "\n".join(parts)


def _score(result: Result) -> str:
    return f"{result.score:g} of {result.max_score:g} points"


def _exercise(
    checks: list[CheckRow], exercise: Exercise | None, comments: Mapping[tuple[str, str], str]
) -> str:
    title = exercise.title if exercise else checks[0].exercise
    parts = [f"<section>\n<h3>{escape(title)}</h3>\n<ul>"]
    parts += [
        _check(check, exercise, comments.get((check.exercise, check.check), "")) for check in checks
    ]
    parts.append("</ul>")
    parts.append(_comment(comments.get((checks[0].exercise, ""), "")))
    if exercise and exercise.hints and not all(check.passed for check in checks):
        hints = "".join(f"<li>{_with_code(hint)}</li>" for hint in exercise.hints)
        parts.append(f"<details><summary>Hints</summary><ul>{hints}</ul></details>")
    return "\n".join([*parts, "</section>"])


def _with_code(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _comment(text: str) -> str:
    return f'<p class="message"><b>Comment:</b> {escape(text)}</p>' if text else ""


def _check(check: CheckRow, exercise: Exercise | None, comment: str) -> str:
    mark, kind = _MARKS[check.status]
    if check.status is Status.FAILED and check.points > 0:
        mark, kind = _PARTLY
    message = f'<p class="message">{_with_code(_message(check, exercise))}</p>'
    return (
        f'<li class="{kind}"><span class="mark">{mark}</span>{_with_code(_title(check, exercise))} '
        f'<span class="points">{_points(check)}</span>'
        f"{'' if check.passed else message}{_comment(comment)}</li>"
    )


def _points(check: CheckRow) -> str:
    extra = " extra" if check.extra_credit else ""
    return f"{check.points:g} / {check.max_points:g}{extra}"


def _title(check: CheckRow, exercise: Exercise | None) -> str:
    if check.hidden:
        return "A hidden check"
    titles = {known.name: known.title for known in exercise.checks} if exercise else {}
    return titles.get(check.check) or check.check.replace("_", " ")


def _message(check: CheckRow, exercise: Exercise | None) -> str:
    if not check.hidden or check.status is Status.NOT_RUN:
        return check.text
    explained = {**(exercise.misconceptions if exercise else {}), **_BUILT_IN}
    return explained.get(check.misconception or "", "Your answer does not hold for other inputs.")
