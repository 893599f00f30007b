"""The bundles of explorables: a page's weight does not grow with what other pages show."""

from __future__ import annotations

import gzip
import shutil
import subprocess
from pathlib import Path

import pytest

from tools.site.environment import in_environment, with_node
from tools.site.project import TOOLS

ROOT = Path(__file__).resolve().parents[2]
LIB = ROOT / "lib"


@pytest.fixture
def explorables(tmp_path: Path) -> Path:
    """Return a copy of the course's explorables, to be added to."""
    for name in ("explorables", "drawing"):
        ignored = shutil.ignore_patterns("__pycache__", "_dist", "*.py")
        shutil.copytree(LIB / "attnlab" / name, tmp_path / "lib" / name, ignore=ignored)
    (tmp_path / "node_modules").symlink_to(ROOT / "node_modules")
    return tmp_path / "lib" / "explorables"


def bundle(explorables: Path, assets: Path) -> subprocess.CompletedProcess[str]:
    """Bundle the front end as the build does."""
    given = [TOOLS / "bundle.mjs", assets, LIB / "coursekit" / "web", explorables, "attn-"]
    command = [in_environment("node"), *map(str, given)]
    env = with_node()
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def scripts(explorables: Path, assets: Path) -> dict[str, bytes]:
    """Return the scripts of explorables for pages, by their places."""
    done = bundle(explorables, assets)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    found = [assets / "explorables.js", *(assets / "explorables").glob("*.js")]
    return {str(path.relative_to(assets)): path.read_bytes() for path in found}


def add(explorables: Path, like: str, name: str) -> None:
    """Add an explorable that is like another one."""
    shutil.copytree(explorables / like, explorables / name)
    (explorables / name / f"{like}.ts").rename(explorables / name / f"{name}.ts")


def test_one_more_or_less_explorable_leaves_other_pages_as_they_were(
    explorables: Path, tmp_path: Path
) -> None:
    before = scripts(explorables, tmp_path / "assets")
    add(explorables, "context_vector", "two_words")
    shutil.rmtree(explorables / "reach")
    after = scripts(explorables, tmp_path / "assets")
    assert set(after) - set(before) == {"explorables/attn-two-words.js"}
    assert set(before) - set(after) == {"explorables/attn-reach.js"}
    assert not (explorables / "_dist" / "reach.js").exists()
    both = before.keys() & after.keys()
    assert {name: after[name] for name in both} == {name: before[name] for name in both}
    # No page loads more than the figures it shows; those that run or draw a model weigh the most.
    assert max(len(gzip.compress(text)) for text in after.values()) < 11_000


def test_a_page_module_that_defines_no_element_fails_the_build(
    explorables: Path, tmp_path: Path
) -> None:
    (explorables / "page.ts").write_text("export const other = 1;\n", encoding="utf-8")
    done = bundle(explorables, tmp_path / "assets")
    assert done.returncode == 1
    assert 'No matching export in "' in done.stderr
    assert 'page.ts" for import "define"' in done.stderr
