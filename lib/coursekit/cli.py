"""The command line, ``coursekit``: one subcommand a task, each beside what it does.

The module of a subcommand is imported when it is asked for, so that the others cost nothing. It
defines ``add_parser(subparsers)``, which sets ``run``: a function of the parsed arguments that
returns the exit status. 0: all is well; 1: what was looked at is not; 2: it could not be looked at.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from coursekit.errors import CoursekitError, UnknownError

#: Subcommand: its module and what it does.
COMMANDS = {
    "list": ("coursekit.listing", "list chapters, exercises and their points"),
    "check": ("coursekit.selftest.cli", "test the exercises themselves"),
    "release": ("coursekit.release", "write a chapter's notebook for students"),
    "grade": ("coursekit.grade.cli", "grade a folder of notebooks"),
    "cluster-keys": ("coursekit.grade.cluster_keys", "make keys for grading on many machines"),
    "feedback": ("coursekit.results.feedback", "write a page for each student"),
    "export": ("coursekit.results.export", "write grades for an LMS or nbgrader"),
    "stats": ("coursekit.results.stats", "show how a class did, check by check"),
}


class _Parser(argparse.ArgumentParser):
    """A parser whose complaint is one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.isatty():
        # Into a file or a pipe Windows writes the letters of one country, and names have others.
        sys.stdout.reconfigure(encoding="utf-8")
    try:
        args = _parser(arguments).parse_args(arguments)
        status = int(args.run(args))
        sys.stdout.flush()
        return status
    except CoursekitError as error:
        status, message = 2, str(error)
    except BrokenPipeError:  # `coursekit list | head`: whoever read has read enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        status, message = 2, f"{error.filename or ''}: {error.strerror or error}".removeprefix(": ")
    except KeyboardInterrupt:
        status, message = 130, "stopped"
    print(f"coursekit: {message}", file=sys.stderr)
    return status


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser, with the asked subcommand's own options."""
    parser = _Parser(
        prog="coursekit",
        description="Define an exercise once; check, release and grade it everywhere.",
        epilog="coursekit COMMAND --help says more, with an example.",
    )
    parser.add_argument("--version", action="version", version=_version())
    asked = next((argument for argument in arguments if not argument.startswith("-")), "")
    if asked and asked not in COMMANDS:
        raise UnknownError("command", asked, COMMANDS)
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, (module, summary) in COMMANDS.items():
        if name == asked:
            importlib.import_module(module).add_parser(subparsers)
        else:
            subparsers.add_parser(name, help=summary)
    return parser


def _version() -> str:
    """Return name and version of the distribution that brought this command."""
    for entry in importlib.metadata.entry_points(group="console_scripts", name="coursekit"):
        if entry.dist is not None:
            return f"coursekit, of {entry.dist.name} {entry.dist.version}"
    return "coursekit, not installed"


if __name__ == "__main__":
    sys.exit(main())
