"""The bundles of explorables: a page's weight does not grow with what other pages show."""

from __future__ import annotations

import gzip
import shutil
import subprocess
from pathlib import Path

from tools.site.environment import in_environment, with_node
from tools.site.project import TOOLS

ROOT = Path(__file__).resolve().parents[2]
LIB = ROOT / "lib"


def scripts(explorables: Path, assets: Path) -> dict[str, bytes]:
    """Bundle as the build does; return the scripts of explorables for pages, by their places."""
    given = [TOOLS / "bundle.mjs", assets, LIB / "coursekit" / "web", explorables, "attn-"]
    command = [in_environment("node"), *map(str, given)]
    done = subprocess.run(command, env=with_node(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    found = [assets / "explorables.js", *(assets / "explorables").glob("*.js")]
    return {str(path.relative_to(assets)): path.read_bytes() for path in found}


def test_one_more_or_less_explorable_leaves_other_pages_as_they_were(tmp_path: Path) -> None:
    explorables = tmp_path / "lib" / "explorables"
    for name in ("explorables", "drawing"):
        ignored = shutil.ignore_patterns("__pycache__", "_dist", "*.py")
        shutil.copytree(LIB / "attnlab" / name, tmp_path / "lib" / name, ignore=ignored)
    (tmp_path / "node_modules").symlink_to(ROOT / "node_modules")
    before = scripts(explorables, tmp_path / "assets")
    two_words = shutil.copytree(explorables / "context_vector", explorables / "two_words")
    (two_words / "context_vector.ts").rename(two_words / "two_words.ts")
    shutil.rmtree(explorables / "reach")
    after = scripts(explorables, tmp_path / "assets")
    assert set(after) - set(before) == {"explorables/attn-two-words.js"}
    assert set(before) - set(after) == {"explorables/attn-reach.js"}
    assert not (explorables / "_dist" / "reach.js").exists()
    both = before.keys() & after.keys()
    assert {name: after[name] for name in both} == {name: before[name] for name in both}
    # No page loads more than the figures it shows; those that run or draw a model weigh the most.
    assert max(len(gzip.compress(text)) for text in after.values()) < 11_000
