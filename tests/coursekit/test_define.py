"""Declarations refuse what is not well formed, and say how to mend it."""

from __future__ import annotations

import pytest

from coursekit import check, choice, example, exercise, free_text, mistake, numeric, option, quiz
from coursekit.bank.define import collecting
from coursekit.errors import DefinitionError


def right(text: str = "yes"):
    return option(text, success_message="Right.", correct=True)


def test_a_check_knows_its_names_and_its_title() -> None:
    @check(points=1.5, hidden=True)
    def keeps_shape(query, rng, keys):
        """Keeps the shape

        More of no interest.
        """

    assert keeps_shape.name == "keeps_shape"
    assert keeps_shape.title == "Keeps the shape"
    assert keeps_shape.names == ("query", "keys")
    assert keeps_shape.parameters == ("query", "rng", "keys")


def test_a_check_without_docstring_is_called_by_its_name() -> None:
    @check(points=1)
    def keeps_shape(query): ...

    assert keeps_shape.title == "keeps shape"


def test_negative_points() -> None:
    with pytest.raises(DefinitionError, match="points=-1: expected 0 or more"):
        check(points=-1)


@pytest.mark.parametrize("id", ["Softmax", "soft_max", "soft max", "-softmax", ""])
def test_ids_are_words_joined_by_hyphens(id: str) -> None:
    with pytest.raises(DefinitionError, match="lower-case words joined by hyphens"):
        exercise(id=id, chapter="numbers", title="", hints=[])


@pytest.mark.parametrize("title", ["The weight of *cat*", "Write `softmax`", "Divide by $d$"])
def test_titles_are_plain_text(title: str) -> None:
    """They stand in lists, menus and attributes, too, where marks would be shown as they are."""
    with pytest.raises(DefinitionError, match="expected plain text"):
        exercise(id="one", chapter="numbers", title=title, hints=[])


def test_a_mistake_is_declared_once() -> None:
    with pytest.raises(DefinitionError, match="lower-case words joined by hyphens"):
        mistake("No Tanh", "The tanh is missing.")
    with collecting() as collected:
        mistake("m", "", "x = 1", {"a": "b"})
        assert collected.mistakes["m"].edits == ("x = 1", {"a": "b"})
        with pytest.raises(DefinitionError, match="declared twice; give it all its edits"):
            mistake("m", "")


@pytest.mark.parametrize(
    ("messages", "fault"),
    [
        ({}, "a wrong option has a failure_message and no success_message"),
        ({"failure_message": " "}, "a wrong option has a failure_message"),
        ({"failure_message": "f", "success_message": "s"}, "and no success_message"),
        ({"correct": True}, "a correct option has a success_message and no failure_message"),
        ({"correct": True, "failure_message": "f"}, "a correct option has a success_message"),
    ],
)
def test_an_option_has_the_message_of_its_kind(messages, fault: str) -> None:
    misconception = None if messages.get("correct") else "m"
    with pytest.raises(DefinitionError, match=fault):
        option("text", misconception=misconception, **messages)


@pytest.mark.parametrize(("correct", "misconception"), [(True, "scaled"), (False, None)])
def test_wrong_options_name_their_misconception(correct: bool, misconception: str | None) -> None:
    with pytest.raises(DefinitionError, match="wrong options name a misconception"):
        option("text", failure_message="f", correct=correct, misconception=misconception)


@pytest.mark.parametrize("count", [0, 2])
def test_a_choice_has_one_right_option(count: int) -> None:
    options = {"a": option("x", failure_message="f", misconception="m")}
    options |= {f"r{i}": right() for i in range(count)}
    with pytest.raises(DefinitionError, match=f"{count} options are correct; expected exactly 1"):
        choice("answer", "?", options)


def test_a_question_is_named_by_a_variable() -> None:
    with pytest.raises(DefinitionError, match="its name is the answer's variable"):
        numeric("the answer", "?", answer=1, tolerance=0)


@pytest.mark.parametrize("name", ["globals", "sum", "lambda"])
def test_a_question_takes_no_name_from_python(name: str) -> None:
    with pytest.raises(DefinitionError, match="Python has a meaning for this name"):
        numeric(name, "?", answer=1.0, tolerance=0.1)


def test_a_quiz_asks_each_question_once() -> None:
    question = numeric("n", "?", answer=1, tolerance=0)
    with pytest.raises(DefinitionError, match="two questions share a name"):
        quiz(id="q", chapter="c", title="t", questions=[question, question])
    with pytest.raises(DefinitionError, match="has no questions"):
        quiz(id="q", chapter="c", title="t", questions=[])


@pytest.mark.parametrize(
    ("points", "fault"),
    [
        ((1,), "the weak example has 1 points; expected one for each of the 2 lines"),
        ((1, 3), "the weak example has 3 points for 'second'; expected 0 to 2"),
        ((-1, 0), "the weak example has -1 points for 'first'; expected 0 to 1"),
    ],
)
def test_an_example_answer_fits_the_rubric(points: tuple[float, ...], fault: str) -> None:
    weak = example("weak", "Some text.", points=points, why="Because.")
    with pytest.raises(DefinitionError, match=fault):
        free_text("why", "?", rubric=[(1, "first"), (2, "second")], examples=[weak])


def test_an_example_answer_says_why() -> None:
    with pytest.raises(DefinitionError, match="example 'weak': why is empty"):
        example("weak", "Some text.", points=[1], why=" ")


def test_points_add_up(double, twice) -> None:
    assert double.points == 3
    assert twice.points == 1 + 2 + 3
    assert double.names == ("double",)
    assert twice.names == ("pair", "word", "why")


@pytest.mark.parametrize("name", ["softmax", "attn.", "attn.soft max", ""])
def test_what_is_withheld_has_its_full_name(name: str) -> None:
    about = {"chapter": "numbers", "title": "", "hints": []}
    with pytest.raises(DefinitionError, match=r"give full names, such as mylib\.mean"):
        exercise(id="e", withhold=["attn.softmax", name], **about)
    assert exercise(id="e", withhold="attn.softmax", **about).withhold == ("attn.softmax",)


def test_a_quiz_can_be_practice() -> None:
    asked = [numeric("n", "?", answer=1, tolerance=0.1)]
    about = {"id": "q", "chapter": "numbers", "title": "", "questions": asked}
    assert quiz(**about, practice=True).practice
    assert not quiz(**about).practice
