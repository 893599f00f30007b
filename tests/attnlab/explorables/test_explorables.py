"""The Python side: state, checks, answers, and the figure for readers without JavaScript."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bs4 import BeautifulSoup, Tag

from attnlab import explorables
from attnlab.data.repeats import NUM_TOKENS
from attnlab.explorables import (
    AttentionRow,
    AxialGrid,
    Circuit,
    ContextVector,
    GradientDraws,
    HeadBrowser,
    LshCircle,
    MaskPaint,
    OnlineSoftmax,
    Pipeline,
    Reach,
    RotaryDial,
    Saturation,
    ScoreFunctions,
    SelfCross,
    SoftDictionary,
    Tiles,
    Translation,
    WindowMask,
)
from attnlab.explorables.base import Explorable

from . import in_numpy

ALL: list[type[Explorable]] = [getattr(explorables, name) for name in explorables.__all__]
FOLDER = Path(explorables.__file__).parent


def element(shown: Explorable) -> Tag:
    tag = BeautifulSoup(shown.html(), "html.parser").select_one("[data-explorable]")
    assert tag is not None
    return tag


def test_every_folder_is_exported_and_is_an_element_of_the_page() -> None:
    # The build makes the names of elements from those of folders.
    folders = [path.parent.name for path in FOLDER.glob("*/__init__.py")]
    elements = {f"attn-{folder.replace('_', '-')}" for folder in folders}
    assert elements == {kind.element for kind in ALL}


@pytest.mark.parametrize("kind", ALL)
def test_the_attribute_holds_the_whole_state_and_the_front_end_has_no_defaults(
    kind: type[Explorable],
) -> None:
    assert json.loads(str(element(kind())["state"])) == {
        **kind().state(),
        "task": "",
        "answers": [],
    }
    name = kind.element.removeprefix("attn-").replace("-", "_")
    source = (FOLDER / name / f"{name}.ts").read_text("utf-8")
    interface = re.search(r"interface State extends Common \{(.*?)\n\}", source, re.DOTALL)
    assert interface is not None
    # The front end knows the parts of the state, and none of their values at the start.
    assert re.findall(r"(?m)^  (\w+):", interface[1]) == list(kind.names)
    assert "defaults" not in source


def test_a_goal_has_a_weight_for_each_key_and_a_text() -> None:
    for goal, said in (([0.5, 0.25, 0.25], "thirds"), ([0.5, 0.5], "")):
        with pytest.raises(ValueError, match="expected 2 weights and a text"):
            ContextVector(goal=goal, goal_text=said)


def test_convolutions_go_blind_where_the_chapter_says_and_attention_does_not() -> None:
    kernel_of_3 = [Reach(phrases=n, kernel=3, layers=4) for n in (3, 4)]
    assert [in_numpy.cone(shown)[0].all() for shown in kernel_of_3] == [True, False]
    for phrases in range(9):
        assert in_numpy.cone(Reach(phrases=phrases, attention=True)).tolist() == [
            [True] * (3 + 2 * phrases),
            [False] * (2 + 2 * phrases) + [True],
        ]


@pytest.mark.parametrize("kind", ALL)
def test_state_survives_the_attribute(kind: type[Explorable]) -> None:
    answers = list(kind.names[:1])
    shown = kind(task='Say "<b>" & go', answers=answers)
    state = json.loads(str(element(shown)["state"]))
    assert state == {**shown.state(), "task": 'Say "<b>" & go', "answers": answers}
    assert "<b>" not in shown.html()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: AttentionRow(query=[[1.0]] * 3), "4 tokens have 3 query vectors"),
        (lambda: ContextVector(query=[1]), r"query is \[1\]; expected finite numbers of shape"),
        (lambda: ContextVector(query=[1, np.inf]), "query is .*expected finite numbers"),
        (lambda: ContextVector(query="ab"), "query is 'ab'; expected finite numbers"),
        (lambda: ContextVector(key=[[1, 2], [3]]), "key has rows of different lengths"),
        (lambda: ContextVector(key=[[1, 2]]), "1 keys and 2 values; expected one value a key"),
        (lambda: ContextVector(keys=[[1, 2]]), "ContextVector has no 'keys'; it has query, key"),
        (lambda: ContextVector(scaled=1), "scaled is 1; expected True or False"),
        (lambda: ContextVector(answers=["q"]), "answers name 'q'; expected of query"),
        (lambda: ContextVector(task=3), "task is 3; expected text"),
        (lambda: SoftDictionary(temperature=-1), "temperature is -1; expected a number from 0.0"),
        (lambda: SoftDictionary(entries="abc"), "entries is 'abc'; expected a list of words"),
        (lambda: SoftDictionary(entries=["a"]), "1 entries, 4 scores and 4 values"),
        (lambda: MaskPaint(mask=[[1, 0]]), "mask has dtype int64 and shape .*expected booleans"),
        (lambda: MaskPaint(mask=[[True]]), r"mask has shape \(1, 1\); the tokens ask for \(5, 5\)"),
        (lambda: MaskPaint(length=9), "length is 9; there are 5 keys"),
        (lambda: SelfCross(attention="both"), "attention is 'both'; expected 'cross' or 'self'"),
        (lambda: SelfCross(other_tokens=["a"]), "1 other_tokens have 6 vectors"),
        (lambda: SelfCross(selected=4), "selected is 4; there are 4"),
        (lambda: SelfCross(query_vectors=[[1]] * 4), "vectors have widths 1 and 4"),
        (lambda: WindowMask(global_tokens=[16]), "position 16; the tokens are 0 to 15"),
        (lambda: WindowMask(num_layers=0), "num_layers is 0; expected 1 to 8"),
        (lambda: WindowMask(global_tokens=3), "global_tokens is 3; expected a list"),
        (lambda: Reach(phrases=9), "phrases is 9; the tokens have 8"),
        (lambda: Reach(kernel=1), "kernel is 1; expected 2 to 7"),
        (lambda: Reach(tokens=["a", "b"]), "2 tokens; expected a subject, pairs of two, and two"),
        (lambda: Pipeline(sentence="?!"), r"sentence is '\?!'; expected at least one word"),
        (lambda: Pipeline(known=["a"]), "1 known words have 13 vectors"),
        (lambda: Pipeline(known=["a"], vectors=[[1]]), "vectors have width 1; expected 5"),
        (lambda: Pipeline(w_query=[[1.0]]), r"projections have shapes .*expected \(5, d_k\) twice"),
        (lambda: Pipeline(step=5), "step is 5; expected 0 to 4"),
        (lambda: Saturation(exponent=11), "exponent is 11; expected 0 to 10"),
        (lambda: ScoreFunctions(w_key=[[1.0]]), r"w_key has shape \(1, 1\); expected \(2, 2\)"),
        (lambda: MaskPaint(length=True), "length is True; expected a whole number"),
        (lambda: Circuit(off=[13]), "off has 13; expected of 11, 12, 21, 22"),
        (lambda: Circuit(off=12), "off is 12; expected a list of whole numbers"),
        (lambda: Circuit(heads=[1, 3]), "heads is .*; expected head 1 or 2 of each of 2 layers"),
        (lambda: Circuit(tokens=["K"]), f"1 tokens; expected 2 to {NUM_TOKENS}"),
        (lambda: Circuit(tokens=["K", "?"]), "token '\\?'; expected one of the letters"),
        (lambda: Circuit(query=24), "query is 24; the text has 24 tokens"),
        (lambda: Circuit(step=210), "step is 210; there are checkpoints after"),
        (lambda: Circuit(history={}), "history is {}; expected measures by condition"),
        (lambda: GradientDraws(num_draws=0), "num_draws is 0; expected 1 to 30,000"),
        (lambda: GradientDraws(num_draws=30_001), "num_draws is 30001; expected 1 to 30,000"),
        (lambda: GradientDraws(score=6), "score is 6; expected a number from 0.0 to 5.0"),
        (lambda: GradientDraws(baseline=-1), "baseline is -1; expected a number from 0.0 to 1.5"),
        (lambda: GradientDraws(seed=2**31), "seed is 2147483648; expected 0 to 2,147,483,647"),
        (lambda: GradientDraws(losses=[1, 1]), "all losses are equal, so the gradient is 0"),
        (lambda: HeadBrowser(layer=7), "layer is 7; expected 1 to 6"),
        (lambda: HeadBrowser(head=0), "head is 0; expected 1 to 12"),
        (
            lambda: HeadBrowser(off=[[1, 13]]),
            r"off is \[\[1, 13\]\]; expected pairs of a layer and a head",
        ),
        (lambda: HeadBrowser(other_layer=2), "other_layer is 2 and other_head 0; expected both"),
        (lambda: HeadBrowser(stored_names=["cat"]), "1 stored_names have 5 stored_texts"),
        (
            lambda: Translation(sentence="apple"),
            "sentence is 'apple'; expected a noun, prepositions each",
        ),
        (
            lambda: Translation(sentence="apple under picked"),
            "expected a noun, prepositions each with a noun",
        ),
        (
            lambda: Translation(sentence="cat picked"),
            "'cat' is not in the lexicon; expected one of apple",
        ),
        (
            lambda: Translation(sentence="apple " + "under tree " * 9 + "picked"),
            "sentence has 9 phrases; expected at most 8",
        ),
        (
            lambda: Translation(hidden=[7]),
            r"hidden is \[7\]; expected positions from 0 to 6, and not all",
        ),
        (lambda: Translation(hidden=list(range(7))), "expected positions from 0 to 6, and not all"),
        (lambda: Translation(hidden=6), "hidden is 6; expected a list of whole numbers"),
        (lambda: Translation(stored=3), "stored is 3; expected data by name"),
        (lambda: RotaryDial(key_position=64), "key_position is 64; expected 0 to 63"),
        (lambda: RotaryDial(d_k=7), "d_k is 7; expected an even number from 2 to 16"),
        (lambda: OnlineSoftmax(values=[1]), "8 scores and 1 values; expected 2 to 8 each"),
        (lambda: OnlineSoftmax(block=9), "block is 9; expected 1 to 8 keys"),
        (lambda: OnlineSoftmax(arrived=5), "arrived is 5; expected 1 to 4 blocks"),
        (lambda: LshCircle(num_buckets=5), "num_buckets is 5; expected 4, 6 … 16"),
        (lambda: LshCircle(num_rounds=9), "num_rounds is 9; expected 1 to 8"),
        (lambda: LshCircle(query=360), "query is 360; expected 0 to 359"),
        (lambda: LshCircle(angles=[1, 400]), "angles is 400; expected 0 to 359"),
        (lambda: Tiles(tile=100), "tile is 100; expected a power of two from 16 to 1024"),
        (lambda: Tiles(chip_kib=99), "chip_kib is 99; expected 20, 40 … 240"),
        (lambda: AxialGrid(rows=17), "rows is 17; expected 1 to 16"),
        (lambda: AxialGrid(position=64), "position is 64; expected 0 to 63"),
        (lambda: AxialGrid(d_model=7), "d_model is 7; expected an even number"),
    ],
)
def test_bad_input_gets_one_line(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_setting_a_field_checks_it_and_no_default_is_shared() -> None:
    one, other = ContextVector(query=[1.0, 0.0]), ContextVector(query=[1.0, 0.0])
    with pytest.raises(ValueError, match="expected finite numbers"):
        one.query = [1, 2, 3]
    one.key[0][0] = 9.0
    assert other.key[0][0] == 1.0


def test_display_has_the_widget_and_says_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ContextVector, "_esm", "export default {}")
    data, _ = ContextVector(query=[1.0, 0.0])._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/html"] == ContextVector(query=[1.0, 0.0]).html()
    assert "one query in the plane. It moves in the course" in data["text/html"]


def test_display_without_a_built_front_end_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ContextVector, "_esm", "")
    data = ContextVector(query=[1.0, 0.0])._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" not in data
    assert "Its front end is not built" in data["text/html"]


def test_without_anywidget_the_same_object_can_be_shown() -> None:
    code = (
        "import sys, importlib.util as u\n"
        "find = u.find_spec\n"
        "u.find_spec = lambda name, *a: None if name == 'anywidget' else find(name, *a)\n"
        "for name in ('anywidget', 'ipywidgets', 'traitlets', 'matplotlib', 'IPython'):\n"
        "    sys.modules[name] = None\n"
        "from attnlab.explorables import ContextVector as C\n"
        "c = C(query=[0, 2])\n"
        "C().key[0][0] = 9\n"
        "print(list(c._repr_mimebundle_()), c.query, C().key)\n"
        "try: c.query = [1]\n"
        "except ValueError as e: print(e)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    first, second = done.stdout.splitlines() or [done.stderr, ""]
    assert first == "['text/html', 'text/plain'] [0.0, 2.0] [[1.0, 1.0], [0.0, 1.0]]"
    assert second == "query is [1]; expected finite numbers of shape (2,)"
