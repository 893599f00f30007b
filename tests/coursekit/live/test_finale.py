"""What a course makes of answers that passed: one namespace, and an error says whose it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from coursekit.in_page.finale import Finale

COURSE = """
class Counter:
    made = 0

    def __init__(self, names):
        Counter.made += 1
        self.names = names

    def answer(self, asked):
        return {"made": Counter.made, "value": self.names["double"](asked["of"])}
"""
DOUBLE = "def double(x):\n    print('hello')\n    return 2 * x\n"


@pytest.fixture
def finale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Finale:
    (tmp_path / "counting.py").write_text(COURSE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(__import__("sys").modules, "counting", raising=False)
    return Finale()


def ask(finale: Finale, code: str, of: Any = 3) -> Any:
    before = [{"title": "Step 1", "code": "base = 2"}, {"title": "Step 2: twice", "code": code}]
    return finale.ask({"before": before, "runs": "counting.Counter", "asked": {"of": of}})


def test_answers_run_once_and_stay_until_they_change(finale: Finale, capsys: Any) -> None:
    assert ask(finale, DOUBLE) == {"answered": {"made": 1, "value": 6}, "error": None, "step": ""}
    assert ask(finale, DOUBLE, 4)["answered"] == {"made": 1, "value": 8}
    assert ask(finale, DOUBLE.replace("2 *", "base * "))["answered"] == {"made": 2, "value": 6}
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("code", [DOUBLE.replace("2 *", "1 / 0 *"), "print(1)\n\nraise ValueError"])
def test_an_error_names_the_step_and_its_line(finale: Finale, code: str) -> None:
    reply = ask(finale, code)
    assert reply["step"] == "Step 2: twice"
    assert reply["error"].startswith("Line 3: ")
    assert ask(finale, DOUBLE)["error"] is None


def test_an_error_of_no_answer_names_none(finale: Finale) -> None:
    assert ask(finale, "triple = 3") == {
        "answered": None,
        "error": "KeyError: 'double'",
        "step": "",
    }
