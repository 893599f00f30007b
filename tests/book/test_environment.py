"""Bad weather: one clear line each, and no traceback."""

from __future__ import annotations

import hashlib
import io
import json
import re
import socket
import subprocess
import sys
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from tools.site import browser, environment, pyodide_files, theme
from tools.site.environment import BuildError
from tools.site.project import Project

ROOT = Path(__file__).resolve().parents[2]


def test_old_python_is_turned_away_with_the_way_out() -> None:
    with pytest.raises(BuildError, match=r"Python 3\.11 or newer is needed.*make book PYTHON="):
        environment.check_python((3, 10, 13))
    environment.check_python((3, 11, 0))


def test_no_network_is_said_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as closed:  # bound and not listening: nobody answers there
        closed.bind(("127.0.0.1", 0))
        index = f"http://127.0.0.1:{closed.getsockname()[1]}/simple"
        pip = [sys.executable, "-m", "pip", "--isolated", "--retries", "1", "download"]
        with pytest.raises(BuildError) as caught:
            environment.run(
                "installing",
                [*pip, "--index-url", index, "--no-deps", "attention-course-not-there"],
                log="pip.txt",
                root=tmp_path,
            )
    assert str(caught.value).startswith("installing: no network")
    assert "\n" not in str(caught.value)
    assert "pip.txt" in str(caught.value)


def test_failed_command_is_said_with_its_own_reason(tmp_path: Path) -> None:
    code = "print('lots'); print('error: the disk is full'); raise SystemExit(3)"
    with pytest.raises(BuildError, match=r"making failed: error: the disk is full\. .*x\.txt"):
        environment.run("making", [sys.executable, "-c", code], log="x.txt", root=tmp_path)
    with pytest.raises(BuildError, match="making: no-npm does not start: No such file"):
        environment.run("making", ["no-npm"], log="x.txt", root=tmp_path)


def test_requirement_that_suits_no_python_is_named_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "wheels").mkdir()
    name = "attention_course_demo-1.0-py3-none-any.whl"
    with zipfile.ZipFile(tmp_path / "wheels" / name, "w") as wheel:
        about = "Metadata-Version: 2.1\nName: attention-course-demo\nVersion: 1.0\n"
        wheel.writestr("attention_course_demo-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\n")
        wheel.writestr("attention_course_demo-1.0.dist-info/RECORD", "")
        wheel.writestr(
            "attention_course_demo-1.0.dist-info/METADATA", f"{about}Requires-Python: >=99\n"
        )
    pip = [sys.executable, "-m", "pip", "--isolated", "download", "--no-index", "--find-links"]
    for wanted in ("attention-course-demo==1.0", f"wheels/{name}"):
        with pytest.raises(BuildError) as caught:
            environment.run(
                "installing", [*pip, "wheels", "--no-deps", wanted], log="pip.txt", root=tmp_path
            )
        version = ".".join(map(str, sys.version_info[:3]))
        told = str(caught.value)
        assert re.match(rf"installing: .*attention-course-demo.* suits Python {version}\. ", told)
        assert "make book PYTHON=" in told
        assert "\n" not in told


def test_another_python_makes_the_environment_anew(tmp_path: Path) -> None:
    assert not environment.is_made_with(tmp_path / "none")
    venv.create(tmp_path / "own", symlinks=True)
    assert environment.is_made_with(tmp_path / "own")
    assert not environment.is_made_with(tmp_path / "own", (3, 99))
    python = tmp_path / "own" / "bin" / "python"
    python.unlink()
    python.symlink_to(tmp_path / "python-that-was-removed")
    assert not environment.is_made_with(tmp_path / "own")


def pins() -> dict[str, str]:
    """Return the pinned version of each package in requirements.txt."""
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    return dict(re.findall(r"(?m)^([\w.-]+)==(\S+)$", text))


def test_pins_allow_the_oldest_python() -> None:
    wanted = {name: metadata.metadata(name).get("Requires-Python") or "" for name in pins()}
    oldest = ".".join(map(str, environment.OLDEST)) + ".0"
    assert [name for name, range in wanted.items() if oldest not in SpecifierSet(range)] == []


@pytest.mark.heavy
@pytest.mark.parametrize("python", ["3.11.0", "3.12", "3.13", "3.14"])
def test_pins_have_a_file_for_every_python(python: str, tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-deps", "--ignore-installed"]
    options = ["--only-binary=:all:", f"--python-version={python}", f"--target={tmp_path}"]
    packages = ["--requirement", str(ROOT / "requirements.txt")]
    done = subprocess.run(
        [*pip, *options, *environment.torch_source(ROOT / "requirements.txt"), *packages],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "yanked" not in done.stderr


def test_python_without_venv_is_told_what_to_install(tmp_path: Path) -> None:
    said = (
        "The virtual environment was not created successfully because ensurepip is not\\navailable."
    )
    code = f"print('{said}'); print('Failing command: python'); raise SystemExit(1)"
    with pytest.raises(BuildError, match=r"making: .*apt install python3-venv\. "):
        environment.run("making", [sys.executable, "-c", code], log="x.txt", root=tmp_path)


def test_environment_script_needs_nothing_installed(tmp_path: Path) -> None:
    # -S and -I: no site-packages, so that an import of anything installed would fail.
    script = ROOT / "tools" / "site" / "environment.py"
    code = f"import runpy; runpy.run_path({str(script)!r}, run_name='read')"
    subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True, cwd=tmp_path)


SETTINGS = """
[project]
name = "course"
version = "1"

[project.entry-points.coursekit]
exercises = "walks"

[tool.coursekit]
page-packages = ["walks"]
"""


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Return a project without the page's NumPy, which may not be fetched either."""
    monkeypatch.setenv("PYODIDE_OFFLINE", "1")
    monkeypatch.delenv("PYODIDE_WHEELS", raising=False)
    for name in ("walks", "figures"):
        (tmp_path / "lib" / name).mkdir(parents=True)
        (tmp_path / "lib" / name / "__init__.py").touch()
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    return Project(tmp_path)


def manifest(project: Project) -> dict[str, object]:
    text = (project.assets / "pyodide" / "manifest.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def test_site_without_numpy_says_what_is_missing(bare: Project, tmp_path: Path) -> None:
    wheels = [tmp_path / "course-1-py3-none-any.whl", tmp_path / "kit-1-py3-none-any.whl"]
    files = [
        ("walks/step.py", "figures/style.css", "course-1.dist-info/METADATA"),
        ("coursekit/model.py", "other/course.py", "kit-1.dist-info/METADATA"),
    ]
    for wheel, names in zip(wheels, files, strict=True):
        with zipfile.ZipFile(wheel, "w") as archive:
            for name in names:
                archive.writestr(name, "")
    pyodide_files.gather(bare, wheels)
    assert manifest(bare)["numpy"] is None
    assert "notebook" in str(manifest(bare)["missing"])
    assert manifest(bare)["data"] == {"folder": "data", "files": {}}
    with zipfile.ZipFile(bare.assets / "pyodide" / wheels[0].name) as archive:
        wanted = ["walks/step.py", "course-1.dist-info/METADATA", "coursekit/model.py"]
        assert archive.namelist() == wanted  # what exercises may import


def test_data_files_stand_beside_the_wheel_and_not_in_it(tmp_path: Path) -> None:
    wheel = tmp_path / "course-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("walks/step.py", "")
        archive.writestr("walks/words.npz", "all the words")
    content = pyodide_files.page_wheel([wheel], ["walks"], ["walks/words.npz"])
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.namelist() == ["walks/step.py"]
    target = tmp_path / "files"
    (target / "walks").mkdir(parents=True)
    (target / "walks" / "old.npz").write_text("of the last build")
    pyodide_files.put_files(wheel, ["walks/words.npz"], target)
    kept = [path for path in target.rglob("*") if path.is_file()]
    assert [path.relative_to(target).as_posix() for path in kept] == ["walks/words.npz"]
    assert kept[0].read_text() == "all the words"


def test_a_package_inside_others_comes_with_their_init_files(tmp_path: Path) -> None:
    wheel = tmp_path / "course-1-py3-none-any.whl"
    wanted = ["walks/__init__.py", "walks/flat/__init__.py", "walks/flat/grid/step.py"]
    with zipfile.ZipFile(wheel, "w") as archive:
        for name in (*wanted, "walks/figure.py", "walks/flat/figure.py", "walks/round/__init__.py"):
            archive.writestr(name, "")
    page = pyodide_files.page_wheel([wheel], ["walks.flat.grid"])
    with zipfile.ZipFile(io.BytesIO(page)) as archive:
        assert archive.namelist() == wanted


def test_numpy_of_the_site_is_the_one_in_the_lock_file(site: Path) -> None:
    folder = site / "_static" / "pyodide"
    lock = json.loads((folder / "pyodide-lock.json").read_text())["packages"]["numpy"]
    said = json.loads((folder / "manifest.json").read_text())
    if said["numpy"] is None:
        pytest.fail(f"the site was built without NumPy for the page: {said['missing']}")
    core = ("pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
    sizes = [(folder / name).stat().st_size for name in (*core, said["numpy"], said["wheel"])]
    assert said["bytes"] == sum(sizes)  # what a page's bar counts to
    digest = hashlib.sha256((folder / said["numpy"]).read_bytes()).hexdigest()
    assert digest == lock["sha256"]
    assert (folder / said["wheel"]).exists()


def test_no_browser_is_found_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROMIUM", "/nowhere/chromium")
    assert browser.find_browser() is None
    assert "\n" not in browser.NONE


def test_menu_follows_from_the_one_setting() -> None:
    settings = Project(ROOT).settings
    without = theme.menu(settings, "", "masking.ipynb", "notebooks/")
    wheel = settings.course.wheel
    files = ["notebooks/attention-course.zip", "notebooks/masking.ipynb", f"notebooks/{wheel}"]
    assert [link["url"] for link in without["links"]] == files
    assert without["commands"] == [
        "python3 -m venv .venv",
        "source .venv/bin/activate",
        f'pip install "{wheel}[notebook,torch]" jupyterlab',
        "jupyter lab",
    ]
    assert "https://download.pytorch.org/whl/cpu" in without["notes"][1]
    assert theme.install_notes(["notebook"]) == [theme.ON_WINDOWS]
    made = theme.menu(settings, "https://github.com/Ada/course", "masking.ipynb", "n/")
    *downloads, colab, binder = (link["url"] for link in made["links"])
    assert downloads[1] == "n/masking.ipynb"
    assert colab.endswith("/github/Ada/course/blob/gh-pages/notebooks/masking.ipynb")
    assert "/gh/Ada/course/gh-pages?urlpath=lab%2Ftree%2Fnotebooks%2Fmasking.ipynb" in binder


def test_serving_what_is_not_built_or_a_taken_port_is_one_line(tmp_path: Path) -> None:
    serve = [sys.executable, "-m", "tools.site.serve", "--root", str(tmp_path)]
    done = subprocess.run(serve, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.strip().endswith("run `make book` first")
    (tmp_path / "_build" / "html").mkdir(parents=True)
    (tmp_path / "_build" / "html" / "index.html").touch()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = subprocess.run([*serve, "--port", port], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert f"port {port}" in done.stderr
