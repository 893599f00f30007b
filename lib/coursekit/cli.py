"""The command line ``coursekit``, with one subcommand for each task.

The module of a subcommand is imported only when that subcommand runs. It defines
``add_parser(subparsers)``, which sets ``run``: a function that takes the parsed arguments and
returns the exit status. 0 means success, 1 that problems were found, 2 that the command could not
do its work.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from coursekit.errors import CoursekitError, UnknownError, carrier

#: The subcommands: module and summary of each.
COMMANDS = {
    "list": ("coursekit.listing", "list chapters, exercises and their points"),
    "check": ("coursekit.selftest.check", "test the exercises themselves"),
    "release": ("coursekit.release", "write a chapter's notebook for students"),
    "grade": ("coursekit.grade.cli", "grade a folder of notebooks"),
    "feedback": ("coursekit.reports.feedback", "write a page for each student"),
    "export": ("coursekit.reports.export", "write grades for an LMS or nbgrader"),
    "stats": ("coursekit.reports.stats", "show how a class did, check by check"),
}


class _Parser(argparse.ArgumentParser):
    """A parser that reports an error in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


class _Version(argparse.Action):
    """Prints the version when it is asked for, and looks for it no earlier."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print(_version())
        parser.exit()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.isatty():
        # On Windows the default for files and pipes is a code page, which lacks many letters.
        sys.stdout.reconfigure(encoding="utf-8")
    try:
        args = _parser(arguments).parse_args(arguments)
        status = int(args.run(args))
        sys.stdout.flush()
        return status
    except CoursekitError as error:
        status, message = 2, str(error)
    except BrokenPipeError:  # `coursekit list | head` stops reading early.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        status, message = 2, f"{error.filename or ''}: {error.strerror or error}".removeprefix(": ")
    except KeyboardInterrupt:
        status, message = 130, "stopped"
    print(f"coursekit: {message}", file=sys.stderr)
    return status


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser, with options only for the subcommand in ``arguments``."""
    parser = _Parser(
        prog="coursekit",
        description="Define an exercise once; check, release and grade it everywhere.",
        epilog="Run coursekit COMMAND --help for options and an example.",
    )
    about = "show which version this is, and of which course the current folder is"
    parser.add_argument("--version", action=_Version, nargs=0, help=about)
    command = next((argument for argument in arguments if not argument.startswith("-")), "")
    if command and command not in COMMANDS:
        raise UnknownError("command", command, COMMANDS)
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, (module, summary) in COMMANDS.items():
        if name == command:
            importlib.import_module(module).add_parser(subparsers)
        else:
            subparsers.add_parser(name, help=summary)
    return parser


def _version() -> str:
    """Return what brought this command, and the course of the current folder if it is another."""
    from coursekit.course import owner_of

    distribution = carrier()
    own = f"of {distribution} {importlib.metadata.version(distribution)}" if distribution else ""
    course = owner_of(Path.cwd())
    here = f"; here: {course.label}" if course and course.distribution != distribution else ""
    return f"coursekit, {own or 'not installed'}{here}"


if __name__ == "__main__":
    sys.exit(main())
