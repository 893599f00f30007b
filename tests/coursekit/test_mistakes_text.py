"""Mistakes are edits of the solution: each form makes what it says, or one clear error."""

from __future__ import annotations

import pytest

from coursekit.errors import DefinitionError
from coursekit.mistakes_text import mistakes_in

SOLUTION = '''def total(rows):
    """Return the sum."""
    result = 0
    for row in rows:
        result += row
    return result + EPSILON


EPSILON = 1e-5
'''


def made(text: str) -> dict[str, tuple[str, tuple[str, ...], str]]:
    _, wrong = mistakes_in(text, SOLUTION)
    return {name: (each.misconception, each.also, each.code) for name, each in wrong.items()}


def test_an_edit_replaces_every_occurrence_and_has_a_text() -> None:
    told, wrong = mistakes_in("other: `EPSILON` → `TINY`\n    It is\n    called so.\n", SOLUTION)
    assert told == {"other": "It is called so."}
    assert wrong["other"].code == SOLUTION.replace("EPSILON", "TINY")


def test_several_edits_are_made_together_and_lines_may_be_broken() -> None:
    code = SOLUTION.replace("result = 0", "result = 1").replace("1e-5", "0")
    for text in (
        "one: `result = 0` → `result = 1`, `1e-5` → `0`",
        "one: `result = 0` →\n  `result = 1`,\n  `1e-5` → `0`",
    ):
        assert made(text) == {"one": ("one", (), code)}
    text = "one: (also two)\n  `result = 0` → `result = 1`, `1e-5` → `0`"
    assert made(text) == {"one": ("one", ("two",), code)}


def test_other_ways_show_the_same_mistake() -> None:
    text = "small: `1e-5` → `1e-3` or `1e-4`\nor (also plain) ` + EPSILON` → ``\n    Too small.\n"
    assert made(text) == {
        "small": ("small", (), SOLUTION.replace("1e-5", "1e-3")),
        "small 2": ("small", (), SOLUTION.replace("1e-5", "1e-4")),
        "small 3": ("small", ("plain",), SOLUTION.replace(" + EPSILON", "")),
    }


def test_code_takes_the_place_of_what_it_defines_and_leaves_the_rest() -> None:
    block = "short:\n    ```\n    def total(rows):\n        return sum(rows)\n    ```\n    Fine.\n"
    code = "\n\nEPSILON = 1e-5\ndef total(rows):\n    return sum(rows)\n"
    assert made(block) == {"short": ("short", (), code)}
    ((_, _, code),) = made("short: `def total(rows): return sum(rows)`").values()
    assert code == "\n\nEPSILON = 1e-5\ndef total(rows): return sum(rows)\n"


def test_a_block_with_an_arrow_replaces_lines() -> None:
    loop = "    for row in rows:\n        result += row\n"
    indented = "".join(f"    {line}\n" for line in loop.splitlines())
    text = f"first:\n    ```\n{indented}    →\n        result = rows[0]\n    ```\n    One row.\n"
    assert made(text)["first"][2] == SOLUTION.replace(loop, "    result = rows[0]\n")


def test_a_mistake_may_have_a_text_alone_or_an_edit_alone() -> None:
    told, wrong = mistakes_in("found:\n    By a check.\nshared: `1e-5` → `1`\n", SOLUTION)
    assert told == {"found": "By a check."}
    assert list(wrong) == ["shared"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("No id", "line 7: 'No id'; expected 'id: `old` → `new`'"),
        ("a: `1e-5", "line 7: the mistake a: '`1e-5'; expected `old` → `new`"),
        ("\na: `2` → `3`", "line 8: the mistake a: the solution has no '2' to replace"),
        (
            "a:\n    ```\n    for row in rows:\n        result += row\n    →\n    pass\n    ```",
            "to replace; look at its indentation",
        ),
        ("a: `0` → `0`", "line 7: the mistake a: the edit changes nothing"),
        ("a: (also b)", "line 7: the mistake a: ''; expected `old` → `new`"),
        ("a: `0` → `)`", "line 7: the mistake a: unmatched ')'"),
        ("a:\n  b", "'  b'; expected 'or `old` → `new`', or a text indented by four spaces"),
        ("a:\n    b\na:\n    c", "line 9: the mistake a: there already; expected another id"),
        ("a: `0` → `1` or `2`, `1e-5` → `3`", "expected `old` → `new`"),
    ],
)
def test_a_slip_is_one_sentence(text: str, message: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        mistakes_in(text, SOLUTION, line=7)
    assert message in str(refused.value)
