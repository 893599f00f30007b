"""The bank reads files, and says of a bad one what to change."""

from __future__ import annotations

from pathlib import Path

import pytest

from coursekit.bank import Bank, default_folder, installed_folders, load_bank
from coursekit.errors import DefinitionError, UnknownError


def test_a_code_exercise_is_complete(double) -> None:
    assert double.statement == "Write `double`, which doubles a number $x$."
    assert [check.name for check in double.checks] == ["small", "negative"]
    assert double.starter == (
        "def double(x):\n"
        '    """Return twice x."""\n'
        '    raise NotImplementedError("Replace this line with your code.")\n'
    )
    assert "return math.fsum([x, x])" in double.solution
    assert "SOLUTION" not in double.solution
    assert double.setup == "import math\nimport numpy as np"
    assert double.also_right["times two"] == "def double(x):\n    return 2 * x\n"
    assert double.kind == "code"


def test_a_quiz_has_an_answer_cell(twice) -> None:
    assert twice.kind == "quiz"
    assert twice.starter == 'pair = ...  # a list of 2 numbers\nword = ...  # one of "a", "b"\n'
    answers: dict[str, object] = {}
    exec(twice.solution, answers)
    assert (answers["pair"], answers["word"]) == ([2, 4], "a")


def test_exercises_come_by_folder_and_name(numbers: Bank, tmp_path: Path) -> None:
    assert list(numbers) == ["double", "twice"]
    assert numbers.chapters == ("numbers",)
    assert [exercise.id for exercise in numbers.chapter("numbers")] == ["double", "twice"]
    assert len(numbers) == 2
    assert "double" in numbers
    assert "triple" not in numbers


def test_unknown_names_list_the_nearest(numbers: Bank) -> None:
    with pytest.raises(UnknownError) as unknown:
        numbers["doubel"]
    assert str(unknown.value) == "no exercise 'doubel'; did you mean double?"
    with pytest.raises(UnknownError) as unknown:
        numbers.chapter("letters")
    assert str(unknown.value) == "no chapter with exercises 'letters'; known: numbers"
    assert numbers.get("doubel") is None


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"""Write `double`, which doubles a number $x$."""', "", "has no statement"),
        ('id="double"', 'id="triple"', "move the file to numbers/triple.py"),
        ('chapter="numbers"', 'chapter="letters"', "move the file to letters/double.py"),
        ("exercise(\n", "dict(\n", "declares neither"),
        ("    # END SOLUTION\n", "", "needs '# BEGIN SOLUTION' … '# END SOLUTION'"),
        ("@check(", "@(lambda **k: lambda f: f)(", "has no @check"),
        ("def negative(", "def small(", "two checks are called 'small'"),
        ("TOP = 100", "TOP = 100 / 0", "ZeroDivisionError: division by zero"),
        ("TOP = 100", "TOP = (", "SyntaxError"),
    ],
)
def test_a_bad_file_is_named_with_what_to_change(
    write_exercise, old: str, new: str, message: str
) -> None:
    with pytest.raises(DefinitionError) as refused:
        write_exercise(edits={old: new})
    assert "numbers/double.py: " in str(refused.value)
    assert message in str(refused.value)


def test_a_file_declares_one_exercise(write_exercise) -> None:
    second = 'exercise(id="other", chapter="numbers", title="", hints=[], misconceptions={})\n'
    with pytest.raises(DefinitionError, match="this is the second"):
        write_exercise(edits={"TOP = 100\n": second})


def test_two_files_cannot_share_an_id(double, tmp_path: Path) -> None:
    copy = tmp_path / "exercises" / "more" / "numbers" / "double.py"
    copy.parent.mkdir(parents=True)
    copy.write_text(Path(double.path).read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(DefinitionError, match="the id 'double' is taken by"):
        load_bank(tmp_path / "exercises")


def test_underscored_files_are_not_exercises(numbers: Bank, tmp_path: Path) -> None:
    (tmp_path / "exercises" / "numbers" / "_shared.py").write_text("1 / 0")
    assert list(load_bank(tmp_path / "exercises")) == ["double", "twice"]


def test_missing_folder() -> None:
    with pytest.raises(DefinitionError, match="no exercise folder at /nowhere"):
        load_bank("/nowhere")


def test_the_folder_is_found_from_below(
    numbers: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    below = tmp_path / "work" / "deep"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert default_folder() == tmp_path / "exercises"


def test_elsewhere_it_is_the_repository_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert default_folder() == Path(__file__).resolve().parents[2] / "exercises"


def test_installed_packages_bring_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("with_some", "without"):
        about = tmp_path / f"{name}-1.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        (about / "entry_points.txt").write_text(f"[coursekit.exercises]\nits = {name}\n")
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise RuntimeError('not to be imported')")
    (tmp_path / "with_some" / "exercises").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    assert installed_folders() == [tmp_path / "with_some" / "exercises"]
