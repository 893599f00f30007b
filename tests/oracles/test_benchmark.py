"""The benchmark runs, all peers beside it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_benchmark_runs_and_stores_what_it_saw(tmp_path: Path) -> None:
    output = tmp_path / "results.json"
    done = subprocess.run(
        [sys.executable, "benchmarks/attention.py", "--quick", "--output", str(output)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    seen = json.loads(output.read_text(encoding="utf-8"))
    stored = json.loads((ROOT / "lib/attnlab/speed/attention.json").read_text(encoding="utf-8"))
    assert seen["environment"].keys() == stored["environment"].keys()
    assert seen["memory"].keys() == stored["memory"].keys()
    for name, group in stored["groups"].items():
        peers = {peer for times in group["seconds"].values() for peer in times}
        now = {peer for times in seen["groups"][name]["seconds"].values() for peer in times}
        assert peers == now, name
        assert max(seen["groups"][name]["largest difference"].values()) < 1e-5
