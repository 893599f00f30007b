"""Write colab.txt anew from the list of packages that Google publishes for Colab.

The list is pip-freeze.txt in the repository googlecolab/backend-info on GitHub; os-info.txt beside
it names Colab's Python. Of the list those packages are kept that pip would install there for our
chapters and for a kernel.
"""

from __future__ import annotations

import argparse
import datetime
import json
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterable
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.site.needs import requirements
from tools.site.project import Project

ROOT = Path(__file__).resolve().parents[2]
PINS = Path(__file__).with_name("colab.txt")
HEAD = """\
# What Colab had on {date}, from Google's own list: the packages that our chapters and their kernel
# meet there. Python is {python} and torch {torch}.
# Written by: python -m tests.book.refresh_colab (--help says how)
"""
EXAMPLE = """\
example, with a clone of googlecolab/backend-info in the folder FOLDER:
  python -m tests.book.refresh_colab FOLDER/pip-freeze.txt \\
      --date "$(git -C FOLDER log -1 --format=%cs -- pip-freeze.txt)"
"""


class RefreshError(Exception):
    """What is printed as one line, in place of a new colab.txt."""


def text_of(source: str) -> str:
    """Return the text of a file, or of what is at an address that begins with http."""
    try:
        if not source.startswith(("http://", "https://")):
            return Path(source).read_text(encoding="utf-8")
        with urllib.request.urlopen(source, timeout=60) as answer:
            return str(answer.read().decode("utf-8"))
    except (OSError, ValueError) as error:  # addresses that do not answer included
        reason = getattr(error, "strerror", None) or getattr(error, "reason", None) or error
        raise RefreshError(
            f"{source} cannot be read ({reason}); expected the address or the file of Google's "
            "pip-freeze.txt, with os-info.txt beside it"
        ) from None


def versions_in(freeze: str, source: str) -> dict[str, str]:
    """Return the versions in a list as pip writes it, by name; ``name @ address`` included."""
    pinned = re.findall(r"(?m)^([\w.-]+)==(\S+)$", freeze)
    wheels = re.findall(r"(?m)^([\w.-]+) @ \S*/\w+-([\d.]+)[^/\s]*\.whl$", freeze)
    found = {canonicalize_name(name): version for name, version in [*pinned, *wheels]}
    if missing := {"ipykernel", "torch"} - set(found):
        raise RefreshError(
            f"{source} names no version of {' and '.join(sorted(missing))}; expected Colab's "
            "pip-freeze.txt, with lines like ipykernel==6.17.1"
        )
    return found


def python_in(info: str, source: str) -> str:
    """Return the Python that os-info.txt names, such as ``3.13``."""
    if not (found := re.search(r"(?m)^Python (\d+\.\d+)", info)):
        raise RefreshError(f"{source} names no Python; expected a line like Python 3.13.15")
    return found[1]


def roots(root: Path = ROOT) -> list[str]:
    """Return what our chapters and a kernel need, torch excepted: the tests lend theirs."""
    listed = requirements(Project(root))
    return sorted({*listed[""], *listed["notebook"], "ipykernel"})


def needed(names: Iterable[str], versions: dict[str, str], python: str) -> list[str]:
    """Return ``name==version`` of all that pip would install for ``names`` where Colab has it."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    with tempfile.TemporaryDirectory() as folder:
        pins, report = Path(folder, "pins.txt"), Path(folder, "report.json")
        pins.write_text("".join(f"{name}=={version}\n" for name, version in versions.items()))
        command += ["--dry-run", "--ignore-installed", "--report", str(report), "-c", str(pins)]
        command += ["--python-version", python, "--only-binary=:all:", "--target", folder]
        command += [name for name in names if name in versions]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
            raise RefreshError(f"pip cannot resolve the list: {(errors or [done.stderr])[0]}")
        listed = json.loads(report.read_text(encoding="utf-8"))["install"]
    installed = {canonicalize_name(each["metadata"]["name"]) for each in listed}
    return [f"{name}=={versions[name]}" for name in sorted(installed & set(versions))]


def refresh(source: str, date: datetime.date, target: Path) -> int:
    """Write ``target`` from the list ``source``; return how many packages it pins."""
    beside = re.sub(r"[^/\\]+$", "os-info.txt", source)
    versions = versions_in(text_of(source), source)
    python = python_in(text_of(beside), beside)
    pins = needed(roots(), versions, python)
    head = HEAD.format(date=date, python=python, torch=versions["torch"])
    target.write_text(head + "".join(f"{pin}\n" for pin in pins), encoding="utf-8")
    return len(pins)


def pinned(file: Path = PINS) -> dict[str, str]:
    """Return the versions in colab.txt by name."""
    lines = file.read_text(encoding="utf-8").splitlines()
    needs = [Requirement(line) for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(need.name): str(need.specifier)[2:] for need in needs}


def python(file: Path = PINS) -> str:
    """Return the Python that colab.txt names."""
    return re.findall(r"Python is (\d+\.\d+) ", file.read_text(encoding="utf-8"))[0]


def _date(text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date; expected 2026-08-19") from None


def main(arguments: list[str] | None = None) -> None:
    """Read the command line and write colab.txt."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.book.refresh_colab",
        description=__doc__,
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("list", metavar="LIST", help="address or file of Google's pip-freeze.txt")
    parser.add_argument("--date", type=_date, required=True, help="the list's, as 2026-08-19")
    parser.add_argument("-o", "--output", type=Path, default=PINS, help="default: colab.txt")
    options = parser.parse_args(arguments)
    try:
        count = refresh(options.list, options.date, options.output)
    except RefreshError as error:
        sys.exit(f"refresh_colab: {error}")
    print(f"{options.output.name}: {count} packages as of {options.date}")


if __name__ == "__main__":
    main()
