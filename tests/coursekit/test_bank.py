"""The bank reads files, and says of a bad one what to change."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from coursekit import check
from coursekit.bank import Bank, default_folder, exercise_files, installed_folders, load_bank
from coursekit.course import course_of, extra_with, installed_course, installed_courses
from coursekit.errors import DefinitionError
from coursekit.model import Exercise
from coursekit.notebook.install import imported_names

ROOT = Path(__file__).resolve().parents[2]


def test_a_code_exercise_is_complete(double) -> None:
    assert double.statement == "Write `double`, which doubles a number $x$."
    assert [check.name for check in double.checks] == ["small", "negative"]
    assert "return math.fsum([x, x])" in double.solution
    assert "SOLUTION" not in double.solution
    assert double.also_right["times two"] == "def double(x):\n    return 2 * x\n"
    assert (double.kind, double.names, double.points) == ("code", ("double",), 3)


def test_a_quiz_has_an_answer_cell(twice) -> None:
    assert (twice.kind, twice.points) == ("quiz", 1 + 2 + 3)
    assert twice.names == ("pair", "word", "why")
    answers: dict[str, object] = {}
    exec(twice.solution, answers)
    assert (answers["pair"], answers["word"]) == ([2, 4], "a")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"""Write `double`, which doubles a number $x$."""', "", "has no statement"),
        ("exercise(\n", "dict(\n", "declares neither"),
        ("    # END SOLUTION\n", "", "needs '# BEGIN SOLUTION' … '# END SOLUTION'"),
        ("@check(", "@(lambda **k: lambda f: f)(", "has no @check"),
        ("def negative(", "def small(", "two checks are called 'small'"),
        ("TOP = 100", "TOP = 100 / 0", "ZeroDivisionError: division by zero"),
        ("TOP = 100", "TOP = (", "SyntaxError"),
        ("TOP = 100", 'exercise(title="", hints=[])', "this is the second"),
        *(
            ("exercise(", f"exercise(version={version},", "a whole number, 1 or more")
            for version in ("0", "-1", "1.5", "True", '"2"')
        ),
        # It stands in lists, menus and attributes, too, where marks would be shown as they are.
        *(
            ("Twice as much", title, "expected plain text")
            for title in ("The weight of *cat*", "Write `softmax`", "Divide by $d$")
        ),
        *(
            ("exercise(", f"exercise(withhold=['attn.softmax', {name!r}],", "give full names, such")
            for name in ("softmax", "attn.", "attn.soft max", "")
        ),
        ("@check(points=1,", "@check(points=-1,", "points=-1: expected 0 or more"),
    ],
)
def test_a_bad_file_is_named_with_what_to_change(
    write_exercise, old: str, new: str, message: str
) -> None:
    with pytest.raises(DefinitionError) as refused:
        write_exercise(edits={old: new})
    assert "numbers/double.py: " in str(refused.value)
    assert message in str(refused.value)


@pytest.mark.parametrize("id", ["Softmax", "soft_max", "soft max", "-softmax"])
def test_ids_are_words_joined_by_hyphens(write_exercise, id: str) -> None:
    with pytest.raises(DefinitionError, match="lower-case words joined by hyphens"):
        write_exercise(id=id)


def test_two_files_cannot_share_an_id(double, tmp_path: Path) -> None:
    copy = tmp_path / "exercises" / "more" / "numbers" / "double.py"
    copy.parent.mkdir(parents=True)
    copy.write_text(Path(double.path).read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(DefinitionError, match="the id 'double' is taken by"):
        load_bank(tmp_path / "exercises")


def test_underscored_files_are_not_exercises(numbers: Bank, tmp_path: Path) -> None:
    (tmp_path / "exercises" / "numbers" / "_shared.py").write_text("1 / 0")
    assert list(load_bank(tmp_path / "exercises")) == ["double", "twice"]


def test_the_folder_is_found_from_below(numbers: Bank, tmp_path, monkeypatch) -> None:
    below = tmp_path / "work" / "deep"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert default_folder() == tmp_path / "exercises"
    monkeypatch.chdir(tmp_path.parent)  # elsewhere it is the repository's
    assert default_folder() == ROOT / "exercises"


def install(folder: Path, name: str, **entries: str) -> None:
    """Write the metadata of an installed course, and its package, which nobody may import."""
    about = folder / f"{name}-1.dist-info"
    about.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\nProvides-Extra: notebook\n"
    (about / "METADATA").write_text(metadata)
    lines = [f"{key} = {value}\n" for key, value in entries.items()]
    (about / "entry_points.txt").write_text("[coursekit]\n" + "".join(lines))
    (folder / name).mkdir()
    (folder / name / "__init__.py").write_text("raise RuntimeError('not to be imported')")


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder from which packages are imported."""
    folder = tmp_path / "packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.chdir(tmp_path)
    installed_courses.cache_clear()
    yield folder
    installed_courses.cache_clear()


def test_installed_courses_bring_their_own(installed: Path) -> None:
    install(installed, "with_some", exercises="with_some", explorables="with_some.figures")
    install(installed, "without", explorables="without.figures")
    (installed / "with_some" / "exercises").mkdir()
    assert installed / "with_some" / "exercises" in installed_folders()
    assert not any(folder.parent.name == "without" for folder in installed_folders())


def test_a_course_comes_before_the_one_that_only_brings_coursekit(installed: Path) -> None:
    install(installed, "its", exercises="its", explorables="its.figures")
    (installed / "its" / "exercises").mkdir()
    assert default_folder() == installed / "its" / "exercises"
    course = installed_course()
    assert (course.distribution, course.wheel) == ("its", "its-1-py3-none-any.whl")
    assert (course.explorables, course.extras) == ("its.figures", ("notebook",))


def test_two_courses_to_choose_from_are_one_line(installed: Path) -> None:
    install(installed, "one", exercises="one")
    install(installed, "two", exercises="two")
    with pytest.raises(DefinitionError, match=r"several courses are installed \(one, two\)") as two:
        default_folder()
    assert "\n" not in str(two.value)


SETTINGS = """
[project]
name = "walks"
version = "3"
optional-dependencies = {notebook = []}

[project.entry-points.coursekit]
exercises = "walks"
"""


def test_a_checkout_comes_before_what_is_installed(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    (tmp_path / "book").mkdir()
    course = course_of(tmp_path / "book" / "chapter.md")
    assert course.root == tmp_path
    assert (course.distribution, course.version, course.extras) == ("walks", "3", ("notebook",))
    assert course.explorables == ""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "walks"', "", r"\[project\] name is None; expected a string"),
        ('version = "3"', "version = 3", r"\[project\] version is 3; expected a string"),
        ('exercises = "walks"', "exercises = 1", r"exercises is 1; expected the name of a module"),
        (
            'exercises = "walks"',
            'exercises = "my lib"',
            r"exercises is 'my lib'; expected the name",
        ),
        ('exercises = "walks"', 'exercize = "walks"', r"has 'exercize'; expected one of exercises"),
        ("[project]", "[project", r"pyproject\.toml: .*line 2"),
    ],
)
def test_bad_names_of_a_course_are_one_line(
    installed: Path, tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in SETTINGS
    (tmp_path / "pyproject.toml").write_text(SETTINGS.replace(old, new))
    with pytest.raises(DefinitionError, match=message) as bad:
        course_of(tmp_path)
    assert "\n" not in str(bad.value)
    assert str(tmp_path / "pyproject.toml") in str(bad.value)


def test_a_missing_library_of_an_extra_is_named_with_the_command_that_brings_it(
    write_exercise: Callable[..., Exercise], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)  # as where it is not installed
    said = r"double.py: torch is not installed; run: pip install 'attention-course\[torch\]'$"
    with pytest.raises(DefinitionError, match=said):
        write_exercise(edits={"import math\n": "import math\n\nimport torch\n"})
    with pytest.raises(DefinitionError, match="ModuleNotFoundError: No module named 'nmupy'"):
        write_exercise(edits={"import math\n": "import math\n\nimport nmupy\n"})


def test_the_readme_installs_what_the_exercises_import() -> None:
    (named,) = re.findall(
        r"pip install -e '\.\[([\w,]+)\]'", (ROOT / "README.md").read_text("utf-8")
    )
    imported = {
        name.partition(".")[0]
        for file in exercise_files(ROOT / "exercises")
        for name in imported_names(ast.parse(file.read_text("utf-8")))
    }
    needed = {extra_with(library, "attention-course") for library in imported} - {""}
    assert "torch" in needed
    assert needed <= set(named.split(","))


# --- declarations ---------------------------------------------------------------------------------


def test_a_check_knows_its_names_and_its_title() -> None:
    @check(points=1)
    def keeps_shapes(query): ...

    @check(points=1.5, hidden=True)
    def keeps_shape(query, rng, keys):
        """Keeps the shape

        More of no interest.
        """

    assert keeps_shape.name == "keeps_shape"
    assert keeps_shape.title == "Keeps the shape"
    assert keeps_shape.names == ("query", "keys")
    assert keeps_shape.parameters == ("query", "rng", "keys")
    assert keeps_shapes.title == "keeps shapes"  # it has no docstring
