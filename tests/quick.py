"""Run the tests of what differs from another commit: ``python -m tests.quick [main]``.

A map from folders to tests, for use while working; `make test` decides what lands.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: The first that a changed file begins with says where its tests are.
TESTS = {
    "lib/attn/": ("tests/attn", "lib/attn"),
    "lib/attnlab/explorables/": ("tests/attnlab/explorables", "tests/browser/explorables"),
    "lib/attnlab/": ("tests/attnlab",),
    "lib/coursekit/grade/": ("tests/grading",),
    "lib/coursekit/sandbox/": ("tests/grading",),
    "lib/coursekit/live/": ("tests/coursekit/live", "tests/coursekit_web"),
    "lib/coursekit/page/": ("tests/coursekit_web",),
    "lib/coursekit/web/": ("tests/coursekit_web",),
    "lib/coursekit/": ("tests/coursekit",),
    "exercises/": ("tests/coursekit/test_exercises.py", "tests/coursekit_web/test_in_page.py"),
    "book/": ("tests/book",),
    "tools/": ("tests/book",),
    ".github/": ("tests/test_workflows.py",),
}
#: The rules for every file, and this map.
ALWAYS = ("tests/test_layout.py", "tests/test_docs.py")


def tests_of(changed: list[str]) -> list[str]:
    """Return the tests of changed files, whose paths begin at the repository's root."""
    found = list(ALWAYS)
    for file in changed:
        if file.startswith("tests/") and Path(file).name.startswith("test_"):
            found.append(file)
        elif file.startswith("tests/") and Path(file).name == "conftest.py":
            found.append(str(Path(file).parent))
        found += next((tests for start, tests in TESTS.items() if file.startswith(start)), ())
    return sorted({test for test in found if (ROOT / test).exists()})


def _changed(base: str) -> list[str]:
    git = ["git", "-C", str(ROOT)]
    listed = [
        [*git, "diff", "--name-only", base],
        [*git, "ls-files", "--others", "--exclude-standard"],
    ]
    done = [subprocess.run(command, capture_output=True, text=True) for command in listed]
    for each in done:
        if each.returncode:
            sys.exit(f"✗ cannot tell what differs from {base!r}: {each.stderr.strip()}")
    return [line for each in done for line in each.stdout.splitlines()]


def main(base: str = "main") -> int:
    """Run the tests; return pytest's exit status."""
    tests = tests_of(_changed(base))
    print("→ " + " ".join(tests), flush=True)
    options = ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder", "-q", "-m", "not heavy"]
    return subprocess.call([sys.executable, "-m", "pytest", *options, *tests], cwd=ROOT)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
