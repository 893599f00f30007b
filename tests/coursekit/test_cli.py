"""The command line: what it prints, and one line for each thing that can be wrong."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from coursekit.cli import COMMANDS, main
from coursekit.errors import DefinitionError

pytestmark = pytest.mark.usefixtures("numbers")


@pytest.mark.parametrize("words", [["list"], ["list", "--exercises", "exercises"]])
def test_list(run, words: list[str]) -> None:
    assert run(*words).out == (
        "numbers  (7 of 9 points protected)\n"
        "  double  code      3  Twice as much\n"
        "  twice   quiz      6  Twice\n\n"
        "2 exercises, 9 points\n"
    )


OTHER = '[project]\nname = "walks"\nversion = "2.1"\n[project.entry-points.coursekit]\n'


@pytest.mark.parametrize(("course", "here"), [("", ""), (OTHER, "; here: walks 2.1")])
def test_version_names_another_course_at_hand(capsys, course: str, here: str) -> None:
    if course:
        Path("pyproject.toml").write_text(course)
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    own = version("attention-course")
    assert capsys.readouterr().out == f"coursekit, of attention-course {own}{here}\n"


@pytest.mark.parametrize("words", [["check"], ["check", "numbers"]])
def test_check_all_is_well(run, words: list[str]) -> None:
    assert run(*words).out == (
        "✓ double  3 points, 6 wrong and 2 other right\n"
        "✓ twice   6 points, 3 questions\n"
        "2 exercises: 2 in order, 0 with problems\n"
    )


def test_check_tells_problems_and_goes_on(write_exercise, run) -> None:
    write_exercise(edits={'hints=["What is twice 3?", "Use `*`."]': "hints=[]"})
    Path("exercises/numbers/broken.py").write_text("(")
    out = run("check", "double", "broken", status=1).out
    assert "✗ broken\n    " in out
    assert "SyntaxError" in out
    assert "✗ double  3 points, 6 wrong and 2 other right\n    has no hints\n" in out
    assert "2 exercises: 0 in order, 2 with problems" in out
    assert "twice" not in out


def test_an_id_may_be_there_once(run) -> None:
    Path("exercises/others").mkdir()
    shutil.copy("exercises/numbers/double.py", "exercises/others")
    assert "have the same id" in run("check", status=1).out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import sys\nsys.exit(3)", "SystemExit: 3"),
        ('MISTAKES = "a: `§` → `c`"', "the mistake a: the solution has no '§' to replace"),
    ],
)
def test_a_file_with_a_slip_is_one_line_of_many(text: str, message: str, run) -> None:
    with open("exercises/numbers/double.py", "a", encoding="utf-8") as file:
        file.write(f"\n\n{text}\n")
    out = run("check", status=1).out
    assert message in out
    assert "✓ twice" in out


def test_another_bank_is_added_and_a_folder_called_almost_as_the_chapter_is_named(run) -> None:
    often = Path("private/nubmers/often.py")
    often.parent.mkdir(parents=True)
    shutil.copy("exercises/numbers/twice.py", often)
    out = run("list", "--exercises", "private").out
    assert "3 exercises" in out
    assert "nubmers  (6 of 6 points protected)\n  often" in out
    said = run("list", "numbers", "--exercises", "private")
    assert "private/nubmers: passed over, since no chapter is called so; if its" in said.err
    assert "often" not in said.out
    often.parent.rename("private/numbers")
    said = run("list", "numbers", "--exercises", "private")
    assert (said.err, "often" in said.out) == ("", True)


def test_a_bank_of_ones_own_is_enough(run, monkeypatch) -> None:
    Path("exercises").rename("mine")

    def nowhere() -> Path:
        raise DefinitionError("no exercises/ folder")

    monkeypatch.setattr("coursekit.command.default_folder", nowhere)
    assert "2 exercises" in run("list", "--exercises", "mine").out
    run("list", status=2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lits"], "no command 'lits'; did you mean list"),
        (["list", "number"], "no chapter with exercises 'number'; did you mean numbers?"),
        (["check", "duoble"], "no exercise or chapter 'duoble'; did you mean double?"),
        (["list", "--exercises", "nowhere"], "no exercise folder at nowhere"),
        (["release", "numbers"], "release: expected -o DIR or --nbgrader COURSE_DIR"),
        (
            ["release", "numbers", "--nbgrader", "course", "--with-text"],
            "release: --with-text needs -o DIR; an nbgrader assignment has the exercises only",
        ),
        (["release", "letters", "-o", "out"], "no chapter with exercises 'letters'"),
        (
            ["release", "numbers", "-o", "exercises/numbers/twice.py"],
            "a file is in the way; expected a folder",
        ),
        (["stats", "nothing.jsonl"], "cannot read the results in nothing.jsonl: No such file"),
    ],
)
def test_bad_input_gets_one_line(arguments: list[str], message: str, run) -> None:
    output = run(*arguments, status=2)
    assert output.out == ""
    assert message in output.err
    assert output.err.startswith("coursekit: ")
    assert output.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [[], ["list", "--colour"], ["list", "a", "b"], ["export", "x", "--format", "odt"]]
)
def test_bad_usage_gets_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    output = capsys.readouterr().err
    assert output.count("\n") == 1
    assert "--help" in output


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_prose_and_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([command, "--help"])
    assert left.value.code == 0
    output = capsys.readouterr().out
    assert f"coursekit {command} " in output.rpartition("example")[2]
    assert len(output.split("positional arguments")[0].split()) > 20


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_leaves_early_is_no_error(unbuffered: str) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "coursekit.cli", "list"],
        stdout=write,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
        text=True,
        check=False,
    )
    os.close(write)
    assert (done.stderr, done.returncode) == ("", 0)


def test_listing_a_chapter_reads_no_other(run) -> None:
    Path("exercises/broken").mkdir()
    Path("exercises/broken/file.py").write_text("raise OSError")
    assert "OSError" in run("list", status=2).err
    assert run("list", "numbers").out.startswith("numbers  (7 of 9 points protected)")
