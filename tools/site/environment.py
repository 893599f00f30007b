"""Make the environment that everything else runs in: ``.venv`` and ``node_modules``.

Run by `make` as a plain script with any Python, before anything is installed: it imports the
standard library only, and parses on the old Pythons that it has to turn away.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

OLDEST = (3, 11)
ROOT = Path(__file__).resolve().parents[2]
_VENV = ROOT / ".venv"
#: Linux wheels of torch without gigabytes of CUDA libraries that no course of this kind uses.
TORCH_CPU = "https://download.pytorch.org/whl/cpu"
_ANOTHER = "Name another Python: make book PYTHON=python3.12"
#: What pip, npm and venv write into a log, and what it means.
_REASONS = {
    "(?i)name ?resolution|network is unreachable|NewConnectionError|ConnectTimeout"
    "|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED": "no network, or the package index is silent",
    # Debian's Python comes in several packages.
    "ensurepip is not": "install what this Python lacks: apt install python3-venv",
    "No matching distribution|requires a different Python": (
        f"not every package suits this Python. {_ANOTHER}"
    ),
}


class BuildError(Exception):
    """Something went wrong that one line explains."""


def say(text: str) -> None:
    """Print one line at once, also when the output is a file or a pipe."""
    print(text, flush=True)


def in_environment(name: str) -> str:
    """Return the path of a program of ``.venv``; where there is none, its bare name."""
    return str(_VENV / "bin" / name) if _VENV.is_dir() else name


def run(
    what: str,
    command: list[str],
    *,
    log: str,
    env: dict[str, str] | None = None,
    root: Path = ROOT,
) -> None:
    """Run a program in ``root`` with its output in ``_build/log/<log>``, and say so.

    Raises
    ------
    BuildError
        If it cannot be started, or ends with an error: what it said, and where the rest is.
    """
    say(f"→ {what}")
    path = root / "_build" / "log" / log
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as output:
        try:
            status = subprocess.call(command, stdout=output, stderr=output, env=env, cwd=root)
        except OSError as error:
            raise BuildError(f"{what}: {command[0]} does not start: {error.strerror}") from None
    if status:
        said = path.read_text(encoding="utf-8", errors="replace").strip() or "no output"
        known = (meant for sign, meant in _REASONS.items() if re.search(sign, said))
        # npm ends with where its own log is.
        lines = re.findall(r"(?im)^(?!.*complete log of).*\berror\b.*$", said) or [said]
        reason = next(known, lines[-1].splitlines()[-1].strip()[:300])
        raise BuildError(f"{what} failed: {reason}. Details: {os.path.relpath(path)}")


def check_python(version: tuple[int, ...] = sys.version_info[:2]) -> None:
    """Raise `BuildError` on a Python that is too old for the course."""
    if version < OLDEST:
        needed, found = (".".join(map(str, each)) for each in (OLDEST, version))
        raise BuildError(f"Python {needed} or newer is needed; this one is {found}. {_ANOTHER}")


def torch_source() -> list[str]:
    """Return pip's option for the CPU-only wheels where they make a difference and answer."""
    try:
        urllib.request.urlopen(TORCH_CPU + "/torch/", timeout=4).close()
    except OSError:
        return []
    return ["--extra-index-url", TORCH_CPU] if sys.platform.startswith("linux") else []


def _make(stamp: Path, files: tuple[str, ...], make: Callable[[], None]) -> None:
    """Make something of ``files`` unless ``stamp`` says that this Python has made it of them."""
    contents = b"".join((ROOT / name).read_bytes() for name in files)
    state = hashlib.sha256(sys.version.encode() + contents).hexdigest()
    if not (stamp.exists() and stamp.read_text() == state):
        make()
        stamp.write_text(state)


def is_made_with(venv: Path, version: tuple[int, ...] = sys.version_info[:2]) -> bool:
    """Tell whether an environment is there, and the Python of this version that made it."""
    made = f"version = {'.'.join(map(str, version))}."
    return (venv / "bin" / "python").exists() and made in (venv / "pyvenv.cfg").read_text()


def together(*steps: Callable[[], Any]) -> list[Any]:
    """Do steps side by side and return their results; say the faults of all, one reason once."""
    with ThreadPoolExecutor() as pool:
        done = [pool.submit(step) for step in steps]
    faults = [str(each.exception()) for each in done if isinstance(each.exception(), BuildError)]
    if faults:
        reasons = {re.sub(r".* failed: |\. Details.*", "", said): said for said in faults}
        raise BuildError("\n".join(reasons.values()))
    return [each.result() for each in done]


def _unpack() -> None:
    if not is_made_with(_VENV):
        make = [sys.executable, "-m", "venv", "--clear", str(_VENV)]
        run(f"making .venv with Python {sys.version.split()[0]}", make, log="venv.txt")
    pins = re.findall(r"(?m)^\w.*", (ROOT / "requirements.txt").read_text())
    # One pip unpacks on one core. All is pinned: no half has to look for what the other brings.
    what = "installing Python packages, half {} of 2 (some minutes the first time)"
    options = ["--no-deps", *torch_source()]
    halves = ((what.format(i), f"pip-{i}.txt", *options, *pins[i % 2 :: 2]) for i in (1, 2))
    together(*(partial(_pip, *half) for half in halves))


def _pip(what: str, log: str, *packages: str) -> None:
    # Python compiles what is imported, on all cores; pip compiles everything, on one.
    options = ["--disable-pip-version-check", "--no-compile"]
    run(what, [in_environment("python"), "-m", "pip", "install", *options, *packages], log=log)


def _install_course() -> None:
    # What no pin names, such as the libraries of a PyTorch for graphics cards, comes now.
    options = ["--no-build-isolation", *torch_source(), "-r", "requirements.txt", "-e", "."]
    _pip("installing the course itself", "pip-course.txt", *options)


def _make_node() -> None:
    # No package may run its own scripts: esbuild's binary comes inside a package anyway.
    command = [in_environment("npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    run("installing the front end's packages", command, log="npm.txt", env=with_node())


def with_node() -> dict[str, str]:
    """Return this process's environment variables with ``.venv``'s Node first on the path."""
    # Trust the certificates that this machine trusts, as pip does; Node brings its own list.
    path = os.pathsep.join([str(Path(in_environment("node")).parent), os.environ.get("PATH", "")])
    return {"NODE_USE_SYSTEM_CA": "1", **os.environ, "PATH": path}


def report(do: Callable[[], str]) -> int:
    """Do something, and say what came of it and how long it took; return the exit status."""
    started = time.monotonic()
    try:
        if done := do():
            say(f"✓ {done} ({time.monotonic() - started:.0f} s)")
    except (BuildError, KeyboardInterrupt) as failure:
        print(f"✗ {failure or 'stopped; run it again to go on'}", file=sys.stderr)
        return 1 if isinstance(failure, BuildError) else 130
    return 0


def run_node(script: Path, question: str, what: str, *options: str) -> str:
    """Return what a script of Node prints when it reads ``question``; its fault is one line."""
    command = [in_environment("node"), str(script), *options]
    done = subprocess.run(
        command, input=question.encode(), capture_output=True, env=with_node(), check=False
    )
    if done.returncode:
        said = done.stderr.decode().strip() or "no reason given"
        lines = re.findall("(?m)^.*ERROR.*", said) or said.splitlines()  # esbuild has more below it
        raise BuildError(f"{what}: {lines[-1][:400]}")
    return done.stdout.decode()


def make_environment() -> str:
    """Make what is not there or out of date; return ""."""
    check_python()
    pins, node = "requirements.txt", ROOT / "node_modules/.made-from"
    _make(_VENV / "unpacked-from", (pins,), _unpack)
    together(
        partial(_make, _VENV / "made-from", (pins, "pyproject.toml"), _install_course),
        partial(_make, node, ("package.json", "package-lock.json"), _make_node),
    )
    return ""


if __name__ == "__main__":
    sys.exit(report(make_environment))
