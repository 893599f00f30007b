"""What check cells show: verdicts in the page's words, grey where nothing is answered yet."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from coursekit import choice, numeric, option, parsons
from coursekit.bank.model import Exercise
from coursekit.bank.running import run_check
from coursekit.in_notebook import Shown, check_answer, load_checks, progress, state
from coursekit.in_notebook.messages import as_html, as_text
from coursekit.in_notebook.obfuscated import ChangedCellError, pack, unpack
from coursekit.in_notebook.shown import style
from coursekit.judge.comparisons import Comparison, known_from
from coursekit.kinds.base import AutoGraded
from coursekit.kinds.registry import question_data, question_of
from coursekit.notebooks.check_cells import attachment
from tests.course import BANK

from .cells import execute, shown_by

EXERCISES = Path(__file__).resolve().parents[2] / "exercises"
QUIZZES = [exercise for exercise in BANK.values() if exercise.auto_graded]
STARTER = "def two():\n    return 1\n"
ARRAY = "f() is [[0.5, 1.  ], [2.  , 0.25]]; expected [[1., 1.], [2., 2.]]."


CHECKS = """
from coursekit import check, expect, expect_close

@check(points=2)
def gives_two(two):
    expect_close(two(), 2.0, what="two()")

@check(points=1, success_message="It is <even>.")
def is_even(two):
    expect(two() % 2 == 0, "It is `odd`.")
"""


#: What is known of the mistake to return 1: the first comparison of a check.
ONE = {
    "gives_two": known_from(
        {"one": [[Comparison(0, np.array(1.0), np.array(2.0), 1e-6, 0.0)]]}
    ).as_data()
}


@pytest.fixture(autouse=True)
def _nothing_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    yield
    state.known.clear()
    state.standings.clear()


#: What a notebook has of an exercise.
ABOUT = {
    "exercise": "e",
    "version": 1,
    "title": "First",
    "points": 3.0,
    "hidden": 0,
    "by_hand": 0,
    "names": ["two"],
    "answer": "e-answer",
    "given": [],
    "chapter": [],
    "setup": "",
    "uses": [],
    "starter": STARTER,
    "solution": "",
    "without_torch": False,
    "check_source": CHECKS,
    "checks": ["gives_two", "is_even"],
    "titles": {"gives_two": "Gives *two*", "is_even": "Is even"},
    "misconceptions": {"one": "Too few."},
    "known": ONE,
}


def ask(answer: str, **about: object) -> Shown:
    """Run an answer's cell and its check."""
    names: dict[str, object] = {}
    execute(answer, names)
    load_checks(pack({"e": ABOUT | about}))
    return check_answer("e", names)


def ask_questions(names: dict[str, object], *questions: AutoGraded) -> Shown:
    """Check a quiz's answers."""
    titles = {question.name: f"`{question.name}`" for question in questions}
    about = {"questions": [question_data(q) for q in questions], "titles": titles}
    load_checks(pack({"e": ABOUT | about}))
    return check_answer("e", names)


def test_what_is_right_comes_first_and_all_counts() -> None:
    shown = ask("def two():\n    return 4\n")
    assert shown.text == (
        "1 of 2 checks passes. 1 of 3 points.\n"
        "✓ Is even\n  It is <even>.\n"
        "✗ Gives *two*\n  two() is 4; expected 2."
    )
    assert '<b class="ck-pass">✓</b>Is even<p>It is &lt;even&gt;.</p>' in shown.html
    assert '<b class="ck-fail">✗</b>Gives <em>two</em>' in shown.html


def test_a_passed_exercise_says_what_is_decided_later() -> None:
    shown = ask("def two():\n    return 2\n", hidden=1)
    assert shown.text.startswith("✓ Done. All 2 checks pass. 3 of 3 points.\n")
    assert "1 point more is decided by other inputs when the notebook is graded." in shown.text
    assert "more" not in ask("def two():\n    return 2\n").text


@pytest.mark.parametrize(
    "answer", ["two = 3\ndel two", "def two():\n    raise NotImplementedError"]
)
def test_what_is_not_started_is_grey(answer: str) -> None:
    shown = ask(answer)
    assert shown.text.startswith("○ Not started: ")
    assert shown.text.endswith(" 0 of 3 points.")
    assert "ck-fail" not in shown.html


def test_a_name_that_is_missing_is_named() -> None:
    assert "`two` is not defined" in ask("three = 3").text


def test_an_answer_like_the_starter_s_is_not_the_starter() -> None:
    shown = ask("def two():\n    return 1  # surely\n")
    assert "Too few." in shown.text
    assert "ck-fail" in shown.html


def test_the_solution_is_shown_after_an_attempt_and_not_before() -> None:
    solution = "def two():\n    return 1 + 1 < 3\n"
    fold = "<details><summary>Solution</summary><pre"
    assert "return 1 + 1" not in str(ask("three = 3", solution=solution)._repr_mimebundle_())
    wrong = ask("def two():\n    return 5\n", solution=solution)
    assert fold in wrong.html
    assert "1 + 1 &lt; 3" in wrong.html
    assert "Solution" not in wrong.text  # A terminal cannot fold it.
    assert "Solution:\ndef two" in ask("def two():\n    return 2\n", solution=solution).text
    assert fold not in ask("def two():\n    return 2\n").html


def test_nothing_is_written_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    ask("import sys\ndef two():\n    print('noise', file=sys.stderr)\n    return 2\n")
    assert capsys.readouterr() == ("noise\nnoise\n", "")


NEWER = pack({"e": ABOUT | {"questions": [{"kind": "essay", "variable": "text"}]}})


@pytest.mark.parametrize("word", ["eJxx", NEWER, pack({"e": ABOUT | {"questions": [{}]}})])
def test_a_changed_cell_says_so_on_one_line(word: str) -> None:
    def use() -> None:
        load_checks(word)
        check_answer("e", {"two": 2})

    with pytest.raises(ChangedCellError, match=r"^this check cell has been changed") as caught:
        use()
    assert caught.value._render_traceback_() == [str(caught.value)]


def test_a_check_before_the_cell_that_loads_it_says_which_to_run() -> None:
    state.known.clear()
    assert "run the two cells at its top" in check_answer("e", {}).text
    assert progress().text == check_answer("e", {}).text  # as after a restart


# --- messages ---------------------------------------------------------------------------------


def test_arrays_stand_row_by_row() -> None:
    assert as_text(ARRAY) == (
        "f() is\n    [[0.5, 1.  ],\n     [2.  , 0.25]]\nexpected\n    [[1., 1.],\n     [2., 2.]]"
    )
    assert as_html(ARRAY) == (
        'f() is<br><code class="ck-array">[[0.5, 1.  ],<br> [2.  ,'
        ' 0.25]]</code><br>expected<br><code class="ck-array">[[1., 1.],<br>'
        " [2., 2.]]</code>"
    )
    code = '<code class="ck-array">[[1, 2]]</code>'
    assert (
        as_html("[[1, 2]]; [[1, 2]] is `no` mask") == f"{code}<br>{code}<br>is <code>no</code> mask"
    )
    assert as_html("`x` is [[1, 2]], *not* that.") == (
        f"<code>x</code> is<br>{code}<br><em>not</em> that."
    )
    three = "x is [[[1, 2], [3, 4]],  [[5, 6], [7, 8]]]; no."
    assert as_text(three).splitlines()[1:5] == [
        "    [[[1, 2],",
        "      [3, 4]],",
        "",
        "     [[5, 6],",
    ]


@pytest.mark.parametrize(
    "message", ["x is [1, 2]; expected [3, 4].", "Rows [[a, b]] of text", "", "2 * 3 * 4"]
)
def test_other_messages_stay_as_they_are(message: str) -> None:
    assert as_text(message) == message
    assert as_html(message) == message


def test_html_is_escaped_and_no_formula_is_made_of_dollars() -> None:
    assert as_html("`<b>` & *<i>*, $5 and $6") == (
        "<code>&lt;b&gt;</code> &amp; <em>&lt;i&gt;</em>, &#36;5 and &#36;6"
    )


class Balanced(HTMLParser):
    """Fails where elements are not closed as they were opened, or a paragraph holds a block."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        assert not ("p" in self.open and tag in ("pre", "p", "ul", "div", "table", "details"))
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_html_is_well_formed(double: Exercise) -> None:
    shown = [ask(f"def two():\n    return {value}\n", solution="x") for value in (1, 2, 5)]
    shown.append(progress())
    forms = {
        "a": {"kind": "numeric", "shape": []},
        "b": {"kind": "choice", "options": ["a"]},
    }
    load_checks(pack({"q": ABOUT | {"exercise": "q", "forms": forms, "title": "<two>"}}))
    shown.append(check_answer("q", {"a": 1}))
    shown.append(progress())
    for one in shown:
        parser = Balanced()
        parser.feed(one._repr_mimebundle_()["text/html"])
        assert parser.open == []


@pytest.mark.parametrize(("sheets", "most"), [(1, 2500), (2, 4000)])
def test_colours_are_those_of_the_page_in_the_light_and_in_the_dark(sheets: int, most: int) -> None:
    made = style(*["in_notebook/shown.css", "browser/drawn.css"][:sheets])
    used = set(re.findall(r"var\((--ck-[a-z-]+)[,)]", made)) - {"--ck-code-font"}
    for block in (made.partition("@media")[0], made.partition("@media")[2]):
        assert used <= set(re.findall(r"(--ck-[a-z]+):#", block))
    assert "/*" not in made
    assert len(made) < most  # Each output has it; pictures, those that show one.


# --- questions --------------------------------------------------------------------------------


@pytest.mark.parametrize("quiz", QUIZZES, ids=lambda quiz: quiz.id)
def test_a_packed_question_grades_as_the_question_does(quiz: Exercise) -> None:
    for question in quiz.auto_graded:
        packed = question_of(unpack(pack(question_data(question))))
        answers = [
            question.answer,
            ...,
            "no such",
            *(wrong for wrong, _ in question.known_mistakes),
        ]
        for answer in answers:
            names = {question.name: answer}
            assert run_check(packed.check(), names) == run_check(question.check(), names)


def test_a_part_of_the_points_is_told() -> None:
    lines = {"a": "first", "b": "second", "c": "third", "d": "no"}
    order = parsons("order", "", lines=lines, orders=["a b c"], mistakes={"m": "d"}, points=3)
    which = choice(
        "which",
        "",
        {
            "a": option("x", correct=True, success_message="Yes."),
            "b": option("y", failure_message="No.", misconception="n"),
        },
    )
    shown = ask_questions({"order": ["a", "b"], "which": ...}, order, which)
    assert shown.text.startswith(
        "None of the checks passes yet. 2 of 4 points.\n✗ `order` (2 of 3 p"
    )
    assert "○ `which`\n  No answer yet." in shown.text
    assert 'class="ck-muted">○' in shown.html


def test_a_single_question_needs_no_name() -> None:
    question = numeric("n", "", answer=2, tolerance=0, success_message="One and one.")
    assert ask_questions({"n": 2}, question).text == (
        "✓ Done. The check passes. 1 of 1 point.\n✓ One and one."
    )


# --- progress ---------------------------------------------------------------------------------


FORM = {"forms": {"a": {"kind": "choice", "options": ["a", "b"]}}}
#: What the notebook lists.
LISTED = {
    "e": ABOUT,
    "open": ABOUT | FORM | {"exercise": "open", "title": "Second", "points": 2.0, "names": ["a"]},
    "prose": ABOUT | {"exercise": "prose", "title": "Third", "points": 0, "names": []},
}


def test_progress_tells_points_and_what_is_left() -> None:
    load_checks(pack(LISTED))
    assert progress().text.splitlines() == [
        "0 of 5 points; 0 of 2 exercises done.",
        "First      0 of 3  not checked yet",
        "Second     0 of 2  not checked yet",
        "Third           –  yours to compare",
    ]
    for answer, said in (("three = 3", "not started"), ("def two():\n    return 4\n", "begun")):
        ask(answer)
        assert progress().text.splitlines()[1].endswith(said)
    ask("def two():\n    return 2\n")
    check_answer("open", {"a": "b"})
    assert progress().text.splitlines()[:3] == [
        "3 of 5 points; 1 of 2 exercises done.",
        "First      3 of 3  done",
        "Second     ? of 2  answered, not graded here",
    ]
    assert "<td>First</td>" in progress().html


def test_progress_outlasts_the_kernel_and_a_version_does_not() -> None:
    ask("def two():\n    return 2\n")
    for version, said in ((1, "done"), (2, "not checked yet")):
        state.standings.clear()
        load_checks(pack({"e": ABOUT | {"version": version}}))
        assert progress().text.splitlines()[1].endswith(said)
    (kept,) = Path(state.FOLDER).iterdir()
    assert [v["status"] for v in json.loads(kept.read_text())["verdicts"]] == ["passed", "passed"]


def test_a_folder_that_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    Path(state.FOLDER).write_text("a file")
    assert ask("def two():\n    return 2\n").text.startswith("✓ Done.")


def test_progress_tells_which_points_only_grading_gives() -> None:
    load_checks(pack({"e": ABOUT | {"hidden": 1, "by_hand": 2}}))
    shown = progress()
    said = [
        "1 point more is decided by other inputs when the notebook is graded.",
        "2 points more are for prose, which a person grades.",
    ]
    assert shown.text.splitlines()[-2:] == said
    assert all(f'<p class="ck-muted">{line}</p>' in shown.html for line in said)


@pytest.mark.parametrize("chapter", BANK.chapters)
def test_the_points_of_a_notebook_are_those_of_the_chapter(chapter: str) -> None:
    exercises = BANK.chapter(chapter)
    listed = unpack(attachment(exercises, True, []).split('"')[1]).values()
    told = sum(about[key] for about in listed for key in ("points", "hidden", "by_hand"))
    assert told == sum(exercise.points for exercise in exercises)


def test_a_check_takes_nothing_from_the_learner(double: Exercise) -> None:
    names = {"double": lambda x: 3 * x, "np": "mine"}
    before = dict(names)
    assert "✗" in shown_by(double, names).text
    assert names == before
