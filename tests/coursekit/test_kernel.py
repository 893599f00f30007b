"""What check cells show: verdicts in the page's words, grey where nothing is answered yet."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from coursekit import check, expect, expect_close
from coursekit.kernel import Shown, check_answer, check_forms, check_packed
from coursekit.kernel.answers import answer_shown
from coursekit.kernel.asked import Asked, CellError, unpack
from coursekit.kernel.messages import as_html, as_text
from coursekit.kernel.shown import style
from coursekit.known import Known, known_from
from coursekit.live.display import Markdown
from coursekit.marked import message_html, pieces
from coursekit.model import Exercise
from coursekit.notebook.check_cells import reader_code
from coursekit.questions import AutoGraded
from coursekit.quiz_text import questions_in
from coursekit.running import noted, run_check
from coursekit.verdict import TEXT_CELL
from tests.course import BANK

from .cells import execute

QUIZZES = [exercise for exercise in BANK.values() if exercise.auto_graded]
STARTER = "def two():\n    return 1\n"
ARRAY = "f() is [[0.5, 1.  ], [2.  , 0.25]]; expected [[1., 1.], [2., 2.]]."


@check(points=2)
def gives_two(two):
    """Gives *two*"""
    expect_close(two(), 2.0, what="two()")


@check(points=1, success_message="It is <even>.")
def is_even(two):
    """Is even"""
    expect(two() % 2 == 0, "It is `odd`.")


#: What is known of an answer that gives 1.
_RUN = noted(gives_two, {"two": lambda: 1}, np.random.default_rng())
ONE = known_from([(["one"], _RUN)])


def ask(answer: str, **about: Any) -> Shown:
    """Run an answer's cell and its check."""
    names: dict[str, object] = {}
    execute(answer, names)
    known = {"gives_two": lambda: ONE, "is_even": Known}
    told = {"misconceptions": {"one": "Too few."}, "known": known}
    checks = [gives_two, is_even]
    return answer_shown(Asked(id="e", starter=STARTER, checks=checks, **told, **about), names)


def test_what_is_right_comes_first_and_all_counts() -> None:
    shown = ask("def two():\n    return 4\n")
    assert shown.text == (
        "1 of 2 checks passes. 1 of 3 points.\n"
        "✓ Is even\n  It is <even>.\n"
        "✗ Gives *two*\n  two() is 4; expected 2."
    )
    assert '<b class="ck-good">✓</b>Is even<p>It is &lt;even&gt;.</p>' in shown.html
    assert '<b class="ck-bad">✗</b>Gives <em>two</em>' in shown.html


def test_a_passed_exercise_says_what_is_decided_later() -> None:
    shown = ask("def two():\n    return 2\n", hidden=1)
    assert shown.text.startswith("✓ Done. All 2 checks pass. 3 of 3 points.\n")
    assert "1 point more is decided by other inputs when the notebook is graded." in shown.text
    assert "more" not in ask("def two():\n    return 2\n").text


@pytest.mark.parametrize(
    "answer", [STARTER, "two = 3\ndel two", "def two():\n    raise NotImplementedError"]
)
def test_what_is_not_started_is_grey(answer: str) -> None:
    shown = ask(answer)
    assert shown.text.startswith("○ Not started: ")
    assert shown.text.endswith(" 0 of 3 points.")
    assert "ck-bad" not in shown.html


def test_a_name_that_is_missing_is_named() -> None:
    said = ask("three = 3").text
    assert "`two` is not defined" in said
    assert TEXT_CELL in said


def test_an_answer_like_the_starter_s_is_not_the_starter() -> None:
    shown = ask("def two():\n    return 1  # surely\n")
    assert "Too few." in shown.text
    assert "ck-bad" in shown.html


def test_the_solution_is_shown_after_an_attempt_and_not_before() -> None:
    solution = "def two():\n    return 1 + 1 < 3\n"
    fold = "<details><summary>Solution</summary><pre"
    assert "return 1 + 1" not in str(ask(STARTER, solution=solution)._repr_mimebundle_())
    wrong = ask("def two():\n    return 5\n", solution=solution)
    assert fold in wrong.html
    assert "1 + 1 &lt; 3" in wrong.html
    assert "Solution" not in wrong.text  # A terminal cannot fold it.
    assert "Solution:\ndef two" in ask("def two():\n    return 2\n", solution=solution).text
    assert fold not in ask("def two():\n    return 2\n").html


def test_nothing_is_written_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    ask("import sys\ndef two():\n    print('noise', file=sys.stderr)\n    return 2\n")
    assert capsys.readouterr() == ("noise\nnoise\n", "")


def word_of(about: object) -> str:
    return base64.b64encode(zlib.compress(json.dumps(about).encode())).decode()


def coded(source: str) -> str:
    return word_of({"known": {}, "code": source, "names": []})


@pytest.mark.parametrize(
    ("word", "said"),
    [
        *((word, "^this check") for word in ("eJxx", word_of([]), word_of({}), coded("gone()"))),
        (
            coded("import gone"),
            r"^No module named 'gone', which this check needs; install it, or: ",
        ),
        (coded("from coursekit import gone"), r"^cannot import name 'gone' from .* this check"),
    ],
)
def test_a_changed_cell_says_so_on_one_line(word: str, said: str) -> None:
    with pytest.raises(CellError, match=rf"{said}.* cell has been changed") as caught:
        check_packed(word, {})
    assert caught.value._render_traceback_() == [str(caught.value)]


def test_an_exercise_that_the_library_lacks_is_named_on_one_line() -> None:
    with pytest.raises(CellError, match=r"library here: no exercise 'three-score'; .*three-scores"):
        check_answer("three-score", {})
    with pytest.raises(CellError, match=r"has version 1 of .* and this notebook was made for .* 9"):
        check_answer("three-scores", {}, version=9)


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
    beside = as_html("[[1, 2]]; [[1, 2]] is `no` mask")
    assert beside == f"{code}<br>{code}<br>is <code>no</code> mask"
    marked = as_html("`x` is [[1, 2]], *not* that.")
    assert marked == f"<code>x</code> is<br>{code}<br><em>not</em> that."
    three = as_text("x is [[[1, 2], [3, 4]],  [[5, 6], [7, 8]]]; no.")
    assert "    [[[1, 2],\n      [3, 4]],\n\n     [[5, 6],\n" in three


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


def test_html_is_well_formed_and_no_paragraph_holds_a_block() -> None:
    shown = [ask(f"def two():\n    return {value}\n", solution="x") for value in (1, 2, 5)]
    shown.append(check_forms({"a": 1}, a={"shape": []}, b={"options": ["a"]}))
    for one in shown:
        html = one._repr_mimebundle_()["text/html"].replace("<br>", "<br/>")
        for paragraph in ElementTree.fromstring(html).iter("p"):
            inside = {element.tag for element in paragraph.findall(".//*")}
            assert not inside & {"pre", "p", "ul", "div", "table", "details"}


def test_colours_are_those_of_the_page_in_the_light_and_in_the_dark() -> None:
    made = style()
    used = set(re.findall(r"var\((--ck-[a-z]+)[,)]", made)) - {"--ck-code-font"}
    for block in (made.partition("@media")[0], made.partition("@media")[2]):
        assert used <= set(re.findall(r"(--ck-[a-z]+):#", block))
    assert "/*" not in made
    assert len(made) < 2500  # Each output has it.


# --- questions --------------------------------------------------------------------------------


def carried(exercise: Exercise) -> Asked:
    """Return an exercise as a cell that carries it has it."""
    (word,) = re.findall(r'check_packed\("([^"]+)"', reader_code(exercise, "Check"))
    return unpack(word)


@pytest.mark.parametrize("quiz", QUIZZES, ids=lambda quiz: quiz.id)
def test_a_packed_question_grades_as_the_question_does(quiz: Exercise) -> None:
    for question, packed in zip(quiz.auto_graded, carried(quiz).checks, strict=True):
        for answer in (question.answer, ..., "no such", *(a for a, _ in question.known_mistakes)):
            names = {question.name: answer}
            assert run_check(packed, names) == run_check(question.check(), names)


def asking(questions: Sequence[AutoGraded]) -> Asked:
    checks = [question.check() for question in questions]
    return Asked(id="q", starter="", checks=checks, misconceptions={}, is_quiz=True)


def test_a_part_of_the_points_is_told() -> None:
    asked, _ = questions_in("""## order (3 points)
```lines
a first
b second
c third
d no
```
- [x] a b c
- [ ] d > m: It is a third.

## which
- [x] x > Yes.
- [ ] y > n: No.
""")
    shown = answer_shown(asking(asked), {"order": ["a", "b"], "which": ...})
    assert shown.text.startswith(
        "None of the checks passes yet. 2 of 4 points.\n✗ `order` (2 of 3 p"
    )
    assert "○ `which`\n  No answer yet." in shown.text
    assert 'class="ck-muted">○' in shown.html


def test_a_single_question_needs_no_name() -> None:
    (question,), _ = questions_in("## n (± 0)\n- [x] 2 > One and one.")
    assert answer_shown(asking([question]), {"n": 2}).text == (
        "✓ Done. The check passes. 1 of 1 point.\n✓ One and one."
    )


# --- marks in short texts: taken apart by one pattern wherever they are shown ---------------------


#: Texts and their pieces; tests/coursekit_web/dom.test.ts reads them, too.
CASES = json.loads(Path(__file__).with_name("marked.json").read_text("utf-8"))


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_a_text_is_taken_apart_and_marked_alike(text: str, expected) -> None:
    assert [[tag, piece] for tag, piece in pieces(text)] == expected
    parts = [(tag, escape(piece)) for tag, piece in expected]
    html = "".join(f"<{tag}>{piece}</{tag}>" if tag else piece for tag, piece in parts)
    assert message_html(text) == html
    assert as_html(text) == html.replace("&quot;", '"')
    assert Markdown(text)._repr_html_() == f"<p>{html}</p>".replace("\n", " ")
