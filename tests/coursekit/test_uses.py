"""Exercises that build on earlier ones of their chapter."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from coursekit.bank import Bank, load_bank
from coursekit.errors import CoursekitError, DefinitionError
from coursekit.page.page_data import page_data
from coursekit.selftest.check import check_answer
from coursekit.web.in_page import answer, keep_file

from ..coursekit_web.conftest import asked_of_python

FILE = '''"""Define {name}."""

import math

from coursekit import check, exercise, expect

exercise(
    title="{name}", hints=["h"], {more}
)


def {name}(x):
    # BEGIN SOLUTION
    return {value}
    # END SOLUTION


@check(points=1)
def of_two({name}):
    """Of 2"""
    expect({name}(2) == {of_two}, "wrong")
'''


def write(folder: Path, id: str, name: str, value: str, of_two: int, more: str = "") -> None:
    (folder / "sums").mkdir(exist_ok=True)
    text = FILE.format(name=name, value=value, of_two=of_two, more=more)
    (folder / "sums" / f"{id}.py").write_text(text, encoding="utf-8")


@pytest.fixture
def chain(tmp_path: Path) -> Bank:
    """Return three exercises: c builds on b, and b on a."""
    write(tmp_path, "step-a", "one_more", "x + 1", 3, 'stand_in="ours"')
    write(
        tmp_path, "step-b", "twice_more", "2 * one_more(x)", 6, 'uses=["step-a"], stand_in="ours"'
    )
    write(tmp_path, "step-c", "total", "one_more(x) + twice_more(x)", 9, 'uses="step-b"')
    return load_bank(tmp_path)


def test_what_is_used_comes_in_the_order_in_which_it_runs(chain: Bank) -> None:
    assert [used.id for used in chain["step-c"].used] == ["step-a", "step-b"]
    assert chain["step-a"].used == ()


def test_the_self_test_runs_the_solutions_of_what_is_used(chain: Bank) -> None:
    answer = check_answer(chain["step-c"], chain["step-c"].solution)
    assert answer.error is None
    assert [verdict.passed for verdict in answer.verdicts] == [True]


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ('uses=["step-z"]', "", "uses 'step-z'; there is no such exercise"),
        ("", 'uses=["step-a"]', "'step-a', which has no stand_in"),
        (
            'uses=["step-b"], stand_in="ours"',
            'uses=["step-a"], stand_in="ours"',
            "uses 'step-a', which uses 'step-b' in turn",
        ),
    ],
)
def test_what_cannot_be_used_is_refused(tmp_path: Path, first: str, second: str, said: str) -> None:
    write(tmp_path, "step-a", "one_more", "x", 2, first)
    write(tmp_path, "step-b", "two_more", "x", 2, second)
    with pytest.raises(DefinitionError, match=said):
        load_bank(tmp_path)


def test_the_page_knows_what_runs_first(chain: Bank) -> None:
    first, second = page_data(chain["step-c"])["uses"]
    assert (first["id"], first["names"]) == ("step-a", ["one_more"])
    assert first["version"] == page_data(chain["step-a"])["version"]
    assert second["stand_in"] == "from ours import twice_more\n"
    assert "one_more(x)" not in json.dumps(page_data(chain["step-c"]))  # no solution


def test_the_page_runs_earlier_answers_silently(chain: Bank) -> None:
    code = "print('mine')\ndef twice_more(x): return 2 * one_more(x)"
    request = asked_of_python(chain["step-b"], code)
    request["before"] = [{"title": "a", "code": "print('noise')\ndef one_more(x): return x + 1"}]
    reply = json.loads(answer(json.dumps(request)))
    assert (reply["output"], reply["error"]) == ("mine\n", None)
    assert reply["verdicts"][0]["status"] == "passed"


def test_a_data_file_is_kept_where_its_package_is(tmp_path, monkeypatch) -> None:
    (tmp_path / "numbers_here").mkdir()
    (tmp_path / "numbers_here" / "__init__.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    keep_file("numbers_here/deep/ten.bin", memoryview(b"10"))
    assert (tmp_path / "numbers_here" / "deep" / "ten.bin").read_bytes() == b"10"


def test_a_file_that_no_package_has_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "step-a", "one_more", "x + 1", 3, 'files=["coursekit/none.npz"]')
    exercise = load_bank(tmp_path)["step-a"]
    with pytest.raises(DefinitionError, match=r"files has 'coursekit/none\.npz'"):
        page_data(exercise)


def test_data_that_a_site_may_lack_is_named_without_a_size(tmp_path: Path) -> None:
    write(tmp_path, "step-a", "one_more", "x + 1", 3, 'data="walks/data/none.bin"')
    assert page_data(load_bank(tmp_path)["step-a"])["data"] == ["walks/data/none.bin"]


def shown(*ids: str) -> str:
    return "# Sums\n\n" + "\n\n".join(f"```{{exercise}} {id}\n```" for id in ids)


def test_a_notebook_says_which_cells_come_first(made, chain: Bank) -> None:
    text = json.dumps(made(shown("step-a", "step-b", "step-c"), chain))
    assert "From earlier steps: your `one_more` and `twice_more`. Run those cells first." in text


def test_a_notebook_has_what_is_used_above(made, chain: Bank) -> None:
    with pytest.raises(CoursekitError, match="'step-b' uses 'step-a'; place that above"):
        made(shown("step-b", "step-a"), chain)
