"""What Binder has to fetch and keep for the course: `python benchmarks/binder.py`.

pip fetches what ``binder/requirements.txt`` asks for and installs it into a folder of its own. That
comes on top of Binder's own image with JupyterLab. Results: ``benchmarks/results/binder.json``.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULT = ROOT / "benchmarks" / "results" / "binder.json"


def pip(*arguments: str) -> None:
    """Run pip; Binder's CPU wheels of torch may also come from a folder, PIP_FIND_LINKS."""
    subprocess.run([sys.executable, "-m", "pip", *arguments, "-q", "--retries", "0"], check=True)


def megabytes(folder: Path) -> int:
    """Return the size of the files below a folder."""
    return round(sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) / 1e6)


def main() -> None:
    """Measure, and store what was seen."""
    asked = ROOT / "binder" / "requirements.txt"
    with tempfile.TemporaryDirectory() as scratch:
        fetched, installed = Path(scratch, "fetched"), Path(scratch, "installed")
        pip("download", "--dest", str(fetched), "--requirement", str(asked))
        wheels = sorted(map(str, fetched.iterdir()))
        pip(
            "install",
            "--no-index",
            "--no-deps",
            "--no-compile",
            "--target",
            str(installed),
            *wheels,
        )
        torch = installed / "torch"
        seen = {
            "requirements": [line for line in asked.read_text().splitlines() if "==" in line],
            "python": ".".join(map(str, sys.version_info[:2])),
            "fetched_mb": megabytes(fetched),
            "installed_mb": megabytes(installed),
            "torch_mb": megabytes(torch),
        }
    RESULT.write_text(json.dumps(seen, indent=2) + "\n", encoding="utf-8")
    print(f"fetched {seen['fetched_mb']} MB, installed {seen['installed_mb']} MB")


if __name__ == "__main__":
    main()
