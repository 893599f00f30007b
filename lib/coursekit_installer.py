"""Install what notebooks need: the part of coursekit that runs before anything is installed.

A notebook's first cell and the script beside the notebooks import it from the file of a wheel. So
it imports the standard library only, and Pythons that are too old for a course can read it.
"""

from __future__ import annotations

import glob
import importlib
import os
import re
import site as user_site
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from importlib import metadata

#: PyTorch for Linux without the libraries for graphics cards, which are gigabytes.
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
NO_CPU_INDEX = (
    "{} does not answer: PyTorch comes from PyPI, on Linux with what graphics cards need (about "
    "3 GB to download, 6 GB when installed)."
)
#: What pip says, in small letters, where it may not write and where it reaches no network.
MAY_NOT = ("externally-managed", "permission denied", "operation not permitted", "read-only")
OFFLINE = ("new connection", "name resolution", "failed to resolve", "unreachable", "timed out")
#: What pip says of a file that it downloads, with its size.
_DOWNLOAD = re.compile(
    r"\s*Downloading (?:\S*/)?(\S+?)(?:-py\d\S*|-cp\d\S*|\.whl|\.tar\.gz) (\(.*\))"
)


class NotInstalledError(Exception):
    """One sentence that tells the reader what to do."""

    def _render_traceback_(self) -> list[str]:  # Jupyter shows this in place of a traceback.
        return [str(self)]


def install(wheels: list[str], extras: str = "", site: str = "") -> None:
    """Install what a notebook uses and this kernel lacks, and say what that takes.

    Parameters
    ----------
    wheels : list of str
        Files of the course's wheels beside the notebook, its own first.
    extras : str
        The extras of the course that the notebook needs, separated by commas.
    site : str
        Address of the folder that has the wheels, too; may be empty.

    Raises
    ------
    NotInstalledError
        Something is still missing; the message tells what to do.
    """
    sys.path[:] = [path for path in sys.path if path not in wheels]  # where this may come from
    needs = Needs(wheels, extras, site)
    if needs.missing():
        needs.install()
    if needs.in_colab and needs.has_widgets():
        from google.colab import output

        output.enable_custom_widget_manager()


def refuse_old_python(wheel: str) -> None:
    """Tell the reader which Python a wheel needs where this one is older."""
    asked = re.match(r">=\s*([\d.]+)", _distribution(wheel).metadata["Requires-Python"] or "")
    python = asked[1] if asked else "3"
    if sys.version_info < tuple(map(int, python.split("."))):
        raise NotInstalledError(
            f"This course needs Python {python} or newer, and this is Python "
            f"{sys.version.split()[0]} ({sys.executable}): run it with a newer Python."
        )


class Pip:
    """The pip of an environment, which says what it downloads."""

    def __init__(self, python: str) -> None:
        self.python = python

    def install(self, *arguments: str) -> str:
        """Run ``pip install``; return what went wrong, "" for nothing."""
        command = [self.python, "-m", "pip", "install", "--no-input", *arguments]
        command += ["--disable-pip-version-check", "--progress-bar=off"]
        try:
            process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                errors="replace",
            )
        except OSError as error:  # Python in a browser starts no other program.
            return f"ERROR: no program can be started ({error})"
        said = []
        with process:
            for line in process.stdout or ():
                said.append(line)
                if line.startswith("Installing collected packages"):
                    print("  all is here; unpacking, minutes with a large PyTorch …", flush=True)
                download = _DOWNLOAD.match(line)
                if download and "kB" not in line and "bytes" not in line:
                    print(f"  {download[1]} {download[2]}", flush=True)
        return "".join(said) if process.returncode else ""

    def install_torch(self, requirement: str, index: str = CPU_INDEX) -> None:
        """Install PyTorch without gigabytes for graphics cards, where that can be had.

        On Linux alone it comes with them from PyPI.
        """
        if not sys.platform.startswith("linux"):
            return
        try:
            with urllib.request.urlopen(f"{index}/torch/", timeout=5):
                pass
        except OSError:
            print(f"  {NO_CPU_INDEX.format(index)}", flush=True)
            return
        if self.install("--index-url", index, "--retries", "1", requirement):
            print(f"  {NO_CPU_INDEX.format(index)}", flush=True)


class Needs:
    """The course and what it needs for a notebook. The parameters are those of `install`."""

    def __init__(self, wheels: list[str], extras: str, site: str) -> None:
        self.wheels, self.in_colab = wheels, "google.colab" in sys.modules
        self._extras, self._pip = extras, Pip(sys.executable)
        for wheel in wheels:
            # A download that broke off is a file, but without the end that makes it a wheel.
            if not (zipfile.is_zipfile(wheel) or _version(wheel)):
                if not site:
                    raise NotInstalledError(f"This notebook needs {wheel}: {_where_it_is(wheel)}.")
                urllib.request.urlretrieve(site + os.path.basename(wheel), wheel)
        refuse_old_python(wheels[0])
        self.others = dict(_others(wheels, extras))

    def has_widgets(self) -> bool:
        """Whether a notebook with these needs shows figures that move."""
        return bool({"anywidget", "ipywidgets"} & set(self.others))

    def missing(self) -> list[str]:
        """Return the names of the distributions that are missing, the course's first."""
        importlib.invalidate_caches()
        ours = [_name(wheel) for wheel in self.wheels if _is_missing(wheel)]
        return ours + [name for name in self.others if not _version(name)]

    def install(self) -> None:
        """Have pip install what is missing, or tell in one sentence what to do."""
        began, names = time.monotonic(), self.missing()
        print(f"Installing {', '.join(names)} …", flush=True)
        if self.in_colab:
            self._install_in_colab()
        else:
            if "torch" in names:
                self._pip.install_torch(self.others["torch"])
            self._check(self._pip.install(*self._asked()))
        if left := self.missing():
            raise NotInstalledError(
                f"{', '.join(left)} cannot be found although pip reported no error: "
                "restart the kernel and run this cell again."
            )
        print(f"Installed in {time.monotonic() - began:.0f} s.", flush=True)
        if not self.in_colab and {"anywidget", "ipywidgets"} & set(names):
            print(  # Jupyter looks for them at its start.
                "Jupyter was opened before what moves figures was there: save the notebook, reload "
                "the page in the browser and run the cells again."
            )

    def _asked(self) -> list[str]:
        """Return what pip is to install: wheels, the course's own with its extras, or others."""
        ours = [os.path.abspath(wheel) for wheel in self.wheels if _is_missing(wheel)]
        if ours and _is_missing(self.wheels[0]) and self._extras:
            ours[0] += f"[{self._extras}]"
        return ours or [need for name, need in self.others.items() if not _version(name)]

    def _install_in_colab(self) -> None:
        """Install what is missing; Colab's kernel, widgets and libraries keep their versions."""
        if ours := [os.path.abspath(wheel) for wheel in self.wheels if _is_missing(wheel)]:
            self._check(self._pip.install("--no-deps", *ours))
        if asked := self._asked():
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "installed.txt")
                with open(path, "w", encoding="utf-8") as file:
                    file.writelines(_installed_versions())
                self._check(self._pip.install("--constraint", path, *asked))

    def _check(self, trouble: str) -> None:
        """Raise one sentence of what stopped pip; else let this kernel import what it brought."""
        if trouble:
            why = reason(trouble, self.missing(), self._asked(), in_colab=self.in_colab)
            raise NotInstalledError(why)
        # Where the kernel's Python belongs to somebody else, pip writes into the user's own folder,
        # and a kernel that started before the folder was there does not look into it.
        folder = user_site.getusersitepackages()
        if user_site.ENABLE_USER_SITE and os.path.isdir(folder) and folder not in sys.path:
            user_site.addsitedir(folder)


def _name(wheel: str) -> str:
    """Return the name of a wheel's distribution."""
    return os.path.basename(wheel).split("-")[0]


def _version(name: str) -> str:
    """Return the version in which a distribution is installed, or that of a wheel; "" for none."""
    try:
        return metadata.version(_name(name) if name.endswith(".whl") else name)
    except metadata.PackageNotFoundError:
        return ""


def _is_missing(wheel: str) -> bool:
    """Whether a wheel is to be installed: another version counts where the wheel is here."""
    installed = _version(wheel)
    return not installed or (
        zipfile.is_zipfile(wheel) and installed != os.path.basename(wheel).split("-")[1]
    )


def _others(wheels: list[str], extras: str) -> Iterator[tuple[str, str]]:
    """Yield what others make of a course's needs: names, each with pip's requirement.

    What only some systems need is left to pip.
    """
    wanted = set(extras.split(","))
    beside = {_plain(_name(wheel)): wheel for wheel in wheels}
    for need in _distribution(wheels[0]).requires or ():
        match = re.match(r"([\w.-]+)(?:\[([\w,-]*)\])?([^;]*)(?:;(.*))?$", need)
        name, its_extras, version, marker = match.groups() if match else (need, "", "", "other")
        extra = re.fullmatch(r"""\s*extra\s*==\s*['"]([\w-]+)['"]\s*""", marker or "")
        if marker and not (extra and extra[1] in wanted):
            continue
        other = beside.get(_plain(name))
        if other and other != wheels[0]:
            yield from _others([other], its_extras or "")
        elif not other:
            yield _plain(name), f"{name}{version}".strip()


def _distribution(wheel: str) -> metadata.Distribution:
    """Return the distribution in a wheel, or the installed one where the wheel is not here."""
    inside = metadata.distributions(path=[wheel]) if zipfile.is_zipfile(wheel) else ()
    return next(iter(inside), None) or metadata.distribution(_name(wheel))


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")


def _where_it_is(wheel: str) -> str:
    """Return what to do for a wheel, and which files are there that do not serve."""
    others = sorted(glob.glob(os.path.join(os.path.dirname(wheel), _name(wheel) + "-*.whl*")))
    useless = f" ({', '.join(others)} there is incomplete, renamed or of another version)"
    return (
        "put it, which the course's site offers with the notebooks, beside this notebook"
        f"{useless if others else ''} and run this cell again"
    )


def _installed_versions() -> list[str]:
    """Return a line ``name==version`` for each installed distribution."""
    versions: dict[str, str] = {}
    for each in metadata.distributions():  # The first of a name is the one in use.
        versions.setdefault(each.metadata["Name"] or "", each.version)
    return [f"{name}=={version}\n" for name, version in versions.items() if name]


def reason(said: str, names: list[str], asked: list[str], *, in_colab: bool = False) -> str:
    """Return one sentence of what stopped pip from installing ``names``, and of what to do."""
    lines = said.strip().splitlines() or ["no reason given"]
    errors = [line for line in lines if line.lower().startswith("error")]
    if not errors or errors[0] == "ERROR: Exception:":  # a fault in pip itself
        errors = lines[-1:]
    listed, low = ", ".join(names), said.lower()
    if "no module named pip" in low:
        return (
            f"{listed} must be installed, and this kernel's Python has no pip: run "
            f"{sys.executable} -m ensurepip, then run this cell again."
        )
    if any(sign in low for sign in MAY_NOT):
        quoted = " ".join(f'"{each}"' for each in ["jupyterlab", *asked])
        return (
            f"pip may not install {listed} into this kernel's Python ({errors[0]}): in a "
            f"terminal run {sys.executable} -m venv course, then course/bin/python -m pip install "
            f"{quoted} (on Windows course\\Scripts\\python), and open this notebook with "
            "course/bin/jupyter lab."
        )
    if any(sign in low for sign in OFFLINE):
        return (
            f"pip could not reach the network, which it needs to install {listed}: connect "
            "and try again."
        )
    if in_colab and "conflict" in low:
        return (
            f"Colab's own packages stand in the way of {listed} ({errors[0]}) and are left as "
            "they are: open this notebook in a Jupyter of your own."
        )
    return f"pip could not install {listed} ({errors[0]}): when that is fixed, try again."


def make_environment(folder: str, wheels: list[str], extras: str, opens: str) -> int:
    """Make ``.venv`` beside the notebooks in ``folder``, with JupyterLab and all that they need.

    Parameters
    ----------
    folder : str
        Where notebooks and wheels are.
    wheels
        As for `install`.
    extras : str
        Those of the course that its notebooks need, separated by commas.
    opens : str
        The notebook to open.

    Returns
    -------
    int
        The exit status: 0, or 1 where something is missing, after a sentence that says what.
    """
    try:
        os.chdir(folder)
        refuse_old_python(wheels[0])
        began = time.monotonic()
        bin = os.path.join(".venv", "Scripts" if os.name == "nt" else "bin")
        complete = os.path.join(".venv", "complete")
        if os.path.exists(complete):
            print("Everything is installed.")
        else:
            print("Making .venv in this folder …", flush=True)
            _make_venv(bin, wheels, extras)
            open(complete, "w").close()  # what breaks off before this is taken up again
            print(f"Installed in {time.monotonic() - began:.0f} s.")
    except NotInstalledError as error:
        print(error, file=sys.stderr)
        return 1
    print("To begin, run\n")
    print(f"    {os.path.join(bin, 'jupyter')} lab {opens}")
    return 0


def _make_venv(bin: str, wheels: list[str], extras: str) -> None:
    made = subprocess.run(
        [sys.executable, "-m", "venv", ".venv"], capture_output=True, text=True, check=False
    )
    if made.returncode:
        lacks = "ensurepip" in made.stdout + made.stderr
        raise NotInstalledError(
            "This Python makes no environments: install what it lacks (apt install python3-venv)."
            if lacks
            else f".venv could not be made: {(made.stderr or made.stdout).strip()}"
        )
    pip = Pip(os.path.join(bin, "python"))
    if "torch" in extras.split(","):
        print("Installing PyTorch …", flush=True)
        pip.install_torch(dict(_others(wheels, extras))["torch"])
    print("Installing JupyterLab and the course …", flush=True)
    own = wheels[0] + (f"[{extras}]" if extras else "")
    if trouble := pip.install(own, *wheels[1:], "jupyterlab"):
        raise NotInstalledError(reason(trouble, ["the course"], [own]))
