"""A small course, built by the same steps as the real one; and new environments for notebooks."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpecManager
from nbclient import NotebookClient
from packaging.requirements import Requirement

from tools.site.project import Project

ROOT = Path(__file__).resolve().parents[2]
HEAD = """---
jupytext:
  text_representation: {extension: .md, format_name: myst}
kernelspec: {name: python3, display_name: Python 3}
---

"""


SETTINGS = """\
[project]
name = "small-course"
version = "1.0"
dependencies = ["numpy>=2.0"]
optional-dependencies = {notebook = ["matplotlib>=3.9"]}

[project.entry-points.coursekit]
exercises = "small"

[tool.coursekit]
notebook-extras = ["notebook"]
"""


#: The least that a course says of itself, its package ``walks``.
LEAST = """\
[project]
name = "course"
version = "1"

[project.entry-points.coursekit]
exercises = "walks"

[tool.coursekit]
"""


def unpublished_settings() -> str:
    """Return `_config.yml` without an address: tests are to pass in a published course, too."""
    text = (ROOT / "_config.yml").read_text(encoding="utf-8")
    return re.sub(r"(?m)^  baseurl: .*\n", "", re.sub(r"(?m)^  url: .*", '  url: ""', text))


class Course(Project):
    """A `Project` whose chapters a test writes."""

    def write(self, name: str, text: str, *, kernel: bool = True) -> None:
        """Write one chapter, with a kernel for its cells unless told otherwise."""
        (self.book / f"{name}.md").write_text((HEAD if kernel else "") + text, encoding="utf-8")


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Course:
    """Return a course of two chapters, ``first`` and ``second``, with a library of one module."""
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path / 'lib'}{os.pathsep}{ROOT}")
    made = Course(tmp_path)
    (tmp_path / "lib" / "small").mkdir(parents=True)
    (tmp_path / "lib" / "small" / "__init__.py").write_text("")
    made.assets.mkdir(parents=True)
    made.cache.mkdir(parents=True)
    shutil.copytree(ROOT / "book" / "assets", made.book / "assets")
    shutil.copy(ROOT / "book" / "references.bib", made.book)
    shutil.copy(ROOT / "requirements.txt", tmp_path)
    (tmp_path / "_config.yml").write_text(unpublished_settings(), encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    for name in ("node_modules", "exercises"):
        (tmp_path / name).symlink_to(ROOT / name)
    toc = "format: jb-book\nroot: first\nchapters:\n- file: second\n"
    (tmp_path / "_toc.yml").write_text(toc)
    made.write("first", "# First\n\nA formula $x_1^2$.\n\n```{code-cell}\nprint(6 * 7)\n```\n")
    made.write("second", "# Second\n\n```{code-cell}\nimport small\n\nprint('imported')\n```\n")
    return made


class Environment:
    """A new Python environment with a kernel, and nothing of ours until a notebook installs it."""

    def __init__(
        self, folder: Path, *packages: str, constraints: Path | None, python: str = sys.executable
    ) -> None:
        self.folder = folder
        self._settings = {"JUPYTER_PATH": str(folder / "jupyter"), "OMP_NUM_THREADS": "1"}
        self._settings["PIP_COMPILE"] = "0"  # Python compiles what it imports
        if constraints:
            self._settings["PIP_CONSTRAINT"] = str(constraints)
        subprocess.run([python, "-m", "venv", folder / "venv"], check=True)
        self.python = folder / "venv" / "bin" / "python"
        self.pip("install", "-q", "ipykernel", *packages)
        spec = folder / "jupyter" / "kernels" / "clean" / "kernel.json"
        spec.parent.mkdir(parents=True)
        command = [str(self.python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        kernel = {"argv": command, "display_name": "Clean", "language": "python"}
        spec.write_text(json.dumps(kernel))

    @property
    def packages(self) -> Path:
        """The folder in which pip puts packages."""
        return next((self.folder / "venv" / "lib").glob("python*/site-packages"))

    def pip(self, *arguments: str) -> str:
        """Run the environment's pip and return what it says."""
        command = [self.python, "-m", "pip", *arguments]
        return subprocess.run(
            command, env=self._variables(), check=True, stdout=subprocess.PIPE, text=True
        ).stdout

    def _variables(self) -> dict[str, str]:
        ours = ("PYTHONPATH", "VIRTUAL_ENV")
        return {k: v for k, v in os.environ.items() if k not in ours} | self._settings

    def versions(self) -> dict[str, str]:
        """Return what is installed."""
        listed = json.loads(self.pip("list", "--format=json"))
        return {each["name"].lower().replace("-", "_"): each["version"] for each in listed}

    def lend(self, name: str) -> None:
        """Let the environment use a package of this one, with all that it needs in turn."""
        shelf = self.folder / "lent"
        shelf.mkdir(exist_ok=True)
        waiting = [name]
        while waiting:
            lent = metadata.distribution(waiting.pop())
            if lent.metadata["Name"].lower() == "numpy":
                continue
            for top in {file.parts[0] for file in lent.files or [] if file.parts[0] != ".."}:
                if not (shelf / top).exists() and top != "__pycache__":
                    (shelf / top).symlink_to(Path(str(lent.locate_file(top))))
                    # Not what an extra asks for: it would stand in for what a notebook installs.
                    needs = map(Requirement, lent.requires or [])
                    waiting += [n.name for n in needs if not n.marker or n.marker.evaluate()]
        (self.packages / "lent.pth").write_text(f"{shelf}\n")

    def run(self, notebook: Path) -> Any:
        """Run a notebook where it lies and return it; a cell that fails is an error."""
        kernels = KernelSpecManager(kernel_dirs=[str(self.folder / "jupyter" / "kernels")])
        return run_notebook(notebook, self._variables(), kernel_name="clean", kernels=kernels)

    def run_all(self, folder: Path, chapters: Sequence[str]) -> None:
        """Run chapters of ``folder`` in one kernel, which forgets all names between them."""
        joined = nbformat.v4.new_notebook()
        for chapter in chapters:
            cells = nbformat.read(folder / f"{chapter}.ipynb", as_version=4).cells
            joined.cells.append(nbformat.v4.new_code_cell("%reset -f"))
            joined.cells += [cell for cell in cells if cell.cell_type == "code"]
        for number, cell in enumerate(joined.cells):
            cell.id = str(number)  # each chapter has a cell "install"
        nbformat.write(joined, folder / "joined")
        self.run(folder / "joined")


def run_notebook(
    notebook: Path,
    variables: dict[str, str],
    kernel_name: str = "python3",
    kernels: KernelSpecManager | None = None,
) -> Any:
    """Run a notebook where it lies and return it; a cell that fails or warns is an error."""
    read = nbformat.read(notebook, as_version=4)
    client = NotebookClient(
        read,
        kernel_name=kernel_name,
        timeout=900,
        resources={"metadata": {"path": str(notebook.parent)}},
        extra_arguments=["--IPKernelApp.log_level=40"],
    )
    if kernels:
        client.create_kernel_manager().kernel_spec_manager = kernels
    done = client.execute(env=variables)
    outputs = [each for cell in done.cells for each in cell.get("outputs", [])]
    warned = [each.text for each in outputs if each.get("name") == "stderr"]
    assert not warned, f"{notebook.name} writes to stderr: {warned}"
    return done


@pytest.fixture(scope="module")
def new_environment(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Environment]:
    """Return a function of a name, packages and constraints that makes an `Environment`."""

    def make(name: str, *packages: str, **options: Any) -> Environment:
        return Environment(tmp_path_factory.mktemp(name), *packages, **options)

    return make


@pytest.fixture(scope="session")
def interpreter() -> Callable[..., str]:
    """Return a function of versions such as ``3.13``: a Python of the first that is here.

    Where none is, that is the Python of the tests.
    """

    def find(*versions: str) -> str:
        pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv", "versions")
        uv = Path.home() / ".local" / "share" / "uv" / "python"
        ask = "import sys, ensurepip; print('%d.%d' % sys.version_info[:2])"
        for version in versions:
            on_path = shutil.which(f"python{version}")
            found = [
                *uv.glob(f"cpython-{version}.*/bin/python"),
                *pyenv.glob(f"{version}.*/bin/python"),
            ]
            for python in [*([on_path] if on_path else []), *map(str, sorted(found))]:
                done = subprocess.run([python, "-c", ask], capture_output=True, text=True)
                if done.stdout.strip() == version:  # a shim of pyenv may be there and not start
                    return python
        return sys.executable

    return find


@pytest.fixture(scope="session")
def archive(site: Path) -> Path:
    """Return the zip that the site offers."""
    return site / "notebooks" / "attention-course.zip"


@pytest.fixture
def unpacked(archive: Path, tmp_path: Path) -> Path:
    """Return a folder with the notebooks and the wheel of that zip, and nothing else."""
    with zipfile.ZipFile(archive) as zipped:
        zipped.extractall(tmp_path)
    return tmp_path / archive.stem


def by_extras(folder: Path) -> dict[str, list[str]]:
    """Return the chapters of the published notebooks in ``folder`` by the extras that they name."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.glob("*.ipynb")):
        (extras,) = re.findall(r"%pip install -q .*?\[([\w,]+)\]", path.read_text(encoding="utf-8"))
        found.setdefault(extras, []).append(path.stem)
    return found
