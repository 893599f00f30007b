"""Where node is, and the run that a writer begins with."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from attnlab.explorables import Writer


@pytest.fixture(scope="session")
def node() -> str:
    """Return the environment's node, or the system's."""
    beside = Path(sys.executable).with_name("node.exe" if os.name == "nt" else "node")
    path = str(beside) if beside.exists() else shutil.which("node")
    if path is None:
        pytest.fail("no node: run `make book` first, it installs one", pytrace=False)
    return path


@pytest.fixture
def in_node(node: str, tmp_path: Path) -> Callable[[str, Any, int], None]:
    """Return a function that runs the tests of a script on fixtures that Python has made."""

    def run(script: str, fixtures: Any, tests: int) -> None:
        path = tmp_path / "fixtures.json"
        path.write_text(json.dumps(fixtures))
        done = subprocess.run(
            [node, "--test", "--test-reporter=tap", str(Path(__file__).with_name(script))],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"FIXTURES": str(path)},
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert f"# pass {tests}\n" in done.stdout  # none may vanish unseen

    return run


@pytest.fixture(scope="session", autouse=True)
def _recorded_once() -> Iterator[None]:
    """Compute the run that a writer begins with once: it takes seconds."""
    recording, made = Writer.recording, dict[str, Any]()

    def once(self: Writer) -> dict[str, Any]:
        told = json.dumps(self.beginnings[0])
        if told not in made:
            made[told] = recording(self)
        return deepcopy(made[told])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Writer, "recording", once)
        yield
