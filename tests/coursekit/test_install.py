"""A notebook's first cell: what it finds, what it installs, what it says where it cannot."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
import pytest

import coursekit_installer
from coursekit.course import course_of
from coursekit.errors import CoursekitError
from coursekit.notebooks.install import Install, address_of, install_of, site_url

WHEEL, OTHER = "our_course-1-py3-none-any.whl", "our_tools-2-py3-none-any.whl"
SITE = "https://ada.github.io/course/notebooks/"
NEEDS = (
    "pytest",
    "their-figures>=2; extra == 'notebook'",
    "torch>=2.5; extra == 'torch'",
    "theirs; (sys_platform == 'linux') and extra == 'notebook'",
    "our-tools[more]",
)
INSTALLER = Path(coursekit_installer.__file__).read_bytes()


def wheel(folder: Path, name: str = WHEEL, needs: Sequence[str] = NEEDS, python: str = "3") -> None:
    """Write a wheel that has the installer, too."""
    distribution, version = name.split("-")[:2]
    about = [f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}"]
    about += [f"Requires-Python: >={python}", *(f"Requires-Dist: {need}" for need in needs)]
    with zipfile.ZipFile(folder / name, "w") as made:
        made.writestr("coursekit_installer.py", INSTALLER)
        made.writestr(f"{distribution}-{version}.dist-info/METADATA", "\n".join(about))


class Pip:
    """Takes the place of `subprocess.Popen`: notes what pip is asked for, and brings it."""

    def __init__(self, *brings: str, error: str = "", says: str = "") -> None:
        self.asked: list[list[str]] = []
        self.constraints, self.brings = "", list(brings)
        self.error, self.stdout = error, io.StringIO(error or says)
        self.returncode = bool(error)

    def __call__(self, command: list[str], **_: Any) -> Pip:
        assert command[:5] == [sys.executable, "-m", "pip", "install", "--no-input"]
        self.asked.append(command[5:-2])
        if "--constraint" in command:
            self.constraints = Path(command[command.index("--constraint") + 1]).read_text()
        for name in [] if self.error else self.brings:
            folder = Path.cwd() / "site" / f"{name.split('-')[0]}.dist-info"
            folder.mkdir(parents=True, exist_ok=True)
            version = name.partition("-")[2] or "9"
            (folder / "METADATA").write_text(f"Name: {name.split('-')[0]}\nVersion: {version}\n")
        return self

    def __enter__(self) -> Pip:
        return self

    def __exit__(self, *_: object) -> None:
        pass


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder beside whose notebooks lie both wheels, on Linux, where CUDA is not to be."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "site").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    wheel(tmp_path)
    wheel(tmp_path, OTHER, ("their-logs==3; extra == 'more'",))
    monkeypatch.setattr(sys, "platform", "linux")
    return tmp_path


def run(monkeypatch: pytest.MonkeyPatch, pip: Any, **options: Any) -> None:
    monkeypatch.setattr(subprocess, "Popen", pip)
    coursekit_installer.install([WHEEL, OTHER], **options)


COMMAND = [sys.executable, "-m", "pip", "install", "--no-input", "", ""]
ALL = ("our_course-1", "our_tools-2", "their_figures", "their_logs", "torch")


def test_the_cell_finds_its_installer_in_the_wheel_and_is_short(folder: Path) -> None:
    install = Install((WHEEL, OTHER), ("notebook", "torch"))
    for code in (install.code(), Install((WHEEL,), site=SITE).code()):
        assert len(code.splitlines()) <= 10
    hidden = "import sys; sys.modules['pip'] = None; sys.path.append('site')\n"
    Pip(*ALL, "pytest")(COMMAND)  # all is there
    command = [sys.executable, "-I", "-S", "-c", hidden + install.code()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    (folder / OTHER).write_bytes((folder / OTHER).read_bytes()[:100])  # a download that broke off
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == f"{OTHER} is missing or broken: copy it from the course's zip\n"


def test_what_is_missing_comes_with_the_wheels(
    monkeypatch: pytest.MonkeyPatch, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = "big-1.5-cp311-cp311-linux.whl"
    says = (
        f"  Downloading {file}.metadata (5 kB)\n  Downloading https://x.org/a/{file} (180.1 MB)\n"
    )
    pip = Pip(*ALL, says=says)
    run(monkeypatch, pip, extras="notebook")
    assert pip.asked == [[f"{folder / WHEEL}[notebook]", str(folder / OTHER)]]
    announced, size, took = capsys.readouterr().out.splitlines()
    assert announced == "Installing our_course, our_tools, their-figures, their-logs …"
    assert size == "  big-1.5 (180.1 MB)"
    assert took.startswith("Installed in ")
    again = Pip()
    run(monkeypatch, again, extras="notebook")
    assert (again.asked, capsys.readouterr().out) == ([], "")
    run(monkeypatch, again := Pip("our_course-1"), extras="notebook")
    wheel(folder, WHEEL.replace("-1-", "-3-"))
    with pytest.raises(coursekit_installer.NotInstalledError, match="our_course cannot be found"):
        coursekit_installer.install([WHEEL.replace("-1-", "-3-"), OTHER])  # another version counts


@pytest.mark.parametrize("answers", [True, False])
def test_pytorch_comes_alone_and_first_without_libraries_for_graphics_cards(
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    answers: bool,
) -> None:
    def urlopen(address: str, timeout: float) -> Any:
        assert timeout <= 5
        if not answers:
            raise OSError("unreachable")
        return io.BytesIO()

    monkeypatch.setattr(coursekit_installer.urllib.request, "urlopen", urlopen)
    monkeypatch.setattr(sys, "path", [str(folder / "site")])  # here is a torch
    pip = Pip(*ALL, "pytest")
    run(monkeypatch, pip, extras="torch")
    index = ["--index-url", coursekit_installer.CPU_INDEX, "--retries", "1", "torch>=2.5"]
    assert (pip.asked[0] == index) is answers
    assert len(pip.asked) == 1 + answers
    assert ("does not answer: PyTorch comes from PyPI" in capsys.readouterr().out) is not answers


def test_an_address_that_does_not_answer_costs_seconds(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    coursekit_installer.Pip(sys.executable).install_torch("torch", "http://127.0.0.1:9/none")
    assert "http://127.0.0.1:9/none does not answer" in capsys.readouterr().out


def test_colab_keeps_what_it_has(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    for name in ("google", "google.colab"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    pip = Pip("our_course-1", "our_tools-2")
    with pytest.raises(coursekit_installer.NotInstalledError, match="their-figures"):
        run(monkeypatch, pip, extras="notebook")
    ours, theirs = pip.asked
    assert ours == ["--no-deps", str(folder / WHEEL), str(folder / OTHER)]
    assert theirs[0] == "--constraint"
    assert theirs[2:] == ["their-figures>=2", "their-logs==3"]
    names = [line.split("==")[0] for line in pip.constraints.splitlines()]
    assert len(names) == len(set(names))
    assert f"pytest=={pytest.__version__}" in pip.constraints


def test_widgets_are_switched_on_in_colab(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    calls: list[str] = []
    google, colab, output = map(ModuleType, ("google", "google.colab", "google.colab.output"))
    vars(output)["enable_custom_widget_manager"] = lambda: calls.append("widgets")
    vars(google)["colab"], vars(colab)["output"] = colab, output
    for module in (google, colab, output):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    for need in ("pytest", "anywidget"):
        wheel(folder, needs=[need])
        Pip("our_course-1", "our_tools-2", need)(COMMAND)
        run(monkeypatch, Pip())
    assert calls == ["widgets"]


OFFLINE = (
    "WARNING: Retrying: Failed to establish a new connection: [Errno -3] Temporary failure in \
name resolution\nERROR: No matching distribution found for numpy>=2.0\n"
)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (OFFLINE, "could not reach the network"),
        ("error: externally-managed-environment\n\n× This is", "-m venv course, then course/bin"),
        ("ERROR: Could not install: [Errno 13] Permission denied: '/opt/site'", "-m venv course"),
        (f"{sys.executable}: No module named pip", "has no pip: run .* -m ensurepip"),
        ("WARNING: x\nERROR: HTTP error 404\nhint: no\n", r"\(ERROR: HTTP error 404\)"),
        ("ERROR: Exception:\nTraceback\nzlib.error: Error -3\n", r"\(zlib.error: Error -3\)"),
        ("Killed", r"\(Killed\)"),
    ],
)
def test_what_stops_pip_is_one_sentence_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, folder: Path, error: str, expected: str
) -> None:
    with pytest.raises(coursekit_installer.NotInstalledError, match=expected) as caught:
        run(monkeypatch, Pip(error=error), extras="notebook")
    (line,) = caught.value._render_traceback_()  # what Jupyter shows
    assert "\n" not in line


def test_where_no_program_can_be_started_one_sentence_says_so(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise OSError(138, "emscripten does not support processes.")

    with pytest.raises(coursekit_installer.NotInstalledError, match="does not support processes"):
        run(monkeypatch, refuse)


@pytest.mark.parametrize("name", [WHEEL.replace("-1-", "-2-"), WHEEL.replace(".", " (1)."), ""])
def test_a_wheel_that_is_not_the_notebook_s_is_named(
    monkeypatch: pytest.MonkeyPatch, folder: Path, name: str
) -> None:
    (folder / WHEEL).unlink()
    if name:
        wheel(folder, name)
    with pytest.raises(coursekit_installer.NotInstalledError, match="beside this notebook") as told:
        run(monkeypatch, Pip())
    assert ("incomplete, renamed or of another version" in str(told.value)) is bool(name)


def test_python_that_is_too_old_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    wheel(folder, python="3.99")
    with pytest.raises(coursekit_installer.NotInstalledError, match=r"needs Python 3\.99 or newer"):
        run(monkeypatch, Pip())


def test_an_installed_course_needs_no_wheel(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    course = course_of(Path(__file__))
    monkeypatch.setattr(subprocess, "Popen", Pip(error="not asked"))
    coursekit_installer.install([course.wheel], "notebook,torch")
    assert metadata.version(course.distribution) == course.version


def test_cells_say_which_extras_they_need() -> None:
    course = course_of(Path(__file__))
    cells = [
        nbformat.v4.new_markdown_cell("import nothing"),
        nbformat.v4.new_code_cell("%matplotlib inline\nimport os, torch.nn as nn\n!ls"),
        nbformat.v4.new_code_cell("%%bash\nimport -window root shot.png"),
        nbformat.v4.new_code_cell("import mended(\n"),
    ]
    assert install_of(cells, course).extras == ("notebook", "torch")
    assert install_of(cells[2:], course, SITE) == Install((course.wheel,), ("notebook",), SITE)


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("", ""),
        ("https://github.com/Ada/course", "https://ada.github.io/course/"),
        ("https://github.com/Ada/course.git/", "https://ada.github.io/course/"),
        ("https://github.com/Ada/Ada.github.io", "https://ada.github.io/"),
        ("https://github.com/Ada/bob.github.io", "https://ada.github.io/bob.github.io/"),
    ],
)
def test_site_stands_where_github_serves_it(url: str, site: str) -> None:
    assert site_url(url) == site


@pytest.mark.parametrize("own", ["https://walks.example.org", "https://walks.example.org/"])
def test_a_domain_of_its_own_goes_before_github_s(own: str) -> None:
    repository = {"url": "https://github.com/Ada/course"}
    assert address_of({"repository": repository}) == "https://ada.github.io/course/"
    config = {"html": {"baseurl": own}, "repository": repository}
    assert address_of(config) == "https://walks.example.org/"
    assert address_of({"html": {"baseurl": f"{own.rstrip('/')}/a/b"}}) == f"{own.rstrip('/')}/a/b/"
    assert address_of({"html": None, "repository": None}) == ""


@pytest.mark.parametrize(
    "own", ["walks.example.org", "https://", "https://a.org/x y", "https://a/?b"]
)
def test_a_domain_that_is_no_address_is_one_line(own: str) -> None:
    with pytest.raises(CoursekitError, match=r"html baseurl is .*; expected the address of the"):
        address_of({"html": {"baseurl": own}})


@pytest.mark.parametrize("url", ["https://example.org/a/b", "https://github.com/only", "nonsense"])
def test_address_that_is_no_repository_is_one_line(url: str) -> None:
    with pytest.raises(CoursekitError, match=r"expected https://github\.com/OWNER/NAME"):
        site_url(url)
