"""Match: what is right, what is told of pairs that are not, and what they earn."""

from __future__ import annotations

from pathlib import Path

import pytest

from coursekit import CheckFailed, check_form, match, run_check
from coursekit.bank.load import Bank
from coursekit.bank.model import Exercise
from coursekit.cards import Card
from coursekit.cli import main
from coursekit.errors import DefinitionError
from coursekit.notebooks.exercise_cells import cells_of

from .cells import report
from .test_round_trip import graded, hand_in

LEFT = {"1": "one", "2": "two", "3": "three", "4": "four"}
RIGHT = {"a": "*drei*", "b": "vier", "c": "eins", "d": "zwei", "e": "fünf"}
MISTAKES = {"german-one": "c", "swapped": "1d 3d 4d 2a 4a", "four": "1b 2b 3b 1a", "five": "e"}


def question(**changes):
    return match(
        **{"name": "words", "statement": "Match.", "left": LEFT, "right": RIGHT,
           "answer": "1c 2d 3a 4b", "mistakes": MISTAKES, "points": 2} | changes
    )  # fmt: skip


def verdict(answer):
    texts = {id: f"It is {id}." for id in MISTAKES}
    return run_check(question().check(), {"words": answer}, misconceptions=texts)


@pytest.mark.parametrize(
    "answer",
    [
        {"1": "c", "2": "d", "3": "a", "4": "b"},
        {4: "B ", 3: "a", 2: "d", 1: "c"},
        ["c", "d", "a", "b"],
        "1c, 2d 3a 4b",
    ],
)
def test_all_pairs_in_any_spelling_earn_all(answer) -> None:
    seen = verdict(answer)
    assert (seen.passed, seen.points, seen.message) == (True, 2, "That is right.")


@pytest.mark.parametrize(
    ("answer", "points", "text", "misconception"),
    [
        ("1c 2d 3a 4e", 1.5, "3 of the 4 pairs are right. Look at 4 again. It is five.", "five"),
        ("1c 2a 3d 4b", 1.0, "2 of the 4 pairs are right. Look at 2 again. It is swapped.",
         "swapped"),
        ("1d 2c 3b 4e", 0, "0 of the 4 pairs are right. Look at 1 again. It is swapped.",
         "swapped"),
        ("1c 2d 3a", 1.5, "3 of the 4 pairs are right. 1 is still to be made.", None),
        ({"1": "c", "2": ..., "3": "b"}, 0, "1 of the 4 pairs is right. 2 are still to be made. "
         "Look at 3 again. It is four.", "four"),
        (..., 0, "No answer yet.", "not-started"),
        ({}, 0, "No answer yet.", "not-started"),
        ({"1": ...}, 0, "No answer yet.", "not-started"),
        ("1z", 0, "'1' with 'z' is not a pair; expected one of 1, 2, 3, 4 with one of a, b, "
         "c, d, e.", None),
        ({"one": "a"}, 0, "'one' with 'a' is not a pair; expected one of 1, 2, 3, 4 with one of a, "
         "b, c, d, e.", None),
        ("1a 1b", 0, "1 has two partners in your answer; give it one.", None),
        (["a"], 0, "Your list has length 1; expected 4 letters.", None),
        (7, 0, "Your answer is of type int; expected a dict with a letter for each number.", None),
    ],
)  # fmt: skip
def test_other_answers_earn_a_part_and_are_told_what_is_true_of_them(
    answer, points: float, text: str, misconception: str | None
) -> None:
    seen = verdict(answer)
    assert (seen.passed, seen.points, seen.text) == (False, points, text)
    assert seen.misconception == misconception


def test_a_pair_of_two_mistakes_names_none() -> None:
    both = question(mistakes=MISTAKES | {"twice": "1d"})
    assert both.mistake_in("1d") is None
    assert both.mistake_in("3d") == "swapped"


def test_every_mistake_is_told_of_each_of_its_pairs() -> None:
    told = [(verdict(answer).misconception, id) for answer, id in question().known_mistakes]
    assert {id for _, id in told} == set(MISTAKES)
    assert all(seen == id for seen, id in told)
    assert len(told) == 16


def test_the_form_is_checked_without_the_answer(capsys) -> None:
    form = {"kind": "match", **question().form}
    assert "c" in form["right"]
    assert "answer" not in form
    check_form("words", {"words": ["a", "a", "b", "c"]}, **form)
    assert "Your answer to words is 1a 2a 3b 4c." in capsys.readouterr().out
    with pytest.raises(CheckFailed, match="is not a pair"):
        check_form("words", {"words": "5a"}, **form)


def test_a_notebook_asks_for_a_dict_and_says_what_a_part_earns(capsys) -> None:
    quiz = Exercise(id="q", chapter="c", title="Words", statement="S.", questions=(question(),))
    (asked, *_) = cells_of(quiz)
    assert "- **2**: two" in asked.source
    assert "Each belongs to one of these:\n\n- **a**: *drei*" in asked.source
    cell = quiz.answer_cell({})
    assert cell == 'words = ...  # a letter for each number, such as {"1": "a", "2": "a"}\n'
    space: dict = {}
    exec(quiz.answer_cell(quiz.answers), space)
    report(question(), space)
    assert capsys.readouterr().out == "✓ words (2 points)\nThat is right.\n"
    with pytest.raises(CheckFailed, match=r"^✗ words \(1\.5 of 2 points\)\n3 of the 4 pairs"):
        report(question(), {"words": "1c 2d 3a 4e"})


def test_a_card_asks_for_the_pairs_and_has_them_on_its_back() -> None:
    card = Card(Exercise(id="q", chapter="c", title="Words", questions=(question(),)), question())
    assert card.asked.startswith("Match.\n\n- 1) one\n")
    assert card.question.answer_text.splitlines()[2] == "- three: *drei*"


def test_a_sound_question_has_no_defects() -> None:
    assert list(question().defects()) == []


@pytest.mark.parametrize(
    ("changes", "defect"),
    [
        ({"mistakes": {**MISTAKES, "five": "1e 2e 3e"}},
         "the wrong pair 4e shows no mistake, or several"),
        ({"mistakes": {**MISTAKES, "more": "1e"}},
         "the wrong pair 1e shows no mistake, or several"),
        ({"left": {"1": "one", "2": "two"}, "answer": "1c 2d", "mistakes": {"five": "e"}},
         "has 2 items to match; expected at least 3"),
        ({"answer": "1c 2c 3a 4b", "mistakes": {"five": "e"}}, "gives points for c everywhere"),
        ({"answer": "1a 2d 3c 4b", "mistakes": {"five": "e"}}, "has 2 pairs side by side; shuffle"),
    ],
)  # fmt: skip
def test_the_self_test_sees(changes: dict, defect: str) -> None:
    assert any(said.startswith(defect) for said in question(**changes).defects())


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"left": {"1": "one", "3": "three"}}, "left has the keys"),
        ({"right": {"A": "x"}}, "right has the keys"),
        ({"answer": "1c 2d 3a"}, "is not one pair for each number"),
        ({"answer": "1c 2d 3a 4z"}, "is not one pair for each number"),
        ({"mistakes": {"m": "1z"}}, "has no pair in '1z'"),
        ({"mistakes": {"m": "7a"}}, "has no pair in '7a'"),
        ({"mistakes": {"m": "1c"}}, "has the right pair 1c"),
        ({"name": "list"}, "Python has a meaning for this name"),
    ],
)
def test_a_wrong_definition_is_refused(changes: dict, error: str) -> None:
    with pytest.raises(DefinitionError, match=error):
        question(**changes)


def test_a_dict_that_is_handed_in_is_graded_in_part(bank: Bank, tmp_path: Path) -> None:
    assert main(["release", "windows", "-o", str(tmp_path)]) == 0
    seen = 'seen_by_nine = {"1": "d", 2: "b", "3": "b", "4": ...}'
    hand_in(
        tmp_path / "windows.ipynb",
        bank,
        tmp_path / "submitted",
        "ada",
        lambda e: seen if e.id == "patterns-and-keys" else e.starter,
    )
    row = graded("windows", tmp_path)["ada"]
    (mine,) = (check for check in row.checks if check.check == "seen_by_nine")
    assert (mine.points, mine.misconception) == (1.0, "wrong-sides")
    assert row.score == 1.0
