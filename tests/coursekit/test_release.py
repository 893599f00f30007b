"""``coursekit release``: a notebook that a kernel runs to its end, solved or not."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from coursekit.bank.source import STUB
from coursekit.cli import main
from coursekit.course import Course, course_of
from coursekit.notebooks import packed
from coursekit.protection import protection

PAIR_AND_WORD = 'pair = [2, 4]\nword = "a"'


HEAD = "---\nkernelspec:\n  name: python3\n  display_name: Python 3\n---\n"
CODE = "\n\n```{code-cell} ipython3\n1 + 1\n```\n"


@pytest.fixture
def release(
    numbers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[Path, list[str]]]:
    """Return a function that releases the small chapter: the notebook, and the lines printed."""
    monkeypatch.chdir(tmp_path)

    def run(*options: str) -> tuple[Path, list[str]]:
        assert main(["release", "numbers", "-o", "out", *options]) == 0
        return tmp_path / "out" / "numbers.ipynb", capsys.readouterr().out.splitlines()

    return run


@pytest.fixture
def released(release) -> Path:
    return release()[0]


def said(notebook: Any) -> dict[str, str]:
    """Return what the check cells of a notebook that ran show, as text."""
    checks = [c for c in notebook.cells if c.metadata.get("coursekit", {}).get("role") == "check"]
    assert all(len(cell.outputs) == 1 for cell in checks)
    assert all("text/html" in cell.outputs[0].data for cell in checks)
    return {cell.id: cell.outputs[0].data["text/plain"] for cell in checks}


START = "○ Not started: write your answer into the cell above, run it, then run this one."


def test_released_notebook_runs_on_unsolved(released: Path) -> None:
    notebook = nbformat.read(released, 4)
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    assert said(notebook) == {
        "double-check": f"{START} 0 of 2 points.",
        "twice-check": "○ pair\n  No answer yet.\n○ word\n  No answer yet.",
    }


def test_what_is_printed_says_how_many_points_are_protected(release) -> None:
    where = "out/numbers.ipynb: 2 exercises, 9 points"
    # Of 3 points of code 1 is hidden; 3 points of questions, 3 of prose.
    assert [line for line in release()[1] if ".zip" not in line] == [
        where,
        "protected: 7 of 9 points (hidden checks, questions, prose); "
        "2 can be tried against the visible checks",
    ]
    assert [line for line in release("--practice")[1] if ".zip" not in line] == [
        where,
        "protected: 4 of 9 points (hidden checks, prose); "
        "5 can be tried against the visible checks",
    ]


def test_practice_is_not_protected(double, twice) -> None:
    assert protection([twice]) == "protected: 6 of 6 points (hidden checks, questions, prose)"
    declared = [replace(exercise, practice=True) for exercise in (double, twice)]
    assert protection(declared) == (
        "protected: 0 of 9 points (hidden checks, questions, prose); "
        "9 can be tried against the visible checks and practice"
    )
    assert protection([double, twice], shown=["twice"]) == (
        "protected: 1 of 9 points (hidden checks, questions, prose); "
        "8 can be tried against the visible checks and the text"
    )


@pytest.mark.parametrize("answer", [PAIR_AND_WORD, 'pair = [9, 9]\nword = "b"'])
def test_released_notebook_does_not_say_what_is_right(released: Path, answer: str) -> None:
    checks = run_with(released, {"twice-answer": answer})
    later = "It is graded when you have handed in."
    pair, word = ("[2, 4]", "a") if answer is PAIR_AND_WORD else ("[9, 9]", "b")
    assert checks["twice-check"] == (
        f"· pair\n  Your answer to pair is {pair}. {later}\n"
        f"· word\n  Your answer to word is {word}. {later}"
    )


def run_with(released: Path, answers: dict[str, str]) -> dict[str, str]:
    """Run a notebook with answers in it, and return what its checks say."""
    notebook = nbformat.read(released, 4)
    for cell in notebook.cells:
        cell.source = answers.get(cell.id, cell.source)
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    return said(notebook)


def test_practice_notebook_tells_right_and_wrong(release) -> None:
    released = release("--practice")[0]
    answers = {
        "double-answer": "def double(x):\n    return 2 * x",
        "twice-answer": 'pair = [1, 4]\nword = "a"',
    }
    assert run_with(released, answers) == {
        "double-check": "✓ Done. The check passes. 2 of 2 points.\n✓ Small numbers\n"
        "1 point more is decided by other inputs when the notebook is graded.",
        "twice-check": "1 of 2 checks passes. 2 of 3 points.\n"
        "✓ `word`\n  Yes: of two equal numbers.\n"
        "✗ `pair`\n  Not quite.\n  Those are squares.",
    }


def test_exercises_come_in_the_order_of_the_text(
    numbers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "book").mkdir()
    text = "# All about numbers\n\n```{exercise} twice\n```\n"
    (tmp_path / "book" / "numbers.md").write_text(text, encoding="utf-8")
    (tmp_path / "_config.yml").write_text(
        "repository: {url: 'https://github.com/a/b'}", encoding="utf-8"
    )
    assert main(["release", "numbers", "-o", "out"]) == 0
    ids = [cell.id for cell in nbformat.read("out/numbers.ipynb", 4).cells]
    assert ids.index("twice-statement") < ids.index("double-statement")
    notebook = nbformat.read("out/numbers.ipynb", 4)
    assert notebook.cells[0].source == "# All about numbers"
    assert '"https://a.github.io/b/notebooks/" + wheel' in notebook.cells[1].source


@pytest.mark.parametrize("is_there", [True, False])
def test_the_zip_has_all_that_a_student_needs_or_is_missed(
    release, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], is_there: bool
) -> None:
    wheel = course_of(Path(__file__)).wheel
    found = {wheel: b"a wheel"} if is_there else {}
    monkeypatch.setattr("coursekit.release.wheel_files", lambda _: found)
    assert main(["release", "numbers", "-o", "out"]) == 0
    said = capsys.readouterr().err
    assert ("students cannot install the library: run `make book`" in said) is not is_there
    assert Path("out/numbers.zip").exists() is is_there
    if is_there:
        with zipfile.ZipFile("out/numbers.zip") as made:
            names = {"numbers.ipynb", wheel, "install.py", "README.txt"}
            assert set(made.namelist()) == {f"numbers/{name}" for name in names}
            assert b"hand-in/numbers.ipynb" in made.read("numbers/README.txt")


def test_an_installed_course_finds_the_wheel_that_it_was_installed_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    downloads, about = tmp_path / "my downloads", tmp_path / "site" / "our_course-1.dist-info"
    downloads.mkdir()
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Name: our-course\nVersion: 1\n")
    monkeypatch.syspath_prepend(str(about.parent))
    monkeypatch.setattr(packed, "wheel_names", lambda _: ["our_course-1-py3-none-any.whl"])
    course = Course(distribution="our-course", version="1")
    wheel = downloads / "our_course-1-py3-none-any.whl"
    wheel.write_bytes(b"a wheel")
    assert packed.wheel_files(course) == {}  # from an index, pip notes nothing
    (about / "direct_url.json").write_text(json.dumps({"url": wheel.as_uri(), "archive_info": {}}))
    assert packed.wheel_files(course) == {wheel.name: b"a wheel"}
    wheel.unlink()
    assert packed.wheel_files(course) == {}


def test_without_the_repository_there_is_no_text_and_one_sentence_says_so(
    numbers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["release", "numbers", "-o", "out", "--with-text"]) == 2
    said = capsys.readouterr().err
    assert "--with-text needs the chapter's text, which only the course's repository has" in said
    assert not Path("out").exists()


@pytest.fixture
def last_cell(released: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """Return what runs the last cell of the notebook where it lies, and returns what it shows."""
    monkeypatch.chdir(released.parent)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    code = nbformat.read(released, 4).cells[-1].source.replace("\nhand_in(", "\nshown = hand_in(")

    def run() -> str:
        names: dict[str, Any] = {}
        exec(code, names)
        return repr(names["shown"])

    return run


def answer_all(released: Path) -> nbformat.NotebookNode:
    """Write something into every cell for an answer; return the notebook."""
    notebook = nbformat.read(released, 4)
    for cell in notebook.cells:
        if cell.metadata.get("coursekit", {}).get("role") in ("answer", "text"):
            cell.source = "mine"
    nbformat.write(notebook, released)
    return notebook


def test_last_cell_makes_the_file_to_hand_in(last_cell, released: Path) -> None:
    assert last_cell().startswith("Not answered yet: Twice as much, ")
    answer_all(released)
    assert last_cell().startswith("Nothing is left blank.\nHand in hand-in/numbers.ipynb")
    assert Path("hand-in/numbers.ipynb").read_bytes() == released.read_bytes()


def test_last_cell_says_what_is_unanswered_in_part(last_cell, released: Path) -> None:
    notebook = answer_all(released)
    answer = next(c for c in notebook.cells if c.source == "mine" and c.cell_type == "code")
    for source, missing in {
        "first = 8\nsecond = ...": "(second)",
        "first = 4 phrases": "(line 1 is not Python: ",
        "%time x = 1\n!ls\ny = (1,\n": "(line 3 is not Python: ",
        f"def f(x):\n    {STUB}": "(f())",
    }.items():
        answer.source = source
        nbformat.write(notebook, released)
        assert f" {missing}" in last_cell().splitlines()[0]
    for source in ("files = !ls", "softmax?", "def f(x):\n    rest = ...\n    return x[rest]"):
        answer.source = source
        nbformat.write(notebook, released)
        assert last_cell().startswith("Nothing is left blank.")


def test_last_cell_reads_older_and_newer_formats(last_cell, released: Path) -> None:
    answer_all(released)
    older = json.loads(released.read_text("utf-8"))
    for other in ({}, {"id": "new"}):  # before format 4.5, and saved by a newer Jupyter after that
        for number, cell in enumerate(older["cells"]):
            cell.pop("id", None)
            cell.update({key: f"{value}-{number}" for key, value in other.items()})
        released.write_text(json.dumps(older), "utf-8")
        assert last_cell().startswith("Nothing is left blank.")


def test_nbgrader_does_not_praise_an_empty_handout(release) -> None:
    released = release("--practice")[0]
    validate = [sys.executable, "-m", "nbgrader", "validate", released.name]
    done = subprocess.run(validate, cwd=released.parent, capture_output=True, text=True, check=True)
    assert "Success" not in done.stdout
    assert "Not answered yet" in done.stdout


def test_with_the_chapter_s_text(numbers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "book").mkdir()
    text = f"{HEAD}\n# Numbers\n\nProse.\n\n```{{exercise}} twice\n```\n\nMore prose."
    (tmp_path / "book" / "numbers.md").write_text(text, encoding="utf-8")
    assert main(["release", "numbers", "-o", "out", "--with-text"]) == 0
    cells = nbformat.read("out/numbers.ipynb", 4).cells
    assert cells[0].source == "# Numbers\n\nProse."
    assert [cell.id for cell in cells[1:4]] == ["install", "attachment", "twice-statement"]
    ids = [cell.id for cell in cells]
    # The text does not name it: it stands below.
    assert ids.index("double-statement") > next(
        i for i, cell in enumerate(cells) if cell.source == "More prose."
    )
    assert "correct=True" not in nbformat.writes(nbformat.read("out/numbers.ipynb", 4))


def test_with_the_text_what_is_withheld_is_said_and_predictions_are_shown(
    release, write_exercise, sources: dict[str, str], tmp_path: Path
) -> None:
    title = 'title="Twice as much",'
    write_exercise(edits={title: f'{title}\n    withhold=["arithmetic.double"],'})
    edits = {
        '"twice"': '"predict-twice"',
        '"pair"': '"two"',
        '"word"': '"name"',
        '"why"': '"cause"',
    }
    write_exercise(sources["twice"], "predict-twice", edits)
    (tmp_path / "book").mkdir()
    text = f"{HEAD}\n# Numbers\n\n```{{exercise}} predict-twice\n```{CODE}"
    (tmp_path / "book" / "numbers.md").write_text(text, encoding="utf-8")
    file, lines = release("--with-text")
    assert lines[-1] == (
        "protected: 7 of 15 points (hidden checks, questions, prose); "
        "8 can be tried against the visible checks and the text"
    )
    ids = [cell.id for cell in nbformat.read(file, 4).cells]
    assert ids[1:3] == ["install", "withheld"]
    assert release()[1][-1].startswith("protected: 13 of 15 points")


def test_a_missing_library_is_one_line(
    numbers,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "nbformat", None)
    assert main(["release", "numbers", "-o", "out"]) == 2
    assert capsys.readouterr().err == (
        "coursekit: nbformat is not installed; run: pip install 'attention-course[grading]'\n"
    )
