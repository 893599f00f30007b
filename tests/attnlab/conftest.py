"""Where node is, and how it runs the tests of a script."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tools.site.environment import in_environment


@pytest.fixture(scope="session")
def node() -> str:
    """Return the environment's node, also for the environment of the oracles."""
    return in_environment("node")


@pytest.fixture
def in_node(node: str, tmp_path: Path) -> Callable[[Path, Any, int], None]:
    """Return a function that runs the tests of a script on fixtures that Python has made."""

    def run(script: Path, fixtures: Any, tests: int) -> None:
        path = tmp_path / "fixtures.json"
        path.write_text(json.dumps(fixtures))
        command = [node, "--test", "--test-reporter=tap", str(script)]
        env = os.environ | {"FIXTURES": str(path)}
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
        assert done.returncode == 0, done.stdout + done.stderr
        assert f"# pass {tests}\n" in done.stdout  # none may vanish unseen

    return run
