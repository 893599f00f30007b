"""The writer of a reader's own model, as a notebook has it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

from attnlab import gpt
from attnlab.explorables import YourWriter
from tools.site.environment import in_environment

TYPESCRIPT = Path(__file__).parent / "your_writer.test.ts"


def course() -> dict[str, Any]:
    return {name: getattr(gpt, name) for name in gpt.__all__}


def ask(shown: YourWriter, number: int, **asked: Any) -> dict[str, Any]:
    shown.asked = {"number": number, "asked": asked}
    return dict(shown.answered)


def test_front_end() -> None:
    command = [in_environment("node"), "--test", str(TYPESCRIPT)]
    done = subprocess.run(command, env={**os.environ}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_it_is_ready_once_a_word_can_be_read_and_knows_of_a_cache() -> None:
    names = course()
    assert (YourWriter(names).ready, YourWriter(names).extra) == (True, True)
    del names["gpt_next"]
    assert (YourWriter(names).ready, YourWriter(names).extra) == (True, False)
    del names["gpt"]
    assert YourWriter(names).trouble == "There is no function gpt yet."
    assert "no function gpt" in YourWriter(names).figure()


def test_the_kernel_answers_by_number_and_an_error_names_the_function() -> None:
    names = course()

    def block(x: Any, weights: Any, num_heads: int) -> Any:
        raise ValueError("not today")

    shown = YourWriter(names)
    answered = ask(shown, 3, tokens=[1, 5], temperature=0, draw=0.5, cached=False)
    right = gpt.write([1, 5], gpt.load(), [0.5], 0)[-1]
    assert (answered["number"], answered["answered"]["token"]) == (3, right)
    names["gpt"] = lambda tokens, model: block(tokens, model, 4)
    answered = ask(shown, 4, tokens=[1, 5], first=0, cached=False)
    assert answered == {"number": 4, "error": "In your block: ValueError: not today"}


def test_without_a_front_end_the_text_is_the_reader_s() -> None:
    names = course()
    assert "The moral: " in YourWriter(names).figure()
    names["write"] = lambda tokens, model, draws, temperature: gpt.to_tokens("an owl sang")
    assert "An owl sang" in YourWriter(names).figure()
