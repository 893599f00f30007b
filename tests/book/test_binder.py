"""binder/ stands alone, and agrees with the project's own pins."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def pins(name: str) -> dict[str, str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return dict(re.findall(r"(?m)^([\w.-]+)==(\S+)$", text))


def test_binder_installs_the_versions_that_the_book_was_built_with() -> None:
    ours, binder = pins("requirements.txt"), pins("binder/requirements.txt")
    assert binder
    assert {name: ours.get(name) for name in binder} == binder


def test_binder_installs_all_that_the_chapters_need() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = project["dependencies"] + extras["torch"] + extras["notebook"]
    names = {re.split(r"[<>=]", need)[0] for need in needed}
    assert names <= set(pins("binder/requirements.txt"))


def test_published_branch_is_what_binder_needs(site: Path) -> None:
    for name in ("requirements.txt", "postBuild", "runtime.txt"):
        assert (site / "binder" / name).read_bytes() == (ROOT / "binder" / name).read_bytes()
    assert len(list((site / "notebooks").glob("*.whl"))) == 1
