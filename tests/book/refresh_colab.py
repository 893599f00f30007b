"""Write colab.txt anew from the list of packages that Google publishes for Colab.

``python -m tests.book.refresh_colab FOLDER 2026-08-19``, with a clone of googlecolab/backend-info
in FOLDER and the date of its newest commit. Of its pip-freeze.txt those packages are kept that pip
would install there for our chapters and for a kernel; its os-info.txt names Colab's Python.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.site.notebooks import requirements
from tools.site.project import Project

ROOT = Path(__file__).resolve().parents[2]
PINS = Path(__file__).with_name("colab.txt")
HEAD = """\
# What Colab had on {date}, from Google's own list: the packages that our chapters and their kernel
# meet there. Python is {python} and torch {torch}.
# Written by: python -m tests.book.refresh_colab
"""


def versions_in(freeze: str) -> dict[str, str]:
    """Return the versions in a list as pip writes it, by name; ``name @ address`` included."""
    pinned = re.findall(r"(?m)^([\w.-]+)==(\S+)$", freeze)
    wheels = re.findall(r"(?m)^([\w.-]+) @ \S*/\w+-([\d.]+)[^/\s]*\.whl$", freeze)
    return {canonicalize_name(name): version for name, version in [*pinned, *wheels]}


def needed(versions: dict[str, str], python: str) -> list[str]:
    """Return ``name==version`` of all that pip would install where Colab has it.

    Torch is not among what our chapters and a kernel are said to need: the tests lend theirs.
    """
    listed = requirements(Project(ROOT))
    names = sorted({*listed[""], *listed["notebook"], "ipykernel"} & {*versions})
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    with tempfile.TemporaryDirectory() as folder:
        pins, report = Path(folder, "pins.txt"), Path(folder, "report.json")
        pins.write_text("".join(f"{name}=={version}\n" for name, version in versions.items()))
        command += ["--dry-run", "--ignore-installed", "--report", str(report), "-c", str(pins)]
        command += ["--python-version", python, "--only-binary=:all:", "--target", folder, *names]
        subprocess.run(command, check=True)
        listed = json.loads(report.read_text(encoding="utf-8"))["install"]
    installed = {canonicalize_name(each["metadata"]["name"]) for each in listed}
    return [f"{name}=={versions[name]}\n" for name in sorted(installed & set(versions))]


def pinned(file: Path = PINS) -> dict[str, str]:
    """Return the versions in colab.txt by name."""
    lines = file.read_text(encoding="utf-8").splitlines()
    needs = [Requirement(line) for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(need.name): str(need.specifier)[2:] for need in needs}


def python(file: Path = PINS) -> str:
    """Return the Python that colab.txt names."""
    return re.findall(r"Python is (\d+\.\d+) ", file.read_text(encoding="utf-8"))[0]


def main(folder: str, date: str) -> None:
    """Write colab.txt."""
    freeze, about = (
        Path(folder, name).read_text("utf-8") for name in ("pip-freeze.txt", "os-info.txt")
    )
    versions, (of_colab,) = versions_in(freeze), re.findall(r"(?m)^Python (\d+\.\d+)", about)
    head = HEAD.format(date=date, python=of_colab, torch=versions["torch"])
    PINS.write_text(head + "".join(needed(versions, of_colab)), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
