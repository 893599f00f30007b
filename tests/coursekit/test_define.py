"""Declarations refuse what is not well formed, and say how to mend it."""

from __future__ import annotations

import pytest

from coursekit import check, exercise, quiz
from coursekit.errors import DefinitionError


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


@pytest.mark.parametrize("title", ["The weight of *cat*", "Write `softmax`", "Divide by $d$"])
def test_titles_are_plain_text(title: str) -> None:
    """They stand in lists, menus and attributes, too, where marks would be shown as they are."""
    with pytest.raises(DefinitionError, match="expected plain text"):
        exercise(title=title, hints=[])


def test_points_add_up(double, twice) -> None:
    assert double.points == 3
    assert twice.points == 1 + 2 + 3
    assert double.names == ("double",)
    assert twice.names == ("pair", "word", "why")


@pytest.mark.parametrize("name", ["softmax", "attn.", "attn.soft max", ""])
def test_what_is_withheld_has_its_full_name(name: str) -> None:
    about = {"title": "", "hints": []}
    with pytest.raises(DefinitionError, match=r"give full names, such as mylib\.mean"):
        exercise(withhold=["attn.softmax", name], **about)
    assert exercise(withhold="attn.softmax", **about).withhold == ("attn.softmax",)


def test_a_quiz_can_be_practice() -> None:
    asked = "## n (± 0)\n- [x] 1"
    assert quiz(title="", questions=asked, practice=True).practice
    assert not quiz(title="", questions=asked).practice
