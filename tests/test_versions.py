"""The course's version, and the places that repeat it; a release checks the tag against them."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import yaml

import attn

ROOT = Path(__file__).resolve().parents[1]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
CITED = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_the_version_is_the_same_everywhere() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest, date = re.findall(r"(?m)^## (\S+) - (unreleased|\d{4}-\d\d-\d\d)$", changes)[0]
    readme, page = ((ROOT / name).read_text("utf-8") for name in ("README.md", "book/using.md"))
    wheels = re.findall(r"attention_course-([\w.]+)-py3-none-any\.whl", readme)
    cited = re.findall(r"(?i)\bversion (\d[\w.]*\w)", page.partition("## How to cite")[2])
    assert {attn.__version__, newest, CITED["version"], *wheels, *cited} == {VERSION}
    assert len(cited) == 2  # in the line and in the entry for BibTeX
    assert str(CITED.get("date-released", "unreleased")) == date


def test_the_citation_is_one_and_the_page_says_what_it_says() -> None:
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]
    check += ["vendor.citation-file-format", str(ROOT / "CITATION.cff")]
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    said = (ROOT / "book" / "using.md").read_text("utf-8").partition("## How to cite")[2]
    for words in (CITED["message"], CITED["title"], CITED["authors"][0]["name"]):
        assert words in said
