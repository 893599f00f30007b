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

from attnlab import explorables as e
from attnlab.data.repeats import NUM_TOKENS
from attnlab.explorables import ContextVector
from attnlab.explorables.base import Explorable

ALL = Explorable.__subclasses__()
FOLDER = Path(e.__file__).parent


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
    asked: dict[str, Any] = {"task": 'Say "<b>" & go', "answers": list(kind.names[:1])}
    for shown, told in ((kind(), {"task": "", "answers": []}), (kind(**asked), asked)):
        assert json.loads(str(element(shown)["state"])) == shown.state() | told
        assert "<b>" not in shown.html()
    name = kind.element.removeprefix("attn-").replace("-", "_")
    scripts = [FOLDER / name / f"{name}.ts", *(FOLDER / name).glob("arithmetic.ts")]
    source = "".join(script.read_text("utf-8") for script in scripts)
    state = re.search(r"interface State extends Common(.*?) \{(|.*?\n)\}", source, re.DOTALL)
    assert state is not None
    base = re.split(r"\W+", state[1])[-1]  # one of the figure's arithmetic, if any
    given = re.search(rf"interface {base} \{{(.*?)\n\}}", source, re.DOTALL)
    parts = state[2] + (given[1] if given else "")
    # The front end knows the parts of the state, and none of their values at the start.
    assert sorted(re.findall(r"(?m)^  (\w+):", parts)) == sorted(kind.names)
    assert "defaults" not in source


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: e.AttentionRow(query=[[1.0]] * 3), "query has .*; expected num_tokens = 4"),
        (lambda: ContextVector(query=[1]), r"query is \[1\]; expected finite numbers of shape"),
        (lambda: ContextVector(query=[1, np.inf]), "query is .*expected finite numbers"),
        (lambda: ContextVector(query="ab"), "query is 'ab'; expected finite numbers"),
        (lambda: ContextVector(key=[[1, 2], [3]]), "key has rows of different lengths"),
        (lambda: ContextVector(key=[[1, 2]]), "value has shape .2, 2.; expected num_keys = 1"),
        (lambda: ContextVector(keys=[[1, 2]]), "ContextVector has no 'keys'; it has query, key"),
        (lambda: ContextVector(scaled=1), "scaled is 1; expected True or False"),
        (lambda: ContextVector(answers=["q"]), "answers name 'q'; expected of query"),
        (lambda: ContextVector(task=3), "task is 3; expected text"),
        (lambda: e.SoftDictionary(temperature=-1), "temperature is -1; expected a number from 0.0"),
        (lambda: e.SoftDictionary(entries="abc"), "entries is 'abc'; expected a list of words"),
        (lambda: e.SoftDictionary(entries=["a"]), "score has shape .4,.; expected num_keys = 1"),
        (lambda: e.MaskPaint(mask=[[1, 0]]), "mask has dtype int64 and shape .*expected booleans"),
        (lambda: e.MaskPaint(mask=[[True]]), r"mask has shape \(1, 1\); .*for \(5, 5\)"),
        (lambda: e.MaskPaint(length=9), "length is 9; there are 5 keys"),
        (lambda: e.SelfCross(attention="both"), "attention is 'both'; expected 'cross' or 'self'"),
        (lambda: e.SelfCross(other_tokens=["a"]), "1 other_tokens have 6 vectors"),
        (lambda: e.SelfCross(selected=4), "selected is 4; there are 4"),
        (lambda: e.SelfCross(query_vectors=[[1]] * 4), "vectors have widths 1 and 4"),
        (lambda: e.WindowMask(global_tokens=[16]), "position 16; the tokens are 0 to 15"),
        (lambda: e.WindowMask(global_tokens=3), "global_tokens is 3; expected a list"),
        (lambda: e.Reach(phrases=9), "phrases is 9; the tokens have 8"),
        (lambda: e.Reach(tokens=["a", "b"]), "2 tokens; expected a subject, pairs of two, and two"),
        (lambda: e.Pipeline(sentence="?!"), r"sentence is '\?!'; expected at least one word"),
        (lambda: e.Pipeline(known=["a"]), "vectors has .*; expected num_known = 1"),
        (lambda: e.Pipeline(w_query=[[1.0]]), "w_query has shape .1, 1.; expected width = 5"),
        (lambda: e.ScoreFunctions(w_key=[[1.0]]), r"w_key has shape \(1, 1\); expected \(2, 2\)"),
        (lambda: e.MaskPaint(length=True), "length is True; expected a whole number"),
        (lambda: e.Circuit(off=[13]), "off has 13; expected of 11, 12, 21, 22"),
        (lambda: e.Circuit(heads=[1, 3]), "heads is .*; expected head 1 or 2 of each of 2 layers"),
        (lambda: e.Circuit(tokens=["K"]), f"1 tokens; expected 2 to {NUM_TOKENS}"),
        (lambda: e.Circuit(tokens=["K", "?"]), "token '\\?'; expected one of the letters"),
        (lambda: e.Circuit(query=24), "query is 24; the text has 24 tokens"),
        (lambda: e.Circuit(step=210), "step is 210; there are checkpoints after"),
        (lambda: e.Circuit(history={}), "history is {}; expected measures by condition"),
        (lambda: e.GradientDraws(num_draws=0), "num_draws is 0; expected 1 to 30,000"),
        (lambda: e.GradientDraws(num_draws=30_001), "num_draws is 30001; expected 1 to 30,000"),
        (lambda: e.GradientDraws(losses=[1, 1]), "all losses are equal, so the gradient is 0"),
        (lambda: e.HeadBrowser(off=[[1, 13]]), r"off is \[\[1, 13\]\]; expected pairs of a"),
        (lambda: e.HeadBrowser(other_layer=2), "other_layer is 2 and other_head 0; expected both"),
        (lambda: e.HeadBrowser(stored_names=["cat"]), "1 stored_names have 5 stored_texts"),
        (lambda: e.Translation(sentence="apple"), "sentence is 'apple'; expected a noun"),
        (lambda: e.Translation(sentence="apple under picked"), "prepositions each with a"),
        (lambda: e.Translation(sentence="cat picked"), "'cat' is not in the lexicon; exp"),
        (
            lambda: e.Translation(sentence=f"apple {'under tree ' * 9}picked"),
            "9 phrases; expected at",
        ),
        (lambda: e.Translation(hidden=[7]), r"hidden is \[7\]; expected positions from"),
        (lambda: e.Translation(hidden=list(range(7))), "positions from 0 to 6, and not all"),
        (lambda: e.Translation(stored=3), "stored is 3; expected data by name"),
        (lambda: e.RotaryDial(d_k=7), "d_k is 7; expected an even number from 2 to 16"),
        (lambda: e.OnlineSoftmax(values=[1]), "values has .*; expected num_keys = 8"),
        (lambda: e.OnlineSoftmax(block=9), "block is 9; expected 1 to 8"),
        (lambda: e.OnlineSoftmax(arrived=5), "arrived is 5; expected 1 to 4"),
        (lambda: e.LshCircle(num_buckets=5), "num_buckets is 5; expected 4, 6 … 16"),
        (lambda: e.LshCircle(num_rounds=9), "num_rounds is 9; expected 1 to 8"),
        (lambda: e.LshCircle(angles=[1, 400]), "angles is 400; expected 0 to 359"),
        (lambda: e.Tiles(tile=100), "tile is 100; expected a power of two from 16 to 1024"),
        (lambda: e.Tiles(chip_kib=99), "chip_kib is 99; expected 20, 40 … 240"),
        (lambda: e.AxialGrid(position=64), "position is 64; expected 0 to 63"),
        (lambda: e.AxialGrid(d_model=7), "d_model is 7; expected an even number"),
        (lambda: e.TransformerBlocks(selected="decoder"), "selected is 'decoder'; expected a"),
        (lambda: e.TransformerBlocks(selected="encoder.stream.3"), "selected is 'encoder.st"),
        (lambda: e.TransformerBlocks(step=0), "step is 0; expected 1 to 8"),
        (lambda: e.LayerStack(layers=["wide"]), r"layers is \['wide'\]; expected one or more of"),
        (lambda: e.LayerStack(window=0), "window is 0; expected 1 to 65,536"),
        (lambda: e.Sink(score=[[1.0]]), "score has .*; expected num_queries = 2"),
        (lambda: e.FaultChecks(steps=[1]), "held_out has .*; expected steps = 1"),
        (lambda: e.FaultChecks(fault=0), "fault is 0; expected 1 to 3"),
        (lambda: e.Patches(ink=["#"]), "ink and noise have sides of .*; expected 20 rows of 20"),
        (lambda: e.Patches(query=8), "query is 8; expected 0 to 7"),
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


def printed(code: str) -> list[str]:
    """Return the lines that a Python of its own prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


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
        "except ValueError as e: print(e)\n"
        "from attnlab import drawing\n"
        "print(drawing.weights_table([[1.0]])._repr_html_()[:4])"
    )
    first, second, table = printed(code)
    assert first == "['text/html', 'text/plain'] [0.0, 2.0] [[1.0, 1.0], [0.0, 1.0]]"
    assert second == "query is [1]; expected finite numbers of shape (2,)"
    assert table == "<div"  # and tables need no Matplotlib


#: Up to traitlets 5.9, and so on Colab, `TraitType` takes no type parameters.
WITHOUT_PARAMETERS = """
import anywidget, traitlets

def refuse(cls, parameters):
    raise TypeError(f"type {cls.__name__!r} is not subscriptable")

traitlets.TraitType.__class_getitem__ = classmethod(refuse)
from attnlab import explorables

widget = explorables.SoftDictionary()
print(isinstance(widget, anywidget.AnyWidget), bool(widget.get_state()))
"""


def test_open_where_traits_take_no_type_parameters() -> None:
    assert printed(WITHOUT_PARAMETERS) == ["True True"]
